import type { Json, JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, given, numberOf, objectsIn, textOf } from '../values.ts';
import { clockMs, lengthMs } from './clock.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { list, object, present } from './marks.ts';
import { inRows } from './recognizers.ts';

/** Google's Contact Center AI (Insights): transcripts for it, and conversations out of it. */
export const GOOGLE: readonly Format[] = [
  {
    name: 'Google CCAI transcript',
    marks: {
      entries: list,
      'entries.[].role|entries.[].user_id|entries.[].userId': present,
      'entries.[].text': present,
    },
    read: (call) => uploaded(call, asObject(call.value)),
  },
  {
    name: 'Google CCAI conversation',
    marks: { 'transcript.transcriptSegments|transcript.transcript_segments': list },
    read: (call) => conversation(call, asObject(call.value)),
  },
  {
    name: 'Google Speech-to-Text',
    marks: {
      results: list,
      'results.[].alternatives': list,
      'results.[].languageCode|results.[].resultEndTime|results.[].resultEndOffset|results.[].alternatives.[].words':
        present,
    },
    read: (call) => speech(call, objectsIn(asObject(call.value).results)),
  },
  {
    name: 'Google CCAI export',
    marks: {
      sentences: list,
      'sentences.[].sentence': present,
      'conversationName|conversation_name|sentences.[].participantRole': present,
    },
    read: (call) => exported(call, asObject(call.value)),
  },
  {
    name: 'Dialogflow CX conversation',
    marks: { interactions: list, 'interactions.[].request|interactions.[].response': object },
    read: (call) => history(call, asObject(call.value)),
  },
];

/** Interactions are listed newest first: each is what was asked, and what was answered to it. */
function history(call: Given, value: JsonObject): Reading {
  const timeOf = (interaction: JsonObject) => textOf(interaction.createTime ?? null) ?? '';
  const entries = objectsIn(value.interactions)
    .toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)))
    .flatMap(({ request, response, createTime }) => {
      const result = asObject(asObject(response).queryResult);
      const asked = textOf(asObject(asObject(asObject(request).queryInput).text).text ?? null);
      const said = asked ?? textOf(result.transcript ?? null) ?? textOf(result.text ?? null);
      const answered = objectsIn(result.responseMessages).flatMap((message) => {
        const texts = asObject(message.text).text;
        return Array.isArray(texts) ? texts.filter((one) => typeof one === 'string') : [];
      });
      const times = given({ timestamp: createTime });
      return [
        ...(said === null ? [] : [{ speaker: 'user', text: said, ...times }]),
        ...(answered.length === 0 ? [] : [{ speaker: 'agent', text: answered.join(' '), ...times }]),
      ];
    });
  const fields = given({
    id: textOf(value.name ?? null)
      ?.split('/')
      .at(-1),
    startedAt: value.startTime,
    language: value.languageCode,
  });
  return conversationOf({ ...call, value: { roles: value.roles ?? null } }, { list: 'interactions', entries, fields });
}

function uploaded(call: Given, value: JsonObject): Reading {
  const said = objectsIn(value.entries);
  const times = said.map((entry) => numberOf(entry.start_timestamp_usec ?? entry.startTimestampUsec));
  // Of clock times the first one is the start; smaller ones already count from it.
  const first = times.find((time) => time !== null) ?? 0;
  const isClock = first > 1e14;
  const startMs = isClock ? clockMs(first) : null;
  const entries = said.map((entry, at) => {
    const time = times[at] ?? null;
    return {
      speaker: entry.role ?? entry.user_id ?? entry.userId ?? null,
      text: entry.text ?? null,
      startMs: time === null ? null : Math.max(0, (time - (isClock ? first : 0)) / 1000),
      endMs: null,
    };
  });
  const fields = given({
    id: asObject(value.conversation_info).conversation_id,
    startedAt: startMs === null ? null : new Date(startMs).toISOString(),
  });
  return conversationOf(call, { list: 'entries', entries, fields });
}

