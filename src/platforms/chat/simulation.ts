import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { fixtureFor } from '../../domain/runs/fixtures.ts';
import { NOT_AVAILABLE } from '../../domain/runs/not-available.ts';
import { CHAT_TERMS } from '../../domain/runs/simulation-terms.ts';
import { list, shortText } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';
import { type SimulatedAnswer, type SimulatedExchange, type Simulation } from '../simulation.ts';
import { emptyTurn } from '../turn-parts.ts';
import { type Call, callsOf, endOf, TEXT_AT_MOST, turnsOf } from './messages.ts';

const TIMEOUT_MS = 60_000;
/** Questions about one answer: an agent that calls tools longer than this is not coming to an end. */
const ROUNDS = 8;

const completion = z.looseObject({ choices: list });
/**
 * An agent at a chat address of the customer's own, by the protocol of chat completions. It hands each call of a tool back
 * instead of making it, and is answered by the test; the conversation is sent whole each time.
 */
export function createChatSimulation(client: PlatformClient): Simulation {
  return {
    ...CHAT_TERMS,
    async answer(connection, asked) {
      if (asked.said === null) return opening(asked);
      const fresh: JsonObject[] = [{ role: 'user', content: asked.said }];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const message = await complete(client, connection, asked, fresh);
        fresh.push(message);
        const calls = callsOf(message);
        for (const call of calls) fresh.push(resultOf(asked, call));
        if (calls.length === 0 || calls.some((call) => endOf(asked.configuration, call) !== null))
          return answerOf(asked, fresh);
      }
      throw new PlatformError('bad_answer', `The agent called tools ${ROUNDS} times without an answer to the caller.`);
    },
  };
}

async function complete(
  client: PlatformClient,
  connection: PlatformConnection,
  asked: SimulatedExchange,
  fresh: readonly JsonObject[],
): Promise<JsonObject> {
  const body = await client.send(connection, {
    method: 'POST',
    path: '/chat/completions',
    doing: 'a simulated call',
    json: {
      model: asked.providerAgentId,
      messages: [...asked.messages, ...fresh],
      stream: false,
      user: `earshot-test/${asked.token}`,
    },
    timeoutMs: TIMEOUT_MS,
    signal: asked.signal,
  });
  const read = completion.safeParse(body);
  const choice = read.success ? read.data.choices?.[0] : null;
  const message = isJsonObject(choice) && isJsonObject(choice.message) ? choice.message : null;
  if (message === null) {
    throw new PlatformError('bad_answer', 'The answer in a simulated call was no chat completion.');
  }
  const calls = callsOf(message);
  return {
    role: 'assistant',
    content: shortText(message.content, TEXT_AT_MOST),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(writtenCall) }),
  };
}

const writtenCall = ({ id, name, args }: Call): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

/** By the test's fixture for it; a tool that only ends or hands over the call has worked. */
function resultOf(asked: SimulatedExchange, call: Call): JsonObject {
  const fixture = fixtureFor(asked.mocks, call);
  const body = fixture?.respond ?? (endOf(asked.configuration, call) === null ? NOT_AVAILABLE : { status: 'done' });
  return { role: 'tool', tool_call_id: call.id, content: JSON.stringify(body) };
}

/** A chat begins with the caller's words, so the fixed first message is told from the agent's configuration. */
function opening({ configuration }: SimulatedExchange): SimulatedAnswer {
  const first = configuration.firstMessage?.trim() ?? '';
  if (first === '') return NOTHING;
  const messages = [{ role: 'assistant', content: first }];
  return { ...NOTHING, messages, turns: [{ ...emptyTurn(0, 'agent', null), text: first }] };
}

const NOTHING: SimulatedAnswer = {
  messages: [],
  turns: [],
  state: null,
  steps: [],
  ended: null,
  noFixture: [],
  costUsd: null,
};

function answerOf(asked: SimulatedExchange, fresh: readonly JsonObject[]): SimulatedAnswer {
  const calls = fresh.flatMap(callsOf);
  const turns = fresh.slice(1).flatMap((message) => turnsOf(message, calls));
  const missing = calls.filter((call) => endOf(asked.configuration, call) === null && !fixtureFor(asked.mocks, call));
  return {
    ...NOTHING,
    messages: [...fresh],
    turns: turns.map((turn, index) => ({ ...turn, index })),
    ended: calls.map((call) => endOf(asked.configuration, call)).find((end) => end !== null) ?? null,
    noFixture: [...new Set(missing.map(({ name }) => name))],
  };
}
