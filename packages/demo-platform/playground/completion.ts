import { isJsonObject, type Json, type JsonObject } from '../../../src/domain/json.ts';
import { textMap, textOf } from '../../../src/platforms/lenient.ts';
import type { DemoAgent } from '../agents.ts';
import { CLINIC_AGENT_ID } from '../clinic/plan.ts';
import { traitsOfText } from '../later.ts';
import { hash32 } from '../random.ts';
import { answerAtClinic } from './clinic.ts';
import { answerAtHelpline } from './parcel.ts';
import { openTalk } from './talk.ts';
import { type LiveTools, readMocks } from './tools.ts';

export interface Completion {
  agent: DemoAgent;
  version: number;
  body: JsonObject;
  nowMs: number;
  live: LiveTools;
}

const MESSAGES_AT_MOST = 2_000;

/**
 * One answer of an agent, in the shape of Retell's playground: new messages only, with what is to be sent back next
 * time. An `engine` in the body is played in the place of the version's. It keeps nothing, so that the same question has the same answer.
 * @returns null where the body is none of that shape.
 */
export function complete({ agent, version, body, nowMs, live }: Completion): JsonObject | null {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length > MESSAGES_AT_MOST || !messages.every(isJsonObject)) return null;
  const variables = textMap(isJsonObject(body.dynamic_variables) ? body.dynamic_variables : {}) ?? {};
  const step = textOf(body.current_node_id);
  const given = isJsonObject(body.engine) ? body.engine : null;
  const traits = given ? traitsOfText(agent.later, given, agent.traits(version)) : agent.traits(version);
  const engine = given ?? agent.engine(version, traits);
  const { talk, written } = openTalk({
    said: lastSaid(messages),
    version,
    traits,
    nowMs,
    nth: nthOf(variables.earshot_test ?? ''),
    step,
    variables,
    labels: labelsOf(engine),
    greeting: greetingOf(engine),
    mocks: readMocks(body.tool_mocks),
    live,
    before: messages.length,
  });
  if (agent.plan.providerAgentId === CLINIC_AGENT_ID) answerAtClinic(talk);
  else answerAtHelpline(talk);
  const end = written();
  return {
    messages: end.messages,
    call_ended: end.ended,
    ...(end.step === null ? {} : { current_node_id: end.step }),
    dynamic_variables: end.variables,
  };
}

/** What the caller said since the agent spoke last; null before the first word. */
function lastSaid(messages: readonly JsonObject[]): string | null {
  const spokeAt = messages.findLastIndex(({ role }) => role === 'agent');
  const said = messages.slice(spokeAt + 1).filter(({ role }) => role === 'user');
  if (messages.length === 0) return null;
  return said.map(({ content }) => textOf(content) ?? '').join(' ');
}

/** The fixed words of the step that a flow begins with. */
function greetingOf({ nodes, start_node_id: first }: JsonObject): string | null {
  const start = (Array.isArray(nodes) ? nodes : []).filter(isJsonObject).find(({ id }) => id === first);
  const instruction = isJsonObject(start?.instruction) ? start.instruction : {};
  return instruction.type === 'static_text' ? textOf(instruction.text) : null;
}

function labelsOf(engine: JsonObject): Map<string, string> {
  const nodes: Json[] = Array.isArray(engine.nodes) ? engine.nodes : [];
  return new Map(nodes.filter(isJsonObject).map(({ id, name }) => [textOf(id) ?? '', textOf(name) ?? '']));
}

/** Which conversation it is by its mark: `…/2` is the second; any other mark counts as the first or the second. */
function nthOf(token: string): number {
  const nth = /\/(\d{1,3})$/.exec(token)?.[1];
  return nth === undefined ? 1 + (hash32(token) % 2) : Number(nth);
}
