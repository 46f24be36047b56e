import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { asObject, given, numberOf, objectsIn, textOf } from '../values.ts';
import { clockMs } from './clock.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given } from './format.ts';
import { present, text } from './marks.ts';

/** A log or a topic to which a tool writes what is said, call by call or of many calls at once. */
interface Log {
  format: string;
  /** True of an event of it, whatever the event tells. */
  holds(event: JsonObject): boolean;
  /** The call of an event; null where it names none. */
  callOf(event: JsonObject): string | null;
  entriesOf(event: JsonObject): JsonObject[];
  fieldsOf(event: JsonObject): JsonObject;
  marks: Format['marks'];
}

const message = (event: JsonObject) => asObject(event.newMessagePayload ?? event.new_message_payload);
const topic = (event: JsonObject) => asObject(event.eventBody);
const lastPart = (name: Json | undefined) => textOf(name)?.split('/').at(-1) ?? null;

const LOGS: readonly Log[] = [
  {
    format: 'Genesys Cloud transcription notifications',
    marks: { '[].eventBody.conversationId': text, '[].topicName|[].eventBody.transcripts': present },
    holds: (event) => isJsonObject(event.eventBody) && Array.isArray(event.eventBody.transcripts),
    callOf: (event) => textOf(topic(event).conversationId),
    entriesOf: (event) =>
      objectsIn(topic(event).transcripts)
        .filter(({ isFinal }) => isFinal !== false)
        .map((said) => {
          const [best = {}] = objectsIn(said.alternatives);
          const startMs = numberOf(best.offsetMs);
          const lastsMs = numberOf(best.durationMs);
          return {
            speaker: said.channel ?? null,
            text: best.decoratedTranscript ?? best.transcript ?? null,
            startMs,
            endMs: startMs === null || lastsMs === null ? null : startMs + lastsMs,
          };
        }),
    fieldsOf: (event) => ({
      startedAt: topic(event).sessionStartTimeMs ?? null,
      language: objectsIn(topic(event).transcripts)[0]?.dialect ?? null,
      channel: 'voice',
    }),
  },
  {
    format: 'Google conversation events',
    marks: { '[].conversation': text, '[].newMessagePayload|[].new_message_payload|[].type': present },
    holds: (event) =>
      typeof event.conversation === 'string' &&
      ('newMessagePayload' in event ||
        'new_message_payload' in event ||
        'newRecognitionResultPayload' in event ||
        /^(CONVERSATION_(STARTED|FINISHED)|HUMAN_INTERVENTION_NEEDED|UNRECOVERABLE_ERROR)/.test(
          textOf(event.type) ?? '',
        )),
    callOf: (event) => lastPart(event.conversation),
    entriesOf: (event) => {
      const said = message(event);
      const words = said.content ?? null;
      if (words === null) return [];
      const speaker = said.participantRole ?? said.participant_role ?? null;
      return [{ speaker, text: words, ...given({ timestamp: said.createTime ?? said.create_time }) }];
    },
    fieldsOf: (event) => ({ language: message(event).languageCode ?? message(event).language_code ?? null }),
  },
  {
    format: 'Amazon Lex conversation log',
    marks: { '[].inputTranscript': present, '[].sessionId|[].userId': text },
    holds: (event) =>
      'inputTranscript' in event && ('bot' in event || 'botName' in event) && !('invocationSource' in event),
    callOf: (event) => textOf(event.sessionId) ?? textOf(event.userId),
    entriesOf: (event) => {
      const answers = objectsIn(event.messages).map(({ content }) => textOf(content));
      const answer = [...answers, textOf(event.botResponse)].filter((one) => one !== null && one !== '').join(' ');
      return [
        ...(textOf(event.inputTranscript) ? [{ role: 'user', text: event.inputTranscript ?? null }] : []),
        ...(answer === '' ? [] : [{ role: 'agent', text: answer }]),
      ];
    },
    fieldsOf: (event) => ({
      startedAt: event.timestamp ?? null,
      language: textOf(asObject(event.bot).localeId)?.replace('_', '-') ?? null,
      channel: event.inputMode === 'Speech' || event.inputDialogMode === 'Speech' ? 'voice' : 'text',
    }),
  },
];

const logOf = (event: Json): Log | null => (isJsonObject(event) && LOGS.find(({ holds }) => holds(event))) || null;

/** Whether a value is an entry of such a log, and no call of its own. */
export const isLogged = (event: JsonObject): boolean => logOf(event) !== null;

/** The call that an entry of such a log is of; null for what is none. */
export const loggedCall = (event: Json): string | null =>
  isJsonObject(event) ? (logOf(event)?.callOf(event) ?? null) : null;

export const CONVERSATION_LOGS: readonly Format[] = LOGS.flatMap((log): Format[] => [
  {
    name: log.format,
    marks: log.marks,
    unless: (value) => !objectsIn(value).some(log.holds),
    read: (call) => readLog(call, log, objectsIn(call.value)),
  },
  {
    name: log.format,
    marks: { '': { what: 'an entry of the log', holds: (value) => isJsonObject(value) && log.holds(value) } },
    read: (call) => readLog(call, log, objectsIn([call.value])),
  },
]);

/** Entries in the order of their own times, where each has one: a topic promises none. */
function readLog(call: Given, log: Log, events: readonly JsonObject[]) {
  const own = events.filter(log.holds);
  const entries = own.flatMap(log.entriesOf);
  const at = (entry: JsonObject) => numberOf(entry.startMs) ?? clockMs(entry.timestamp) ?? Number.NaN;
  const isTimed = entries.every((entry) => !Number.isNaN(at(entry)));
  const [first = {}] = own;
  const fields = given({ ...log.fieldsOf(first), id: log.callOf(first) });
  return conversationOf(
    { ...call, value: {} },
    { list: '', entries: isTimed ? entries.toSorted((a, b) => at(a) - at(b)) : entries, fields },
  );
}
