import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { AGENT_PLATFORMS } from './agent-platforms.ts';
import { AMAZON } from './amazon.ts';
import { ANNOUNCEMENTS } from './announcements.ts';
import { AZURE } from './azure.ts';
import { readConversation, TURN_LISTS } from './conversation.ts';
import { CONVERSATION_LOGS } from './conversation-logs.ts';
import { ELEVENLABS } from './elevenlabs.ts';
import type { Format } from './format.ts';
import { GENESYS } from './genesys.ts';
import { GOOGLE } from './google.ts';
import { LIVEKIT } from './livekit.ts';
import { compare, fits, list, named, present, text } from './marks.ts';
import { MODELS } from './models.ts';
import { OPENAI } from './openai.ts';
import { PIPECAT } from './pipecat.ts';
import { RECOGNIZERS } from './recognizers.ts';
import { RETELL } from './retell.ts';
import { SESSION_EVENTS } from './session-events.ts';
import { TEXT_FILES } from './text-files.ts';
import { TWILIO } from './twilio.ts';
import { VAPI } from './vapi.ts';

const LISTS = TURN_LISTS.join('|');

/** Spans that somebody exported into a file. */
const SPANS: readonly Format[] = [
  {
    name: 'OpenTelemetry spans',
    marks: { 'resourceSpans|resource_spans|scopeSpans': list },
    read() {
      throw new UnreadableCall(
        'Spans are not imported as records: send them to `/otlp/v1/traces` with the token that `earshot connect otel` makes.',
        'resourceSpans',
      );
    },
  },
];

const OWN: readonly Format[] = [
  { name: 'Earshot record', marks: { turns: named }, read: readConversation },
  { name: 'chat messages', marks: { messages: list }, read: readConversation },
  { name: 'record with turns', marks: { [LISTS]: present }, read: readConversation },
  {
    name: 'message',
    marks: { 'role|speaker|sender': text, 'content|text|message|tool_calls|parts': named },
    read() {
      throw new UnreadableCall(
        'One message is no call: a list of messages is one call. Send it as `{"id", "messages": […]}`, or as a file with a message in each line.',
        'messages',
      );
    },
  },
  {
    name: 'list of messages',
    marks: { '[].role|[].speaker|[].sender|[].speaker_label|[].type': present },
    read: readConversation,
  },
];

/** Every format that is known, the more particular before the more general: the first that a value fits is its own. */
export const FORMATS: readonly Format[] = [
  ...TEXT_FILES,
  ...SPANS,
  ...ELEVENLABS,
  ...VAPI,
  ...RETELL,
  ...AGENT_PLATFORMS,
  ...LIVEKIT,
  ...PIPECAT,
  ...TWILIO,
  ...AMAZON,
  ...GOOGLE,
  ...GENESYS,
  ...AZURE,
  ...ANNOUNCEMENTS,
  ...CONVERSATION_LOGS,
  ...SESSION_EVENTS,
  ...RECOGNIZERS,
  ...OPENAI,
  ...MODELS,
  ...OWN,
];

/** The format of a value; null where it is none that is known. */
export const recognize = (value: Json): Format | null =>
  FORMATS.find(({ marks, unless }) => fits(value, marks) && unless?.(value) !== true) ?? null;

/** Platforms whose payloads formats are read as. */
const WRITERS = { retell: RETELL, vapi: VAPI, elevenlabs: ELEVENLABS };
export type Writer = keyof typeof WRITERS;

/** The platform that writes a format; null where several tools do, or one that Earshot does not connect to. */
export const writerOf = (format: Format): Writer | null =>
  (Object.keys(WRITERS) as Writer[]).find((name) => WRITERS[name].includes(format)) ?? null;

/** The payload that a value of a platform's format holds, or what to do instead, in a sentence. */
export function payloadIn(format: Format, value: Json): { payload: JsonObject } | { advice: string } {
  try {
    const reading = format.read({ value, name: null, roles: {}, timeZone: null });
    return { payload: reading.as === 'record' ? reading.record : reading.payload };
  } catch (error) {
    if (error instanceof UnreadableCall) return { advice: error.message };
    throw error;
  }
}

/** What a value that is of no known format comes nearest to, in a sentence, and the field where it differs. */
export function nearestOf(value: Json): { sentence: string; field: string | null } {
  if (!isJsonObject(value) && !Array.isArray(value)) {
    return { sentence: 'It is neither a JSON object nor a list.', field: null };
  }
  const compared = FORMATS.map(({ name, marks }) => ({ name, ...compare(value, marks) })).filter(
    ({ held }) => held > 0,
  );
  const share = ({ held, of }: { held: number; of: number }) => held / of;
  const [nearest] = compared.toSorted((a, b) => share(b) - share(a) || b.held - a.held);
  const advice = 'Earshot reads the formats in docs/record.md, and any record with an `id` and `turns`.';
  if (nearest === undefined || nearest.differs === null) {
    return {
      sentence: `It has no list of turns (${LISTS.split('|').slice(0, 4).join(', ')}, …). ${advice}`,
      field: 'turns',
    };
  }
  return {
    sentence: `It is nearest to: ${nearest.name}; but ${nearest.differs}. ${advice}`,
    field: /^`([^`]+)`/.exec(nearest.differs)?.[1] ?? null,
  };
}
