import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, given, numberOf, objectsIn, textOf } from '../values.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { like, list, object, oneOf, present, text } from './marks.ts';

/** What speech recognizers write: Deepgram, AssemblyAI, and those that know no speakers. */
export const RECOGNIZERS: readonly Format[] = [
  {
    name: 'Deepgram transcript',
    marks: { results: object, 'results.channels|results.utterances': list },
    read: (call) => deepgram(call, asObject(call.value)),
  },
  {
    name: 'Deepgram live transcript',
    marks: {
      '[].type': oneOf('Results', 'Metadata', 'SpeechStarted', 'UtteranceEnd'),
      '[].channel|[].channel_index|[].request_id': present,
    },
    read: (call) => live(call, objectsIn(call.value)),
  },
  {
    name: 'AssemblyAI transcript',
    marks: { utterances: list, 'audio_url|audio_duration|language_model|acoustic_model|status|words|text': present },
    read: (call) => assembly(call, asObject(call.value)),
  },
  {
    name: 'AssemblyAI sentences',
    marks: { audio_duration: present, 'sentences.[].words|paragraphs.[].words': list },
    read(call) {
      const value = asObject(call.value);
      const utterances = value.sentences ?? value.paragraphs ?? null;
      if (!objectsIn(utterances).some(({ speaker }) => (speaker ?? null) !== null)) throw withoutSpeakers();
      return assembly(call, { ...value, utterances });
    },
  },
  {
    name: 'AssemblyAI transcript',
    marks: { 'audio_url|audio_duration|acoustic_model': present, 'words|text|status': present },
    read(call) {
      const status = asObject(call.value).status;
      if (status === 'queued' || status === 'processing' || status === 'error') {
        throw new UnreadableCall(`The AssemblyAI transcript is not there: its status is \`${status}\`.`, 'status');
      }
      throw withoutSpeakers();
    },
  },
  {
    name: 'transcript without speakers',
    marks: { text: text, segments: list, 'segments.[].start': present },
    unless: (value) =>
      objectsIn(asObject(value).segments).some(({ speaker }) => speaker !== undefined && speaker !== null),
    read() {
      throw new UnreadableCall(
        'The transcript does not say who speaks: transcribe each side as a channel of its own, or with speakers told apart (`segments[].speaker`).',
        'segments[0].speaker',
      );
    },
  },
  {
    name: 'Speechmatics transcript',
    marks: {
      'metadata.transcription_config|metadata.type': present,
      'results.[].type': oneOf('word', 'punctuation', 'entity', 'speaker_change'),
      'results.[].alternatives': list,
    },
    read: (call) => speechmatics(call, asObject(call.value)),
  },
  {
    name: 'vCon',
    marks: { vcon: like('a version of vCon', /^\d/), 'parties|dialog': list },
    read: (call) => vcon(call, asObject(call.value)),
  },
];

/** @throws UnreadableCall where neither speakers nor channels were kept apart. */
function deepgram(call: Given, value: JsonObject): Reading {
  const results = asObject(value.results);
  const metadata = asObject(value.metadata);
  const channels = objectsIn(results.channels);
  const utterances = objectsIn(results.utterances);
  const separate = channels.length > 1 || (numberOf(metadata.channels) ?? 1) > 1;
  const entries = utterances.length > 0 ? utterances.map((one) => utterance(one, separate)) : spokenOf(channels);
  if (entries.length > 0 && entries.every(({ speaker }) => speaker === null)) {
    throw new UnreadableCall(
      'The Deepgram transcript keeps no speakers apart: transcribe with `diarize=true&utterances=true`, or with `multichannel=true`.',
      'results.utterances',
    );
  }
  const fields = given({
    id: metadata.request_id,
    startedAt: null,
    language: asObject(channels[0]).detected_language,
    channel: 'voice',
  });
  const ordered = entries.toSorted((a, b) => (numberOf(a.start) ?? 0) - (numberOf(b.start) ?? 0));
  const reading = conversationOf(
    { ...call, value: { roles: value.roles ?? null } },
    { list: 'results.utterances', entries: ordered, fields },
  );
  return reading;
}

const utterance = ({ channel, speaker, transcript, start, end }: JsonObject, separate: boolean): JsonObject => ({
  speaker: separate ? (channel ?? speaker ?? null) : (speaker ?? null),
  text: transcript ?? null,
  start: start ?? null,
  end: end ?? null,
});

/** Without utterances: the paragraphs of each channel, else the words of each speaker in a row. */
function spokenOf(channels: readonly JsonObject[]): JsonObject[] {
  return channels.flatMap((channel, at) => {
    const [best] = objectsIn(channel.alternatives);
    const own = channels.length > 1 ? at : null;
    const paragraphs = objectsIn(asObject(best?.paragraphs).paragraphs);
    if (paragraphs.length > 0) {
      return paragraphs.map(({ speaker, sentences, start, end }) => ({
        speaker: own ?? speaker ?? null,
        text: objectsIn(sentences)
          .map((sentence) => textOf(sentence.text ?? null) ?? '')
          .join(' '),
        start: start ?? null,
        end: end ?? null,
      }));
    }
    return inRows(objectsIn(best?.words), own);
  });
}

const PAUSE_S = 1.5;

