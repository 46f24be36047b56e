import type { Json, JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, given, numberOf, objectsIn, textOf } from '../values.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { list, number, object, present, text } from './marks.ts';

/** Amazon Connect Contact Lens, Amazon Transcribe and the post-call analytics made of it. */
export const AMAZON: readonly Format[] = [
  {
    name: 'Amazon Connect Contact Lens',
    marks: { Transcript: list, 'Participants|Channel|CustomerMetadata|ConversationCharacteristics': present },
    read: (call) => contactLens(call, asObject(call.value)),
  },
  {
    name: 'Amazon Connect Contact Lens, real time',
    marks: { Segments: list, 'Segments.[].Transcript|Segments.[].Utterance|Segments.[].Categories': present },
    read: (call) => realTime(call, asObject(call.value)),
  },
  {
    name: 'Amazon Transcribe post-call analytics',
    marks: { SpeechSegments: list, ConversationAnalytics: object },
    read: (call) => postCall(call, asObject(call.value)),
  },
  {
    name: 'Amazon Transcribe',
    marks: { results: object, 'results.transcripts': list, 'jobName|accountId|status|results.items': present },
    read: (call) => transcribe(call, asObject(call.value)),
  },
  {
    name: 'item of a list of Amazon Connect contacts',
    marks: {
      'ContactId|Contact.Id|Contact.Arn': text,
      'InitiationMethod|Contact.InitiationMethod|ContactTraceRecordsFormatVersion': present,
    },
    read() {
      throw new UnreadableCall(
        'An Amazon Connect contact record holds no words: import the Contact Lens analysis of the contact (`Transcript`), which Connect writes into your S3 bucket.',
        'Transcript',
      );
    },
  },
  {
    name: 'Amazon Transcribe segment',
    marks: { BeginOffsetMillis: number, Content: text },
    read() {
      throw new UnreadableCall(
        'One segment is no call: import the whole analysis, with `Transcript` and `Participants`.',
        'Transcript',
      );
    },
  },
  {
    name: 'Amazon Nova Sonic events',
    marks: { '[].event': object },
    unless: (value) => !objectsIn(value).some(({ event }) => asObject(event).textOutput !== undefined),
    read: (call) => novaSonic(call),
  },
];

/** What was recognized and said, in its final form: what the model only plans to say is sent again once it was said. */
function novaSonic(call: Given): Reading {
  const contents = new Map<string, { role: string | null; isPlanned: boolean }>();
  const entries = objectsIn(call.value).flatMap((line): JsonObject[] => {
    const { contentStart, textOutput, toolUse } = asObject(line.event);
    const start = asObject(contentStart);
    const fields = textOf(start.additionalModelFields ?? null) ?? '';
    const id = textOf(start.contentId ?? null);
    if (id !== null) contents.set(id, { role: textOf(start.role ?? null), isPlanned: fields.includes('SPECULATIVE') });
    const { content, contentId } = asObject(textOutput);
    const said = textOf(content ?? null);
    const of = contents.get(textOf(contentId ?? null) ?? '');
    const isMark = said?.trim().startsWith('{') === true;
    if (said !== null && of !== undefined && !of.isPlanned && !isMark)
      return [{ role: of.role?.toLowerCase() ?? null, text: said }];
    const { toolName, toolUseId, content: args } = asObject(toolUse);
    return toolName === undefined
      ? []
      : [{ role: 'assistant', text: '', toolCall: { id: toolUseId ?? null, name: toolName, args: args ?? null } }];
  });
  const session = asObject(asObject(objectsIn(call.value)[0]?.event).completionStart).sessionId;
  return conversationOf({ ...call, value: null }, { list: '', entries, fields: given({ id: session }) });
}

/** Offsets are milliseconds; chats have clock times instead. */
const entryOf = (segment: JsonObject, speaker: Json) => ({
  speaker,
  text: segment.Content ?? null,
  ...('BeginOffsetMillis' in segment
    ? { startMs: numberOf(segment.BeginOffsetMillis), endMs: numberOf(segment.EndOffsetMillis) }
    : given({ timestamp: segment.AbsoluteTime })),
});

