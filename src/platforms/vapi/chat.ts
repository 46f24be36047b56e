import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { SIMULATION_TERMS } from '../../domain/runs/simulation-terms.ts';
import { list, number, shortText, textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import { PlatformError } from '../port.ts';
import type { SimulatedAnswer, Simulation } from '../simulation.ts';
import { emptyTurn } from '../turn-parts.ts';
import { putVapiTexts } from './put-texts.ts';

const TIMEOUT_MS = 60_000;

const chat = z.looseObject({ output: list, cost: number });

/**
 * Vapi's chat with the assistant as it was captured, since chats take no version. It has no stand-ins for tools, so only
 * assistants without any are played; the conversation is sent whole each time, so that asking twice does nothing twice.
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
          assistant: spokenPart(assistant),
          input: [
            ...asked.messages.map(({ role, content }): Json => ({ role: role ?? '', content: content ?? '' })),
            own,
          ],
          stream: false,
        },
        timeoutMs: TIMEOUT_MS,
        signal: asked.signal,
      });
      const read = chat.safeParse(body);
      if (!read.success || read.data.output === null) {
        throw new PlatformError('bad_answer', 'The answer in a simulated call did not have the documented shape.');
      }
      return answerOf(own, read.data.output, read.data.cost, assistant);
    },
  };
}

/** What an assistant says and nothing that acts: hooks, servers and analyses stay out. */
function spokenPart(assistant: JsonObject): JsonObject {
  const model = isJsonObject(assistant.model) ? assistant.model : {};
  const { tools, toolIds, toolRefs, ...spoken } = model;
  void [tools, toolIds, toolRefs];
  return { ...(assistant.name === undefined ? {} : { name: assistant.name }), model: spoken };
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

function answerOf(own: JsonObject, output: unknown[], costUsd: number | null, assistant: JsonObject): SimulatedAnswer {
  const messages = output.filter(isJsonObject);
  const said = messages.flatMap(({ role, content }) => {
    const text = shortText(content, 20_000);
    return (role === 'assistant' || role === 'bot') && text !== null ? [text] : [];
  });
  const phrases = Array.isArray(assistant.endCallPhrases) ? assistant.endCallPhrases.map(textOf) : [];
  const ends = phrases.some(
    (phrase) => phrase !== null && said.some((text) => text.toLowerCase().includes(phrase.toLowerCase())),
  );
  return {
    ...NOTHING,
    messages: [own, ...messages],
    turns: said.map((text, index) => ({ ...emptyTurn(index, 'agent', null), text })),
    ended: ends ? 'agent' : null,
    costUsd: costUsd !== null && costUsd >= 0 ? costUsd : null,
  };
}
