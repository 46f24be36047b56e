import type { JsonObject } from '../../src/domain/json.ts';
import { answerOfCopies, answerOfPlayground, type MadeThere, nothingMade } from './retell-copies.ts';
import { type ScriptedAnswer, type ScriptedRequest, startScriptedServer } from './scripted-server.ts';
import type { Loose } from './world.ts';

/**
 * What goes wrong with a request: it is not done; it is done and the answer is lost, none, or never comes (`stuck`); other
 * words are written; from then on the key is refused. A function is what somebody else does there meanwhile, and the request is not done.
 */
export type Trouble =
  | 'refused'
  | 'away'
  | 'cut'
  | 'lost'
  | 'garbage'
  | 'hang'
  | 'stuck'
  | 'garbled'
  | 'locked'
  | (() => void);

export interface Workshop {
  url: string;
  /** `METHOD /first-part` of every request that writes, in order. */
  writes: string[];
  /** What goes wrong with the next writes, one each; null: nothing. */
  troubles: (Trouble | null)[];
  /** The key is refused. */
  isLocked: boolean;
  close(): Promise<void>;
}

export interface RetellWorkshop extends Workshop {
  agentId: string;
  versions: { version: number; published: boolean; base: number | null; engine: JsonObject }[];
  /** What the agent's phone number is bound to. */
  binding: string | number;
  live(): JsonObject;
  made: MadeThere;
}

/** A stand-in for Retell's agents, prompts and versions: what is written is kept, and published versions never change. */
export async function startRetellWorkshop(engine: JsonObject, agentId = 'agent_1'): Promise<RetellWorkshop> {
  const server = await startScriptedServer();
  const workshop: RetellWorkshop = {
    agentId,
    url: server.url,
    writes: [],
    troubles: [],
    isLocked: false,
    versions: [{ version: 1, published: true, base: null, engine }],
    binding: 'latest_published',
    live: () => workshop.versions.findLast(({ published }) => published)?.engine ?? {},
    made: nothingMade(),
    close: () => server.close(),
  };
  server.answerWith((request) =>
    withTrouble(workshop, request, () => answerOfCopies(workshop.made, request) ?? answer(workshop, request)),
  );
  return workshop;
}

function answer({ versions, binding, agentId, made }: RetellWorkshop, request: ScriptedRequest): ScriptedAnswer {
  const { method, path, query } = request;
  const asked = request.body as Loose;
  const one = versions.find(({ version }) => version === Number(query.get('version') ?? asked?.version));
  const name = path.split('/')[1] ?? '';
  switch (`${method} ${name}`) {
    case 'GET list-agent-versions':
      return {
        json: {
          items: versions.map(({ version, published, base }) => ({
            version,
            is_published: published,
            base_version: base,
          })),
        },
      };
    case 'GET v2':
      return { json: { items: [{ inbound_agents: [{ agent_id: agentId, weight: 1, agent_version: binding }] }] } };
    case 'GET get-agent':
      return one ? { json: agentOf(agentId, one.version) } : NOT_FOUND;
    case 'GET get-retell-llm':
      return one ? { json: { ...one.engine, llm_id: 'llm_1', version: one.version } } : NOT_FOUND;
    case 'POST create-agent-version': {
      const base = versions.find(({ version }) => version === asked.base_version);
      if (!base) return NOT_FOUND;
      const version = Math.max(...versions.map((each) => each.version)) + 1;
      versions.push({ version, published: false, base: base.version, engine: { ...base.engine } });
      return { json: agentOf(agentId, version) };
    }
    case 'PATCH update-retell-llm':
      if (!one || one.published) return { status: 400, json: { message: 'A published version never changes.' } };
      one.engine = { ...one.engine, ...asked };
      return { json: one.engine };
    case 'POST publish-agent-version':
      if (!one) return NOT_FOUND;
      one.published = true;
      return { text: '' };
    case 'DELETE delete-agent-version':
      if (!one || one.published) return NOT_FOUND;
      versions.splice(versions.indexOf(one), 1);
      return { status: 204, text: '' };
    case 'POST agent-playground-completion': {
      const copy = made.agents.get(path.split('/')[2] ?? '') as Loose;
      return answerOfPlayground(copy ? (made.engines.get(copy.response_engine.llm_id) ?? null) : (one?.engine ?? null));
    }
    default:
      return NOT_FOUND;
  }
}

const AWAY: ScriptedAnswer = { status: 503, json: { message: 'Later.' } };
const LOCKED: ScriptedAnswer = { status: 401, json: { message: 'Not this key.' } };
const NOT_FOUND: ScriptedAnswer = { status: 404, json: { message: 'There is no such thing.' } };

const agentOf = (agentId: string, version: number) => ({
  agent_id: agentId,
  agent_name: 'Front desk',
  version,
  response_engine: { type: 'retell-llm', llm_id: 'llm_1', version },
});

export interface VapiWorkshop extends Workshop {
  assistant: JsonObject;
}

/** A stand-in for an assistant of Vapi, which is live as it is written. */
export async function startVapiWorkshop(assistant: JsonObject): Promise<VapiWorkshop> {
  const server = await startScriptedServer();
  const workshop: VapiWorkshop = {
    url: server.url,
    writes: [],
    troubles: [],
    isLocked: false,
    assistant,
    close: () => server.close(),
  };
  server.answerWith((request) =>
    withTrouble(workshop, request, () => {
      if (request.path !== '/assistant/a1') return NOT_FOUND;
      if (request.method === 'PATCH') {
        const latest = Number(String(workshop.assistant.latestVersion ?? 'v0').slice(1)) + 1;
        workshop.assistant = { ...workshop.assistant, ...(request.body as JsonObject), latestVersion: `v${latest}` };
      }
      return { json: workshop.assistant };
    }),
  );
  return workshop;
}

export function withTrouble(workshop: Workshop, request: ScriptedRequest, work: () => ScriptedAnswer): ScriptedAnswer {
  if (workshop.isLocked) return LOCKED;
  const isRead = ['/agent-playground-completion', '/v2/list-agents'].some((start) => request.path.startsWith(start));
  if (request.method === 'GET' || isRead) return work();
  workshop.writes.push(`${request.method} /${request.path.split('/')[1]}`);
  const trouble = workshop.troubles.shift() ?? null;
  if (typeof trouble === 'function') {
    trouble();
    return AWAY;
  }
  switch (trouble) {
    case null:
      return work();
    case 'refused':
      return { status: 400, json: { message: 'No.' } };
    case 'away':
      return AWAY;
    case 'cut':
      return 'cut';
    case 'lost':
      work();
      return 'cut';
    case 'garbage':
      work();
      return { text: '<html>Bad gateway</html>' };
    case 'hang':
      return 'hang';
    case 'stuck':
      work();
      return 'hang';
    case 'locked':
      workshop.isLocked = true;
      return LOCKED;
    case 'garbled':
      request.body = JSON.parse(
        JSON.stringify(request.body).toUpperCase().replaceAll('GENERAL_PROMPT', 'general_prompt'),
      );
      return work();
    default:
      return trouble satisfies never;
  }
}
