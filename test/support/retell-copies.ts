import type { JsonObject } from '../../src/domain/json.ts';
import type { ScriptedAnswer, ScriptedRequest } from './scripted-server.ts';
import type { Loose } from './world.ts';

/** What was made beside the agent at the stand-in for Retell, by id. */
export interface MadeThere {
  agents: Map<string, JsonObject>;
  engines: Map<string, JsonObject>;
  /** Ids are never given twice. */
  given: number;
}

export const nothingMade = (): MadeThere => ({ agents: new Map(), engines: new Map(), given: 0 });

/** Prompts and agents made, found and taken away again; null: another part of the interface is asked. */
export function answerOfCopies(made: MadeThere, { method, path, body }: ScriptedRequest): ScriptedAnswer | null {
  const { agents, engines } = made;
  const asked = body as Loose;
  const [, name = '', id = ''] = path.split('/');
  switch (`${method} ${name === 'v2' ? `v2/${id}` : name}`) {
    case 'POST create-retell-llm': {
      const llm_id = `llm_copy_${(made.given += 1)}`;
      engines.set(llm_id, { ...asked, llm_id, version: 0 });
      return { status: 201, json: engines.get(llm_id) };
    }
    case 'POST create-agent': {
      if (!engines.has(asked.response_engine.llm_id)) return { status: 400, json: { message: 'No such engine.' } };
      const agent_id = `agent_copy_${(made.given += 1)}`;
      agents.set(agent_id, { ...asked, agent_id, version: 0, is_published: false });
      return { status: 201, json: agents.get(agent_id) };
    }
    case 'POST v2/list-agents': {
      const { query } = asked.filter_criteria;
      const items = [...agents.values()].filter(({ agent_name }) => String(agent_name).includes(query ?? ''));
      return { json: { items, has_more: false } };
    }
    case 'GET v2/list-retell-llms':
      return { json: { items: [...engines.values()], has_more: false } };
    case 'DELETE delete-agent':
      return agents.delete(id) ? { status: 204, text: '' } : GONE;
    case 'DELETE delete-retell-llm':
      if ([...agents.values()].some(({ response_engine }) => (response_engine as Loose).llm_id === id)) {
        return { status: 400, json: { message: 'An agent uses it.' } };
      }
      return engines.delete(id) ? { status: 204, text: '' } : GONE;
    default:
      return null;
  }
}

/** The playground says what the engine's prompt says, and hangs up. */
export function answerOfPlayground(engine: JsonObject | null): ScriptedAnswer {
  if (engine === null) return GONE;
  return { json: { messages: [{ role: 'agent', content: engine.general_prompt }], call_ended: true } };
}

const GONE: ScriptedAnswer = { status: 404, json: { message: 'There is no such thing.' } };