function conversation(call: Given, value: JsonObject): Reading {
  const transcript = asObject(value.transcript);
  const list = 'transcriptSegments' in transcript ? 'transcriptSegments' : 'transcript_segments';
  const channels = asObject(value.callMetadata ?? value.call_metadata);
  const segments = objectsIn(transcript[list]);
  const entries = segments.map((segment) => ({
    speaker: speakerOf(segment, channels),
    text: segment.text ?? null,
    ...timesOf(segment),
  }));
  const fields = given({
    id: textOf(value.name ?? null)
      ?.split('/')
      .at(-1),
    startedAt: value.startTime ?? value.start_time ?? value.createTime,
    language: value.languageCode ?? segments[0]?.languageCode,
    channel: value.medium === 'CHAT' ? 'text' : 'voice',
  });
  return conversationOf(
    { ...call, value: { roles: value.roles ?? null } },
    { list: `transcript.${list}`, entries, fields },
  );
}

function speakerOf(segment: JsonObject, channels: JsonObject): Json {
  const participant = asObject(segment.segmentParticipant ?? segment.segment_participant);
  const role = textOf(participant.role ?? null);
  if (role !== null && role !== 'ROLE_UNSPECIFIED') return role;
  const channel = segment.channelTag ?? segment.channel_tag ?? null;
  if (channel !== null && channel === (channels.customerChannel ?? channels.customer_channel)) return 'customer';
  if (channel !== null && channel === (channels.agentChannel ?? channels.agent_channel)) return 'agent';
  return participant.userId ?? (channel === null ? null : String(channel));
}

/** A word's start is counted from the beginning of the call; without words there is a clock time. */
function timesOf(segment: JsonObject): JsonObject {
  const words = objectsIn(segment.words);
  const [first, last] = [words[0], words.at(-1)];
  const startMs = lengthMs(first?.startOffset ?? first?.start_offset);
  const endMs = lengthMs(last?.endOffset ?? last?.end_offset);
  return startMs === null ? given({ timestamp: segment.messageTime ?? segment.message_time }) : { startMs, endMs };
}

function exported(call: Given, value: JsonObject): Reading {
  const entries = objectsIn(value.sentences).map((sentence) => ({
    speaker: sentence.participantRole ?? sentence.participant_role ?? sentence.participantId ?? null,
    text: sentence.sentence ?? null,
    ...given({ timestamp: sentence.createTimeNanos ?? sentence.create_time_nanos }),
  }));
  const fields = given({
    id: textOf(value.conversationName ?? value.conversation_name ?? null)
      ?.split('/')
      .at(-1),
    startedAt: value.startTimestampUtc ?? value.start_timestamp_utc,
    language: value.languageCode ?? value.language_code,
  });
  return conversationOf({ ...call, value: { roles: value.roles ?? null } }, { list: 'sentences', entries, fields });
}

/** With speakers told apart the last result holds all words; with channels each result is of one. @throws UnreadableCall with neither */
function speech(call: Given, results: readonly JsonObject[]): Reading {
  const bestOf = (result: JsonObject | undefined) => objectsIn(result?.alternatives)[0] ?? {};
  const words = objectsIn(bestOf(results.at(-1)).words).map(({ speakerTag, speakerLabel, ...word }) => ({
    speaker: speakerLabel ?? speakerTag ?? null,
    word: word.word ?? null,
    start: seconds(word.startTime ?? word.startOffset),
    end: seconds(word.endTime ?? word.endOffset),
  }));
  const isDiarized = words.some(({ speaker }) => speaker !== null && speaker !== 0);
  const channels = new Set(results.map(({ channelTag }) => channelTag ?? null));
  if (!isDiarized && channels.size < 2) {
    throw new UnreadableCall(
      'The Google Speech-to-Text results keep no speakers apart: transcribe with `diarizationConfig`, or each side as a channel with `enableSeparateRecognitionPerChannel`.',
      'results',
    );
  }
  const entries = isDiarized
    ? inRows(words, null)
    : results
        .map((result) => ({
          speaker: result.channelTag ?? null,
          text: textOf(bestOf(result).transcript ?? null)?.trim() ?? null,
          start: seconds(objectsIn(bestOf(result).words)[0]?.startTime),
          end: seconds(result.resultEndTime ?? result.resultEndOffset),
        }))
        .toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0));
  const fields = given({ language: results[0]?.languageCode, channel: 'voice' });
  return conversationOf({ ...call, value: {} }, { list: 'results', entries, fields });
}

/** `1.200s` */
const seconds = (value: Json | undefined) => numberOf(textOf(value ?? null)?.replace(/s$/, '') ?? value);
