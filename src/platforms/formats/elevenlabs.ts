import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, objectsIn, textOf } from '../values.ts';
import type { Format, Reading } from './format.ts';
import { list, object, oneOf, present, text } from './marks.ts';

const ASK = 'import the conversation as `GET /v1/convai/conversations/{conversation_id}` gives it';

/** Conversations as ElevenLabs' API gives them, and what its webhooks send. */
export const ELEVENLABS: readonly Format[] = [
  {
    name: 'ElevenLabs post-call webhook',
    marks: { type: oneOf('post_call_transcription', 'unredacted_transcript'), data: object },
    read: ({ value }) => payload(asObject(asObject(value).data)),
  },
  {
    name: 'ElevenLabs audio webhook',
    marks: { type: oneOf('post_call_audio', 'unredacted_audio'), data: object },
    read() {
      throw new UnreadableCall(
        `The ElevenLabs webhook \`post_call_audio\` holds sound and no words: import \`post_call_transcription\`, or ${ASK}.`,
        'type',
      );
    },
  },
  {
    name: 'ElevenLabs webhook of a call that did not begin',
    marks: { type: oneOf('call_initiation_failure'), data: object },
    read({ value }) {
      const data = asObject(asObject(value).data);
      const reason = textOf(data.failure_reason ?? null) ?? 'call_initiation_failure';
      const metadata = {
        ...asObject(data.metadata),
        phone_call: { direction: 'outbound', call_result: resultOf(reason) },
      };
      return { as: 'elevenlabs', payload: { ...data, status: 'failed', transcript: [], metadata } };
    },
  },
  {
    name: 'ElevenLabs webhook',
    marks: { type: text, event_timestamp: present, data: object, 'data.conversation_id': present },
    read({ value }) {
      throw new UnreadableCall(
        `The ElevenLabs webhook \`${textOf(asObject(value).type ?? null) ?? ''}\` holds no conversation: import \`post_call_transcription\`, or ${ASK}.`,
        'type',
      );
    },
  },
  {
    name: 'ElevenLabs conversation',
    marks: { 'conversation_id|agent_id': present, transcript: list, 'metadata|analysis|status|has_audio': present },
    unless: (value) => 'call_id' in asObject(value) || !isOfElevenLabs(asObject(value).transcript),
    read: ({ value }) => payload(asObject(value)),
  },
  {
    name: 'ElevenLabs simulation',
    marks: { simulated_conversation: list },
    read: ({ value }) => ({
      as: 'elevenlabs',
      payload: {
        transcript: asObject(value).simulated_conversation ?? [],
        analysis: asObject(value).analysis ?? null,
        status: 'done',
      },
      warnings: ['A simulation: a language model played the caller.'],
    }),
  },
  {
    name: 'item of a list of ElevenLabs conversations',
    marks: { conversation_id: present, agent_id: present, start_time_unix_secs: present, message_count: present },
    read() {
      throw new UnreadableCall(
        `A list of ElevenLabs conversations holds no words: ${ASK}, or connect ElevenLabs with \`earshot connect elevenlabs\`.`,
        'transcript',
      );
    },
  },
  {
    name: 'transcript of an ElevenLabs conversation',
    marks: { '[].role': oneOf('agent', 'user'), '[].time_in_call_secs': present },
    read: ({ value }) => ({ as: 'elevenlabs', payload: { transcript: value, status: 'done' } }),
  },
];

/** Lists of utterances stand under this name elsewhere too. */
const isOfElevenLabs = (transcript: Json | undefined) => {
  const [first] = objectsIn(transcript);
  return first === undefined || 'message' in first || 'tool_calls' in first || 'time_in_call_secs' in first;
};

/** @throws UnreadableCall where the webhook was told to leave the words out. */
function payload(data: JsonObject): Reading {
  if (!Array.isArray(data.transcript)) {
    const why = isJsonObject(data.otlp_traces) ? 'holds spans in place of a transcript' : 'holds no transcript';
    throw new UnreadableCall(
      `The ElevenLabs conversation ${why}: set \`transcript_format\` to \`json\` and leave the transcript in, or ${ASK}.`,
      'transcript',
    );
  }
  // A webhook is sent when the conversation is over.
  return { as: 'elevenlabs', payload: typeof data.status === 'string' ? data : { ...data, status: 'done' } };
}

const RESULTS: Readonly<Record<string, string>> = { busy: 'busy', 'no-answer': 'no_answer', no_answer: 'no_answer' };
const resultOf = (reason: string) => RESULTS[reason] ?? 'failed';
