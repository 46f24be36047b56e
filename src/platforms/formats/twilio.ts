import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { parseJson } from '../../domain/parse-json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, given, numberOf, objectsIn, textOf } from '../values.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { like, list, oneOf, present, text } from './marks.ts';

const RELAY = oneOf('setup', 'prompt', 'dtmf', 'interrupt');
const SENT = new Set([
  'setup',
  'prompt',
  'dtmf',
  'interrupt',
  'error',
  'text',
  'play',
  'sendDigits',
  'language',
  'end',
  'info',
]);

/** Twilio's ConversationRelay, its transcripts and its webhooks; Telnyx writes the first in the same way. */
export const TWILIO: readonly Format[] = [
  {
    name: 'Twilio ConversationRelay messages',
    marks: { '[].type': text },
    unless: (value) => !isRelay(objectsIn(value)),
    read: (call) => relay(call, objectsIn(call.value), ''),
  },
  {
    name: 'Twilio ConversationRelay messages',
    marks: { 'messages|events': list },
    unless: (value) => !isRelay(objectsIn(asObject(value).messages ?? asObject(value).events)),
    read(call) {
      const name = Array.isArray(asObject(call.value).messages) ? 'messages' : 'events';
      return relay(call, objectsIn(asObject(call.value)[name]), name);
    },
  },
  {
    name: 'Twilio ConversationRelay message',
    marks: { type: RELAY, 'sessionId|voicePrompt|digit|utteranceUntilInterrupt': present },
    read() {
      throw new UnreadableCall(
        'One ConversationRelay message is no call: all messages of a session make one, with the `text` that your server sent, as lines of a file or as `{"id", "messages": […]}`.',
        'type',
      );
    },
  },
  {
    name: 'Twilio Conversational Intelligence transcript',
    marks: {
      sentences: list,
      'sentences.[].transcript': present,
      'sentences.[].media_channel|sentences.[].mediaChannel': present,
    },
    read: (call) => intelligence(call, asObject(call.value)),
  },
  {
    name: 'Twilio Conversational Intelligence transcript',
    marks: { '[].media_channel|[].mediaChannel': present, '[].transcript': text },
    read: (call) => intelligence({ ...call, value: { sentences: call.value } }, { sentences: call.value }),
  },
  {
    name: 'Twilio Conversational Intelligence transcript',
    marks: { sid: like('a Twilio transcript', /^GT[0-9a-f]{32}$/i), 'service_sid|serviceSid|links': present },
    read() {
      throw new UnreadableCall(
        'A Twilio transcript resource holds no sentences: import what `GET /v2/Transcripts/{sid}/Sentences` gives, or both as one object with `sentences` beside `channel`.',
        'sentences',
      );
    },
  },
  {
    name: 'Twilio real-time transcription events',
    marks: { '[].TranscriptionEvent': text },
    read: (call) => realTime(call, objectsIn(call.value)),
  },
  {
    name: 'Twilio webhook',
    marks: { CallSid: text, 'CallStatus|RecordingSid|TranscriptionEvent|AccountSid': present },
    read() {
      throw new UnreadableCall(
        'One Twilio webhook is no call: import the Conversational Intelligence transcript (`GET /v2/Transcripts/{sid}/Sentences`), or all `transcription-content` events of a call as lines of a file.',
        'CallSid',
      );
    },
  },
];

const isRelay = (messages: readonly JsonObject[]) =>
  messages.some(({ type, voicePrompt, sessionId, callSid }) =>
    type === 'prompt' ? voicePrompt !== undefined : type === 'setup' && (sessionId ?? callSid) !== undefined,
  ) && messages.every(({ type }) => SENT.has(textOf(type ?? null) ?? ''));

