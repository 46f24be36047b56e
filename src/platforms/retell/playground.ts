import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { toolsWithoutFixture } from '../../domain/runs/not-available.ts';
import type { SimulationTerms } from '../../domain/runs/simulation-terms.ts';
import { flag, object, text, textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';
import { type SimulatedAnswer, type SimulatedExchange, type Simulation } from '../simulation.ts';
import { putRetellTexts } from './put-texts.ts';
import { mocksFor } from './tool-mocks.ts';
import { readTurns } from './turns.ts';

/** A language model and its tools answer in one request. */
const TIMEOUT_MS = 60_000;

const completion = z.looseObject({
  messages: z.array(z.unknown()),
  call_ended: flag,
  current_node_id: text,
  current_state: text,
  dynamic_variables: object,
});
type Completion = z.infer<typeof completion>;

/**
 * Retell's playground: it keeps nothing, so every question carries the conversation so far, and asking one twice does
 * nothing twice.
 * @param terms its price too: the platform doesn't say what a conversation costs.
 */
export function createRetellSimulation(client: PlatformClient, terms: SimulationTerms): Simulation {
  return {
    ...terms,
    async answer(connection, given) {
      const asked = withDraft(given);
      if (asked.said !== null) return answerOf(asked, await complete(client, connection, asked));
      if (waitsForCaller(asked.document)) return silence(asked);
      try {
        const answer = answerOf(asked, await complete(client, connection, asked));
        return answer.turns.some(({ text: said }) => said.trim() !== '') ? answer : openByText(asked);
      } catch (error) {
        // Not every engine speaks before there is a message.
        if (error instanceof PlatformError && error.kind === 'rejected') return openByText(asked);
        throw error;
      }
    },
  };
}

/** The document with the texts of the draft in it: what is sent, and what the opening and the mocks are read from. */
function withDraft(asked: SimulatedExchange): SimulatedExchange {
  if (!hasDraft(asked)) return asked;
  return { ...asked, document: { ...asked.document, engine: putRetellTexts(engineOf(asked.document), asked.texts) } };
}

const hasDraft = ({ texts }: SimulatedExchange) => Object.keys(texts).length > 0;

async function complete(
  client: PlatformClient,
  connection: PlatformConnection,
  asked: SimulatedExchange,
): Promise<Completion> {
  const state = asked.state ?? { dynamic_variables: { earshot_test: asked.token } };
  const { providerAgentId, version } = asked.copy ?? asked;
  // Only the demo platform is asked so, which takes an engine in the place of the version's.
  const isSent = asked.copy === null && hasDraft(asked);
  const body = await client.send(connection, {
    method: 'POST',
    path: `/agent-playground-completion/${encodeURIComponent(providerAgentId)}?version=${version}`,
    doing: 'a simulated call',
    json: {
      ...state,
      ...(isSent ? { engine: engineOf(asked.document) } : {}),
      messages: [...asked.messages, ...ownMessages(asked)],
      tool_mocks: mocksFor(asked.mocks, asked.configuration, asked.document),
    },
    timeoutMs: TIMEOUT_MS,
    signal: asked.signal,
  });
  const read = completion.safeParse(body);
  if (read.success) return read.data;
  throw new PlatformError('bad_answer', 'The answer in a simulated call did not have the documented shape.');
}

const ownMessages = ({ said }: SimulatedExchange): JsonObject[] =>
  said === null ? [] : [{ role: 'user', content: said }];

function answerOf(asked: SimulatedExchange, read: Completion): SimulatedAnswer {
  const own = ownMessages(asked);
  const fresh = read.messages.filter(isJsonObject);
  const before = readTurns([...asked.messages, ...own], NOTHING_MISSING());
  const whole = readTurns([...asked.messages, ...own, ...fresh], NOTHING_MISSING());
  const lastStep = before.transitions.at(-1)?.toId ?? textOf(asked.state?.current_node_id);
  const steps = whole.transitions.slice(before.transitions.length).map(({ toId }) => toId);
  const step = read.current_node_id ?? read.current_state;
  if (step !== null && step !== (steps.at(-1) ?? lastStep)) steps.push(step);
  const turns = whole.turns
    .slice(before.turns.length)
    .map((turn, index) => ({ ...turn, index, nodeId: turn.nodeId ?? step }));
  const transfers = new Set(
    asked.configuration.tools.filter(({ kind }) => kind === 'transfer').map(({ name }) => name),
  );
  const handedOver = turns.some(
    ({ toolCall }) =>
      toolCall !== null &&
      transfers.has(toolCall.name) &&
      !turns.some(({ toolResult }) => toolResult?.id === toolCall.id && toolResult.ok === false),
  );
  return {
    messages: [...own, ...fresh],
    turns,
    state: stateOf(asked, read),
    steps,
    ended: handedOver ? 'transfer' : read.call_ended === true ? 'agent' : null,
    noFixture: toolsWithoutFixture(turns),
    costUsd: null,
  };
}

/** A conversation that goes on lacks no result yet. */
const NOTHING_MISSING = () => ({ over: false, durationMs: 0, machine: false, warnings: [] });

function stateOf(asked: SimulatedExchange, read: Completion): JsonObject {
  const variables = read.dynamic_variables ?? asked.state?.dynamic_variables ?? { earshot_test: asked.token };
  return {
    dynamic_variables: variables,
    ...(read.current_node_id === null ? {} : { current_node_id: read.current_node_id }),
    ...(read.current_state === null ? {} : { current_state: read.current_state }),
  };
}

/** The agent is set to let the caller speak first. */
function waitsForCaller(document: JsonObject | null): boolean {
  const engine = engineOf(document);
  return engine.start_speaker === 'user' || engine.begin_message === '';
}

const engineOf = (document: JsonObject | null): JsonObject => (isJsonObject(document?.engine) ? document.engine : {});

function silence({ state }: SimulatedExchange): SimulatedAnswer {
  return { messages: [], turns: [], state, steps: [], ended: null, noFixture: [], costUsd: null };
}

/** The fixed words that the agent begins with, where the platform does not say them; else the caller opens. */
function openByText(asked: SimulatedExchange): SimulatedAnswer {
  const engine = engineOf(asked.document);
  const start = (Array.isArray(engine.nodes) ? engine.nodes : [])
    .filter(isJsonObject)
    .find(({ id }) => id !== undefined && id === engine.start_node_id);
  const instruction = isJsonObject(start?.instruction) ? start.instruction : {};
  const fixed = textOf(engine.begin_message) ?? (instruction.type === 'static_text' ? textOf(instruction.text) : null);
  if (fixed === null || fixed.trim() === '') return silence(asked);
  const content = fixed.replace(
    /\{\{\s*(\w+)\s*\}\}/g,
    (whole, name: string) => asked.configuration.variables[name] ?? whole,
  );
  const node = textOf(engine.start_node_id);
  return answerOf(asked, {
    messages: [{ role: 'agent', content }],
    call_ended: false,
    current_node_id: node,
    current_state: null,
    dynamic_variables: null,
  });
}
