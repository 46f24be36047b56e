import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { TURN_LISTS } from './conversation.ts';
import { isLogged, loggedCall } from './conversation-logs.ts';
import { givenIn, handOver, isHandedOver } from './handed-over.ts';
import { ownId } from './own-id.ts';
import { recognize } from './registry.ts';
import { isSocketMessage } from './retell.ts';
import { isSessionEvent } from './session-events.ts';
import { unwrapped } from './wrapped.ts';

/** Under which names lists of calls stand. */
const PAGES = ['items', 'calls', 'conversations', 'results', 'data', 'records', 'value', 'list', 'entities'] as const;

/**
 * What is handed over as one document, call by call: a list or a page is many calls, a list of messages or events is
 * one. What is neither an object nor a list is given back as it is.
 */
export function cutIntoCalls(sent: Json): Json[] {
  const document = unwrapped(sent);
  if (isHandedOver(document)) {
    const { value, ...about } = givenIn(document);
    const calls = cutIntoCalls(value);
    const [only = null] = calls;
    // A list of messages is wrapped as one call; it is not to be wrapped twice.
    if (calls.length === 1) return [handOver(isHandedOver(only) ? givenIn(only).value : withoutLabels(only), about)];
    return calls.map((call) => (isHandedOver(call) ? call : handOver(call, { ...about, name: null })));
  }
  if (Array.isArray(document)) {
    if (isOneCall(document)) return logged(document).map((call) => handOver(call, {}));
    const cut = document.map(unwrapped);
    if (isOneCall(cut)) return cutIntoCalls(cut);
    return cut.flatMap((one) => (isPage(one) || isListOfParts(one) ? cutIntoCalls(one) : [withoutLabels(one)]));
  }
  const page = pageOf(document);
  return page === null ? [withoutLabels(document)] : page.flatMap(cutIntoCalls);
}

/** Entries of a log by the calls that they name; anything else is of one call. */
function logged(entries: Json[]): Json[][] {
  const first = entries.findIndex((entry) => loggedCall(entry) !== null);
  if (first < 0) return [entries];
  let last = loggedCall(entries[first] ?? null);
  return [
    ...Map.groupBy(entries, (entry) => {
      last = loggedCall(entry) ?? last;
      return last;
    }).values(),
  ];
}

const isListOfParts = (value: Json): value is Json[] => Array.isArray(value) && isOneCall(value);

/** Whether a list is what was said on one call, and not a list of calls. */
export const isOneCall = (values: readonly Json[]): boolean => {
  const objects = values.filter(isJsonObject);
  const [first] = objects;
  if (first === undefined || objects.length !== values.length) return false;
  return isEvent(first) || objects.every(isPart);
};

const isEvent = (value: JsonObject) =>
  isSessionEvent(value) || isLogged(value) || isSocketMessage(value) || isSonicEvent(value);

/** Whether Amazon Nova Sonic streams such events. */
function isSonicEvent({ event }: JsonObject): boolean {
  return isJsonObject(event) && SONIC_EVENTS.some((name) => name in event);
}

const SONIC_EVENTS = ['completionStart', 'contentStart', 'textOutput', 'audioOutput', 'toolUse', 'contentEnd'];

const SPEAKS = ['role', 'speaker', 'sender', 'speaker_label', 'author'] as const;
const SAYS = [
  'content',
  'text',
  'message',
  'parts',
  'transcript',
  'utterance',
  'tool_calls',
  'toolCalls',
  'digit',
  'name',
  'function_call',
  'message_text',
  'messageText',
  'words',
  'new_node_id',
  'tool_call_id',
] as const;
/** Types of items of one conversation that name nobody who speaks. */
const PART_TYPE =
  /^(message|function_call(_output)?|custom_tool_call(_output)?|reasoning|agent_handoff|agent_config_update|mcp_.*|item_reference|tool_call|tool_result|dtmf)$/;
const EVENT_TYPE =
  /^(session|conversation|response|input_audio_buffer|output_audio_buffer|rate_limits|transcription_session)\.|^(setup|prompt|interrupt|text|play|sendDigits|language|end|error|Results|Metadata|SpeechStarted|UtteranceEnd)$/;

/** Whether a value is a piece of a call: a message, an item or an event, and no call of its own. */
export function isPart(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  if (isLogged(value) || isSocketMessage(value) || isSonicEvent(value)) return true;
  if (TURN_LISTS.some((name) => Array.isArray(value[name]) && value[name].some(isJsonObject))) return false;
  if ('call_id' in value && ('call_status' in value || 'agent_id' in value)) return false;
  const type = typeof value.type === 'string' ? value.type : '';
  if (
    value.label === 'rtvi-ai' ||
    'TranscriptionEvent' in value ||
    'transcriptionData' in value ||
    'transcriptionMetadata' in value
  )
    return true;
  if (PART_TYPE.test(type) || EVENT_TYPE.test(type) || isSessionEvent(value)) return true;
  if ('media_channel' in value && 'transcript' in value) return true;
  return SPEAKS.some((name) => isName(value[name])) && SAYS.some((name) => name in value);
}

/** Whether an event is the first one of a call, so that what came before it belongs to another. */
export const startsCall = (value: Json): boolean =>
  isJsonObject(value) && (value.type === 'session.created' || value.type === 'setup');

/** Whether what is handed over has an id of its own; also true where it can't be read, as then nothing needs one. */
export function hasId(call: Json): boolean {
  const given = givenIn(call);
  try {
    const reading = recognize(given.value)?.read(given);
    return reading === undefined || ownId(reading) !== null;
  } catch (error) {
    if (error instanceof UnreadableCall) return true;
    throw error;
  }
}

const isName = (value: Json | undefined) =>
  typeof value === 'string' || typeof value === 'number' || isJsonObject(value);

const isPage = (value: Json) => isJsonObject(value) && pageOf(value) !== null;

/** The calls of a page of a list; null for what is none. */
function pageOf(value: Json): Json[] | null {
  if (!isJsonObject(value)) return null;
  for (const name of PAGES) {
    const items = value[name];
    if (!Array.isArray(items) || items.length === 0 || items.some(isPart)) continue;
    const first = items.find(isJsonObject);
    if (first === undefined || !items.every((item) => isJsonObject(item))) continue;
    // A call of its own may hold a list of this name.
    const own = recognize({ ...value, [name]: null });
    if (own === null && recognize(first) !== null) return items;
  }
  return null;
}

/** Labels are the truth of a test set: no analysis may ever see them. */
export function withoutLabels(record: Json): Json {
  if (!isJsonObject(record) || !('labels' in record)) return record;
  const { labels: _labels, ...rest }: JsonObject = record;
  return rest;
}