function contactLens(call: Given, value: JsonObject): Reading {
  const roles = new Map(
    objectsIn(value.Participants).map(({ ParticipantId: id, ParticipantRole: role }) => [id, role]),
  );
  const segments = objectsIn(value.Transcript).filter(({ Type: type }) => type !== 'EVENT');
  const entries = segments.map((segment) => {
    const role = segment.ParticipantRole ?? roles.get(segment.ParticipantId) ?? segment.ParticipantId ?? null;
    // Flows and bots speak as the system.
    return entryOf(segment, role === 'SYSTEM' || role === 'CUSTOM_BOT' ? 'AGENT' : role);
  });
  const isChat = value.Channel === 'CHAT' || segments.some(({ Type: type }) => type === 'MESSAGE');
  const fields = given({
    id: asObject(value.CustomerMetadata).ContactId ?? value.ContactId ?? value.JobName,
    language: value.LanguageCode,
    channel: isChat ? 'text' : 'voice',
  });
  return conversationOf({ ...call, value: { roles: value.roles ?? null } }, { list: 'Transcript', entries, fields });
}

function realTime(call: Given, value: JsonObject): Reading {
  const said = objectsIn(value.Segments).flatMap(({ Transcript: whole }) => objectsIn([whole ?? null]));
  if (said.length === 0 && objectsIn(value.Segments).length > 0) {
    throw new UnreadableCall('The Contact Lens segments hold no `Transcript`, only pieces or categories.', 'Segments');
  }
  const entries = said.map((segment) => entryOf(segment, segment.ParticipantRole ?? segment.ParticipantId ?? null));
  return conversationOf(
    { ...call, value: {} },
    { list: 'Segments', entries, fields: given({ id: value.ContactId, channel: 'voice' }) },
  );
}

function postCall(call: Given, value: JsonObject): Reading {
  const analytics = asObject(value.ConversationAnalytics);
  const names = new Map(
    objectsIn(analytics.SpeakerLabels).map(({ Speaker: speaker, DisplayText: name }) => [speaker, name]),
  );
  const entries = objectsIn(value.SpeechSegments).map((segment) => ({
    speaker: names.get(segment.SegmentSpeaker) ?? segment.SegmentSpeaker ?? null,
    text: segment.DisplayText ?? segment.OriginalText ?? null,
    start: numberOf(segment.SegmentStartTime),
    end: numberOf(segment.SegmentEndTime),
    interrupted: segment.SegmentInterruption === true,
  }));
  const fields = given({
    id: analytics.GUID,
    startedAt: analytics.ConversationTime,
    language: analytics.LanguageCode,
    channel: 'voice',
  });
  return conversationOf(
    { ...call, value: { roles: value.roles ?? null } },
    { list: 'SpeechSegments', entries, fields },
  );
}

/** @throws UnreadableCall where the job was not told to keep speakers apart. */
function transcribe(call: Given, value: JsonObject): Reading {
  const results = asObject(value.results);
  const segments = objectsIn(results.audio_segments).filter((segment) => speakerOf(segment) !== null);
  const entries = segments.length > 0 ? segments.map(ofSegment) : ofItems(objectsIn(results.items));
  if (entries.length === 0) {
    throw new UnreadableCall(
      'Amazon Transcribe did not keep the speakers apart: run the job with `ShowSpeakerLabels` or `ChannelIdentification`, or as Call Analytics.',
      'results.speaker_labels',
    );
  }
  const fields = given({ id: value.jobName, language: results.language_code, channel: 'voice' });
  return conversationOf(
    { ...call, value: { roles: value.roles ?? null } },
    { list: 'results.audio_segments', entries, fields },
  );
}

const speakerOf = ({ speaker_label: speaker, channel_label: channel }: JsonObject) =>
  textOf(speaker ?? channel ?? null);

const ofSegment = (segment: JsonObject): JsonObject => ({
  speaker: speakerOf(segment),
  text: segment.transcript ?? null,
  start: numberOf(segment.start_time),
  end: numberOf(segment.end_time),
});

/** Words one by one: those of one speaker that follow one another are a turn. */
function ofItems(items: readonly JsonObject[]): JsonObject[] {
  const turns: (JsonObject & { text: string })[] = [];
  for (const item of items) {
    const speaker = speakerOf(item);
    const word = textOf(objectsIn(item.alternatives)[0]?.content ?? null);
    const last = turns.at(-1);
    if (word === null) continue;
    if (item.type === 'punctuation') {
      if (last) last.text += word;
    } else if (speaker === null) continue;
    else if (last?.speaker === speaker) {
      last.text += ` ${word}`;
      last.end = numberOf(item.end_time);
    } else turns.push({ speaker, text: word, start: numberOf(item.start_time), end: numberOf(item.end_time) });
  }
  return turns;
}