function relay(call: Given, messages: readonly JsonObject[], name: string): Reading {
  const setup = messages.find(({ type }) => type === 'setup') ?? {};
  const entries: JsonObject[] = [];
  let open: 'prompt' | 'text' | null = null;
  for (const message of messages) {
    const last = entries.at(-1);
    if (message.type === 'prompt') {
      const words = { role: 'user', text: message.voicePrompt ?? null, ...given({ timestamp: message.timestamp }) };
      // What was only heard so far is replaced by what was heard in the end.
      if (open === 'prompt') entries.splice(-1, 1, words);
      else entries.push(words);
      open = message.last === false ? 'prompt' : null;
    } else if (message.type === 'text') {
      const token = textOf(message.token ?? null) ?? textOf(message.text ?? null) ?? '';
      if (open === 'text' && last !== undefined) last.text = `${textOf(last.text ?? null) ?? ''}${token}`;
      else entries.push({ role: 'assistant', text: token, ...given({ timestamp: message.timestamp }) });
      open = message.last === true ? null : 'text';
    } else {
      open = null;
      if (message.type === 'dtmf') entries.push({ type: 'dtmf', digit: message.digit ?? null });
      if (message.type === 'sendDigits') entries.push({ role: 'other', text: '', dtmf: message.digits ?? null });
      if (message.type === 'interrupt') cutOff(entries, message);
    }
  }
  const heard = entries.filter(({ text: words }) => words !== '');
  const own = asObject(call.value);
  const isOutbound = textOf(setup.direction)?.startsWith('outbound') === true;
  const fields = given({
    id: own.id ?? own.callSid ?? setup.callSid ?? setup.sessionId,
    direction: isOutbound ? 'outbound' : setup.direction,
    callerNumber: isOutbound ? setup.to : setup.from,
    channel: 'voice',
  });
  const hasAgent = heard.some(({ role }) => role === 'assistant');
  const reading = conversationOf({ ...call, value: { roles: own.roles ?? null } }, { list: name, entries, fields });
  if (reading.as !== 'record') return reading;
  const why = 'The log holds no `text` messages: what the agent said is not recorded.';
  return {
    ...reading,
    places: [],
    record: hasAgent ? reading.record : { ...reading.record, notRecorded: ['agent'] },
    warnings: hasAgent ? reading.warnings : [...reading.warnings, why],
  };
}

/** Of what the agent was sent only the words up to the interruption were heard. */
function cutOff(entries: JsonObject[], message: JsonObject): void {
  const spoken = entries.findLast(({ role }) => role === 'assistant');
  if (spoken === undefined) return;
  spoken.interrupted = true;
  const heard = textOf(message.utteranceUntilInterrupt ?? null)?.trim() ?? '';
  if (heard !== '' && textOf(spoken.text ?? null)?.includes(heard)) spoken.text = heard;
}

/** @throws UnreadableCall where nobody says which channel is whose. */
function intelligence(call: Given, value: JsonObject): Reading {
  const participants = objectsIn(asObject(value.channel).participants);
  const roleOf = (channel: Json): Json => {
    const one = participants.find(
      (each) => String(each.channel_participant ?? each.channelParticipant) === String(channel),
    );
    const role = textOf(one?.type ?? null) ?? textOf(one?.role ?? null);
    return role === null || role.toLowerCase() === 'unknown' ? String(channel) : role;
  };
  const entries = objectsIn(value.sentences).map((sentence) => ({
    speaker: roleOf(sentence.media_channel ?? sentence.mediaChannel ?? 0),
    text: sentence.transcript ?? null,
    start: numberOf(sentence.start_time ?? sentence.startTime),
    end: numberOf(sentence.end_time ?? sentence.endTime),
  }));
  const fields = given({
    id: value.customer_key ?? value.sid ?? value.transcript_sid,
    startedAt: value.media_start_time,
    channel: 'voice',
  });
  return conversationOf({ ...call, value: { roles: value.roles ?? null } }, { list: 'sentences', entries, fields });
}

function realTime(call: Given, events: readonly JsonObject[]): Reading {
  const contents = events.filter(
    ({ TranscriptionEvent: event, Final: final }) =>
      event === 'transcription-content' && String(final ?? 'true') !== 'false',
  );
  const entries = contents.map(({ Track: track, TranscriptionData: data, Timestamp: timestamp }) => {
    const read = typeof data === 'string' ? parseJson(data) : data;
    return {
      // Of an incoming call the caller is what comes in to Twilio.
      speaker: track === 'inbound_track' ? 'caller' : track === 'outbound_track' ? 'agent' : (track ?? null),
      text: isJsonObject(read) ? (read.transcript ?? null) : (data ?? null),
      ...given({ timestamp }),
    };
  });
  const fields = given({
    id: events[0]?.CallSid,
    language: events.find(({ LanguageCode }) => LanguageCode)?.LanguageCode,
    channel: 'voice',
  });
  return conversationOf({ ...call, value: {} }, { list: '', entries, fields });
}