/** Words in a row of one speaker are a turn; times are seconds. */
export function inRows(words: readonly JsonObject[], own: number | null): JsonObject[] {
  const rows: (JsonObject & { text: string })[] = [];
  for (const { speaker, word, punctuated_word: punctuated, start, end } of words) {
    const last = rows.at(-1);
    const who = own ?? speaker ?? null;
    const said = textOf(punctuated ?? word ?? null) ?? '';
    const gap = (numberOf(start) ?? 0) - (numberOf(last?.end) ?? 0);
    if (last?.speaker === who && gap < PAUSE_S) {
      last.text += ` ${said}`;
      last.end = end ?? null;
    } else rows.push({ speaker: who, text: said, start: start ?? null, end: end ?? null });
  }
  return rows;
}

function live(call: Given, messages: readonly JsonObject[]): Reading {
  const metadata = messages.find(({ type }) => type === 'Metadata') ?? {};
  const finals = messages.filter(({ type, is_final: final }) => type === 'Results' && final !== false);
  const entries = finals.flatMap(({ channel, channel_index: index, start, duration }) => {
    const [best] = objectsIn(asObject(channel).alternatives);
    const words = objectsIn(best?.words);
    const said = textOf(best?.transcript ?? null) ?? '';
    if (said === '') return [];
    const [at, of] = Array.isArray(index) ? index : [];
    const own = typeof at === 'number' && typeof of === 'number' && of > 1 ? at : null;
    if (own === null && words.some(({ speaker }) => speaker !== undefined)) return inRows(words, null);
    return [
      { speaker: own, text: said, start: start ?? null, end: (numberOf(start) ?? 0) + (numberOf(duration) ?? 0) },
    ];
  });
  if (entries.length > 0 && entries.every(({ speaker }) => speaker === null)) {
    throw new UnreadableCall(
      'The Deepgram messages keep no speakers apart: stream with `diarize=true` or `multichannel=true`.',
      'channel_index',
    );
  }
  const fields = given({ id: metadata.request_id, channel: 'voice' });
  return conversationOf({ ...call, value: {} }, { list: '', entries, fields });
}

/** @throws UnreadableCall where neither speakers nor channels were kept apart. */
function speechmatics(call: Given, value: JsonObject): Reading {
  const words: (JsonObject & { word: string })[] = [];
  for (const { type, alternatives, channel, start_time: start, end_time: end } of objectsIn(value.results)) {
    const [{ content, speaker = null } = {} as JsonObject] = objectsIn(alternatives);
    const said = textOf(content ?? null);
    const last = words.at(-1);
    if (said === null) continue;
    if (type === 'punctuation' && last) last.word += said;
    else {
      const who = channel ?? (speaker === 'UU' ? null : speaker);
      words.push({ speaker: who, word: said, start: start ?? null, end: end ?? null });
    }
  }
  if (words.length > 0 && words.every(({ speaker }) => speaker === null)) {
    throw new UnreadableCall(
      'The Speechmatics transcript keeps no speakers apart: transcribe with `diarization: "speaker"`, or with `"channel"`.',
      'results',
    );
  }
  const config = asObject(asObject(value.metadata).transcription_config);
  const fields = given({ id: asObject(value.job).id, language: config.language, channel: 'voice' });
  const entries = inRows(words, null);
  return conversationOf({ ...call, value: { roles: value.roles ?? null } }, { list: 'results', entries, fields });
}

const withoutSpeakers = () =>
  new UnreadableCall(
    'The AssemblyAI transcript keeps no speakers apart: transcribe with `speaker_labels: true` or `multichannel: true`, which gives `utterances`.',
    'utterances',
  );

function assembly(call: Given, value: JsonObject): Reading {
  const entries = objectsIn(value.utterances).map(({ speaker, channel, text: said, start, end }) => ({
    speaker: speaker ?? channel ?? null,
    text: said ?? null,
    startMs: numberOf(start),
    endMs: numberOf(end),
  }));
  const fields = given({ id: value.id, language: value.language_code, channel: 'voice' });
  return conversationOf({ ...call, value: { roles: value.roles ?? null } }, { list: 'utterances', entries, fields });
}

/** @throws UnreadableCall where the dialog is sound alone. */
function vcon(call: Given, value: JsonObject): Reading {
  const parties = objectsIn(value.parties);
  const nameOf = (dialog: JsonObject): Json => {
    const at = numberOf(
      dialog.originator ?? (Array.isArray(dialog.parties) ? (dialog.parties[0] ?? null) : dialog.parties),
    );
    const party = at === null ? undefined : parties[at];
    return party?.role ?? asObject(party?.meta).role ?? party?.name ?? party?.tel ?? (at === null ? null : String(at));
  };
  const dialogs = objectsIn(value.dialog).filter(({ type }) => type === 'text');
  const entries = dialogs.map((dialog) => ({
    speaker: nameOf(dialog),
    text: bodyOf(dialog),
    ...given({ timestamp: dialog.start }),
  }));
  if (entries.length === 0) {
    throw new UnreadableCall(
      'The vCon holds no text dialog: transcribe it, and put what was said into `dialog` as `text`, one per turn.',
      'dialog',
    );
  }
  const fields = given({ id: value.uuid, startedAt: dialogs[0]?.start ?? value.created_at });
  return conversationOf({ ...call, value: { roles: value.roles ?? null } }, { list: 'dialog', entries, fields });
}

function bodyOf({ body }: JsonObject): Json {
  if (typeof body === 'string' || !isJsonObject(body)) return body ?? null;
  return body.text ?? body.content ?? null;
}
