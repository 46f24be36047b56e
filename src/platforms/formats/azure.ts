import type { JsonObject } from '../../domain/json.ts';
import { asObject, given, numberOf, objectsIn, textOf } from '../values.ts';
import { lengthMs } from './clock.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { list, present } from './marks.ts';

const TICKS_OF_MS = 10_000;

/** Azure AI Speech, batch and fast, and the conversations of Azure AI Language. */
export const AZURE: readonly Format[] = [
  {
    name: 'Azure batch transcription',
    marks: { recognizedPhrases: list },
    read: (call) => batch(call, asObject(call.value)),
  },
  {
    name: 'Azure fast transcription',
    marks: { phrases: list, 'combinedPhrases|durationMilliseconds|phrases.[].offsetMilliseconds': present },
    read: (call) => fast(call, asObject(call.value)),
  },
  {
    name: 'Azure conversation',
    marks: { conversationItems: list },
    read: (call) => items(call, asObject(call.value)),
  },
  {
    name: 'Azure Communication Services transcription',
    marks: { '[].transcriptionData|[].transcriptionMetadata': present },
    read: (call) => stream(call, objectsIn(call.value)),
  },
];

/** Speakers where they were told apart, else channels. */
const speakerOf = ({ speaker, channel }: JsonObject) => speaker ?? channel ?? null;

function batch(call: Given, value: JsonObject): Reading {
  const phrases = objectsIn(value.recognizedPhrases).filter(
    ({ recognitionStatus: status }) => status === undefined || status === 'Success',
  );
  const entries = phrases.map((phrase) => {
    const [best] = objectsIn(phrase.nBest);
    const ticks = numberOf(phrase.offsetInTicks);
    const lasted = numberOf(phrase.durationInTicks);
    const startMs =
      numberOf(phrase.offsetMilliseconds) ?? lengthMs(phrase.offset) ?? (ticks === null ? null : ticks / TICKS_OF_MS);
    const lastsMs =
      numberOf(phrase.durationMilliseconds) ??
      lengthMs(phrase.duration) ??
      (lasted === null ? null : lasted / TICKS_OF_MS);
    return {
      speaker: speakerOf(phrase),
      text: best?.display ?? best?.lexical ?? null,
      startMs,
      endMs: startMs === null || lastsMs === null ? null : startMs + lastsMs,
    };
  });
  const ordered = entries.toSorted((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0));
  const fields = given({ language: phrases[0]?.locale, channel: 'voice' });
  // The time beside it is when it was transcribed.
  return conversationOf(
    { ...call, value: { roles: value.roles ?? null } },
    { list: 'recognizedPhrases', entries: ordered, fields },
  );
}

function fast(call: Given, value: JsonObject): Reading {
  const entries = objectsIn(value.phrases).map((phrase) => {
    const startMs = numberOf(phrase.offsetMilliseconds ?? phrase.offsetInMs ?? phrase.offset);
    const lastsMs = numberOf(phrase.durationMilliseconds ?? phrase.durationInMs ?? phrase.duration);
    return {
      speaker: speakerOf(phrase),
      text: phrase.text ?? null,
      startMs,
      endMs: startMs === null || lastsMs === null ? null : startMs + lastsMs,
    };
  });
  const ordered = entries.toSorted((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0));
  const fields = given({ language: objectsIn(value.phrases)[0]?.locale, channel: 'voice' });
  return conversationOf(
    { ...call, value: { roles: value.roles ?? null } },
    { list: 'phrases', entries: ordered, fields },
  );
}

function items(call: Given, value: JsonObject): Reading {
  const entries = objectsIn(value.conversationItems).map((item) => ({
    speaker: textOf(item.role ?? null) ?? textOf(item.participantId ?? null)?.replace(/_\d+$/, '') ?? null,
    text: item.text ?? item.display ?? item.lexical ?? null,
    ...offsetsOf(item),
  }));
  const fields = given({
    id: value.id,
    language: value.language,
    channel: value.modality === 'transcript' ? 'voice' : null,
  });
  return conversationOf(call, { list: 'conversationItems', entries, fields });
}

/** Ticks, where the words of a transcript are timed. */
function offsetsOf(item: JsonObject): JsonObject {
  const timed = asObject(item.conversationItemLevelTiming);
  const offset = numberOf(timed.offset);
  const lasts = numberOf(timed.duration);
  if (offset === null) return {};
  const startMs = offset / TICKS_OF_MS;
  return { startMs, endMs: lasts === null ? null : startMs + lasts / TICKS_OF_MS };
}

function stream(call: Given, messages: readonly JsonObject[]): Reading {
  const metadata = asObject(messages.find((one) => one.transcriptionMetadata !== undefined)?.transcriptionMetadata);
  const said = messages
    .flatMap(({ transcriptionData: data }) => objectsIn([data ?? null]))
    .filter(({ resultStatus: status }) => status !== 'Intermediate');
  const entries = said.map((data) => {
    const offset = numberOf(data.offset);
    const lasts = numberOf(data.duration);
    return {
      speaker: asObject(data.participant).rawId ?? data.participantRawID ?? null,
      text: data.text ?? null,
      startMs: offset === null ? null : offset / TICKS_OF_MS,
      endMs: offset === null || lasts === null ? null : (offset + lasts) / TICKS_OF_MS,
    };
  });
  const fields = given({ id: metadata.callConnectionId, language: metadata.locale, channel: 'voice' });
  return conversationOf({ ...call, value: {} }, { list: '', entries, fields });
}
