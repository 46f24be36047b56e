import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { toolsWithoutFixture } from '../../domain/runs/not-available.ts';
import { SIMULATION_TERMS } from '../../domain/runs/simulation-terms.ts';
import { callsOf, endOf, turnsOf } from '../chat/messages.ts';
import { list, number, textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import { PlatformError } from '../port.ts';
import { type SimulatedAnswer, type SimulatedExchange, type Simulation } from '../simulation.ts';
import { emptyTurn } from '../turn-parts.ts';
import { putVapiTexts } from './put-texts.ts';

const TIMEOUT_MS = 60_000;
const TOOL_TIMEOUT_S = 20;

const chat = z.looseObject({ output: list, cost: number });

/**
 * Vapi's chat with the assistant as it was captured, since chats take no version. It has no stand-ins for tools, so each is
 * sent as a function whose server is an address of ours; the conversation is sent whole each time, so that asking twice
 * does nothing twice.
 */
export function createVapiSimulation(client: PlatformClient): Simulation {
  return {
    ...SIMULATION_TERMS.vapi,
    async answer(connection, asked) {
      const captured = isJsonObject(asked.document?.assistant) ? asked.document.assistant : {};
      const assistant = putVapiTexts(captured, asked.texts);
      if (asked.said === null) return opening(assistant);
      const own: JsonObject = { role: 'user', content: asked.said };
      const body = await client.send(connection, {
        method: 'POST',
        path: '/chat',
        doing: 'a simulated call',
        json: {
          name: asked.token.slice(-40),
          assistant: spokenPart(assistant, asked),
          input: [...asked.messages.map(sentAgain), own],
          stream: false,
        },
        timeoutMs: TIMEOUT_MS,
        signal: asked.signal,
      });
      const read = chat.safeParse(body);
      if (!read.success || read.data.output === null) {
        throw new PlatformError('bad_answer', 'The answer in a simulated call did not have the documented shape.');
      }
      return answerOf(asked, own, read.data, assistant);
    },
  };
}

/** What a chat takes of a message that it gave. */
const sentAgain = ({ role, content, tool_calls: calls, tool_call_id: callId }: JsonObject): JsonObject => ({
  role: role ?? '',
  content: content ?? '',
  ...(calls === undefined ? {} : { tool_calls: calls }),
  ...(callId === undefined ? {} : { tool_call_id: callId }),
});

/** What an assistant says and nothing of the customer's that acts: hooks, servers and analyses stay out. */
function spokenPart(assistant: JsonObject, asked: SimulatedExchange): JsonObject {
  const model = isJsonObject(assistant.model) ? assistant.model : {};
  const { tools, toolIds, toolRefs, ...spoken } = model;
  void [tools, toolIds, toolRefs];
  const stoodIn = toolsFor(asked);
  return {
    ...(assistant.name === undefined ? {} : { name: assistant.name }),
    model: { ...spoken, ...(stoodIn.length === 0 ? {} : { tools: stoodIn }) },
  };
}

/** Every tool under its name, whatever it does for real, and answered by the test's fixtures. */
function toolsFor({ configuration, toolAddress }: SimulatedExchange): JsonObject[] {
  if (toolAddress === null) return [];
  return configuration.tools.map(({ name, description, parameters }) => ({
    type: 'function',
    async: false,
    function: { name, description, parameters: parameters ?? { type: 'object', properties: {} } },
    server: { url: toolAddress, timeoutSeconds: TOOL_TIMEOUT_S },
  }));
}

/** A chat begins with the caller's words, so the first message is told from the assistant itself. */
function opening(assistant: JsonObject): SimulatedAnswer {
  const mode = textOf(assistant.firstMessageMode) ?? 'assistant-speaks-first';
  const first = mode === 'assistant-speaks-first' ? (textOf(assistant.firstMessage)?.trim() ?? '') : '';
  if (first === '') return { ...NOTHING, costUsd: 0 };
  const messages = [{ role: 'assistant', content: first }];
  return { ...NOTHING, messages, turns: [{ ...emptyTurn(0, 'agent', null), text: first }], costUsd: 0 };
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

function answerOf(
  { configuration }: SimulatedExchange,
  own: JsonObject,
  { output, cost }: z.infer<typeof chat>,
  assistant: JsonObject,
): SimulatedAnswer {
  const messages = (output ?? []).filter(isJsonObject);
  const calls = messages.flatMap(callsOf);
  const turns = messages
    .filter(({ role }) => role === 'assistant' || role === 'bot' || role === 'tool')
    .flatMap((message) => turnsOf(message, calls))
    .map((turn, index) => ({ ...turn, index }));
  const phrases = Array.isArray(assistant.endCallPhrases) ? assistant.endCallPhrases.map(textOf) : [];
  const saysGoodbye = phrases.some(
    (phrase) => phrase !== null && turns.some(({ text }) => text.toLowerCase().includes(phrase.toLowerCase())),
  );
  const endedBy = calls.map((call) => endOf(configuration, call)).find((end) => end !== null) ?? null;
  return {
    ...NOTHING,
    messages: [own, ...messages],
    turns,
    ended: endedBy ?? (saysGoodbye ? 'agent' : null),
    noFixture: toolsWithoutFixture(turns),
    costUsd: cost !== null && cost >= 0 ? cost : null,
  };
}
