import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, given, numberOf, objectsIn } from '../values.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { list, present, text } from './marks.ts';

/** Genesys Cloud's transcripts of Speech and Text Analytics. */
export const GENESYS: readonly Format[] = [
  {
    name: 'Genesys Cloud transcript',
    marks: { conversationId: text, transcripts: list },
    read: (call) => transcript(call, asObject(call.value)),
  },
  {
    name: 'Genesys Cloud transcript',
    marks: { transcriptId: text, phrases: list },
    read: (call) => transcript(call, { transcripts: [call.value] }),
  },
  {
    name: 'Genesys Cloud conversation',
    marks: {
      'conversationId|id': text,
      participants: list,
      'participants.[].sessions|participants.[].calls|conversationStart': present,
    },
    read() {
      throw new UnreadableCall(
        'A Genesys Cloud conversation holds no words: import what the address of `GET /api/v2/speechandtextanalytics/conversations/{id}/communications/{id}/transcripturl` leads to.',
        'transcripts',
      );
    },
  },
  {
    name: 'address of a Genesys Cloud transcript',
    marks: { url: text, 'conversationId|communicationId': present },
    read() {
      throw new UnreadableCall(
        'The address of a Genesys Cloud transcript is no transcript: import what it leads to.',
        'url',
      );
    },
  },
];

function transcript(call: Given, value: JsonObject): Reading {
  const phrases = objectsIn(value.transcripts).flatMap((one) => objectsIn(one.phrases));
  const times = phrases.map(({ startTimeMs }) => numberOf(startTimeMs)).filter((time) => time !== null);
  const startMs = numberOf(value.startTime) ?? Math.min(...times);
  const entries = phrases
    .toSorted((a, b) => (numberOf(a.startTimeMs) ?? 0) - (numberOf(b.startTimeMs) ?? 0))
    .map((phrase) => {
      const atMs = numberOf(phrase.startTimeMs);
      const lastsMs = numberOf(isJsonObject(phrase.duration) ? phrase.duration.milliseconds : phrase.duration);
      const fromMs = atMs === null || atMs < startMs ? null : atMs - startMs;
      return {
        speaker: phrase.participantPurpose ?? null,
        text: phrase.decoratedText ?? phrase.text ?? null,
        startMs: fromMs,
        endMs: fromMs === null || lastsMs === null ? null : fromMs + lastsMs,
      };
    });
  const language = objectsIn(value.transcripts)[0]?.language;
  const fields = given({
    id: value.conversationId,
    startedAt: value.startTime ?? (Number.isFinite(startMs) && startMs > 1e12 ? startMs : null),
    language,
    channel: value.mediaType === undefined || value.mediaType === 'call' ? 'voice' : 'text',
  });
  return conversationOf(
    { ...call, value: { roles: value.roles ?? null } },
    { list: 'transcripts[].phrases', entries, fields },
  );
}
