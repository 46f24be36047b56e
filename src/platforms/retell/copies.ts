import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { AgentCopies, CopyRequest } from '../copies.ts';
import { numberOf, textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError, type PlatformErrorKind } from '../port.ts';
import { pagesOf } from './pages.ts';
import { putRetellTexts } from './put-texts.ts';
import { ENGINES, type EngineKind, readRetellEngine } from './read-engine.ts';

/** What the platform gives an agent or engine by itself, and what would tell others of its calls. */
const OWN_FIELDS = [
  'agent_id',
  'llm_id',
  'conversation_flow_id',
  'version',
  'base_version',
  'is_published',
  'assigned_tags',
  'last_modification_timestamp',
  'webhook_url',
];
/** A variable that no text names: engines have no name by which a lost one could be found. */
const MARK = 'earshot_copy';
/** Stands in the place of an id until the answer is there. */
const ASKED = 'asked';
/** Kinds of failures after which nothing was made. */
const NOT_DONE: PlatformErrorKind[] = ['unauthorised', 'not_found', 'rate_limited', 'address_refused', 'rejected'];

/**
 * A copy is an engine and an agent on top of it. Retell's playground plays versions that it holds, and an unpublished version
 * of the agent itself would answer numbers that are bound to its latest one: an agent of its own has no number.
 */
export function createRetellCopies(client: PlatformClient): AgentCopies {
  return {
    async make(connection, { name, texts, note, ...version }) {
      const { agent, body, kind } = await readRetellEngine(client, connection, version);
      const make = (path: string, json: JsonObject) => create(client, connection, path, json);
      const variables = isJsonObject(body.default_dynamic_variables) ? body.default_dynamic_variables : {};
      const engine = await noted(note, { kind }, 'engine', ENGINES[kind].id, () =>
        make(ENGINES[kind].create, {
          ...withoutOwn(putRetellTexts(body, texts)),
          default_dynamic_variables: { ...variables, [MARK]: name },
        }),
      );
      const made = await noted(note, { kind, engine: engine.id }, 'agent', 'agent_id', () =>
        make('/create-agent', {
          ...withoutOwn(agent),
          agent_name: name,
          response_engine: { type: kind, [ENGINES[kind].id]: engine.id, version: engine.version },
        }),
      );
      return { providerAgentId: made.id, version: made.version };
    },
    async remove(connection, { name, handle }) {
      if (handle === null) return true;
      const kind = handle.kind === 'conversation-flow' ? 'conversation-flow' : 'retell-llm';
      const agents = await ids(handle.agent, () => findAgents(client, connection, name));
      // An engine is held by its agent until that is gone.
      for (const id of agents ?? []) await remove(client, connection, `/delete-agent/${encodeURIComponent(id)}`);
      const engines = await ids(handle.engine, () => findEngines(client, connection, kind, name));
      for (const id of engines ?? [])
        await remove(client, connection, `${ENGINES[kind].remove}${encodeURIComponent(id)}`);
      return agents !== null && engines !== null;
    },
  };
}

const withoutOwn = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !OWN_FIELDS.includes(name)));

/** Notes a write before it is made, and then what it is called; or that it came to nothing, where Retell refused it. */
async function noted(
  note: CopyRequest['note'],
  before: JsonObject,
  part: 'engine' | 'agent',
  named: string,
  write: () => Promise<JsonObject>,
): Promise<{ id: string; version: number }> {
  await note({ ...before, [part]: ASKED });
  try {
    const made = await write();
    const id = textOf(made[named]);
    if (id === null) throw new PlatformError('bad_answer', `Retell did not say which ${part} is new.`);
    await note({ ...before, [part]: id });
    return { id, version: numberOf(made.version) ?? 0 };
  } catch (error) {
    if (error instanceof PlatformError && NOT_DONE.includes(error.kind)) await note(before);
    throw error;
  }
}

async function create(
  client: PlatformClient,
  connection: PlatformConnection,
  path: string,
  json: JsonObject,
): Promise<JsonObject> {
  const made = await client.send(connection, { method: 'POST', path, json, doing: 'making a copy of the agent' });
  if (isJsonObject(made)) return made;
  throw new PlatformError('bad_answer', 'The answer to making a copy of the agent was no object.');
}

/** What has an id by now, is gone already. */
async function remove(client: PlatformClient, connection: PlatformConnection, path: string): Promise<void> {
  try {
    await client.send(connection, { method: 'DELETE', path, doing: 'removing a copy of the agent', mayBeEmpty: true });
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'not_found') throw error;
  }
}

/** Of what was asked for and never answered: what is found. @returns null where nothing is (yet). */
async function ids(known: unknown, find: () => Promise<string[]>): Promise<string[] | null> {
  if (known === undefined) return [];
  if (known !== ASKED) return [String(known)];
  const found = await find();
  return found.length > 0 ? found : null;
}

async function findAgents(client: PlatformClient, connection: PlatformConnection, name: string): Promise<string[]> {
  const listed = await pagesOf(client, connection, {
    path: '/v2/list-agents?limit=1000',
    json: { filter_criteria: { query: name } },
    doing: 'looking for a copy of the agent',
  });
  return listed.flatMap((one) => (one.agent_name === name ? (textOf(one.agent_id) ?? []) : []));
}

async function findEngines(
  client: PlatformClient,
  connection: PlatformConnection,
  kind: EngineKind,
  name: string,
): Promise<string[]> {
  const { list, id } = ENGINES[kind];
  const listed = await pagesOf(client, connection, { path: list, doing: 'looking for a copy of the agent' });
  return listed.flatMap((one) => {
    const variables = one.default_dynamic_variables;
    return isJsonObject(variables) && variables[MARK] === name ? (textOf(one[id]) ?? []) : [];
  });
}
