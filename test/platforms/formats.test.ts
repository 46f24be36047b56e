import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { Json } from '../../src/domain/json.ts';
import { readRecord } from '../../src/platforms/file/reader.ts';
import { cutIntoCalls } from '../../src/platforms/formats/cut.ts';
import { givenIn, handOver } from '../../src/platforms/formats/handed-over.ts';
import { FORMATS, recognize } from '../../src/platforms/formats/registry.ts';
import { UnreadableCall } from '../../src/platforms/port.ts';

const FOLDER = new URL('formats/', import.meta.url);
const NOW_MS = Date.UTC(2026, 11, 1);

/** The calls of a file as the command line cuts them. */
function callsIn(file: string): Json[] {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  if (file.endsWith('.jsonl'))
    return cutIntoCalls(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Json),
    );
  return cutIntoCalls(file.endsWith('.json') ? JSON.parse(text) : text);
}

function outcomeOf(call: Json, roles: Record<string, string> = {}): { format: string; call: NormalisedCall } | string {
  try {
    const [told = null] = Object.keys(roles).length > 0 ? cutIntoCalls(handOver(call, { roles })) : [call];
    return readRecord(told, NOW_MS);
  } catch (error) {
    if (!(error instanceof UnreadableCall)) throw error;
    return error.message;
  }
}

/** Turns of callers, of the agent with words, calls of tools, results, keys. */
function countsOf({ turns }: NormalisedCall): string {
  const count = (isOne: (turn: (typeof turns)[number]) => boolean) => turns.filter(isOne).length;
  return [
    `c${count(({ role }) => role === 'caller')}`,
    `a${count(({ role, text }) => role === 'agent' && text !== '')}`,
    `t${count(({ toolCall }) => toolCall !== null)}`,
    `r${count(({ toolResult }) => toolResult !== null)}`,
    `k${count(({ dtmf }) => dtmf !== null)}`,
  ].join(' ');
}

const BY_CONTENT = /^content-[0-9a-f]{24}$/;
const SESSION = 'OpenAI Realtime items';

/** Each file with what it is recognized as, and of each call its id and what was understood. */
const READ: [file: string, format: string, calls: [id: string | RegExp, counts: string][]][] = [
  ['retell-call.json', 'Retell call', [['call_cedar_1', 'c1 a2 t1 r1 k1']]],
  ['retell-webhook-call-ended.json', 'Retell webhook', [['call_cedar_1', 'c1 a2 t1 r1 k1']]],
  ['retell-webhook-call-analyzed.json', 'Retell webhook', [['call_cedar_1', 'c1 a2 t1 r1 k1']]],
  [
    'retell-list-v2.json',
    'Retell call',
    [
      ['call_cedar_1', 'c1 a2 t1 r1 k1'],
      ['call_cedar_2', 'c1 a2 t1 r1 k1'],
    ],
  ],
  ['retell-list-v3-with-transcripts.json', 'Retell call', [['call_cedar_1', 'c1 a2 t1 r1 k1']]],
  ['retell-chat.json', 'Retell chat', [['chat_cedar_1', 'c1 a2 t1 r1 k0']]],
  ['retell-transcript.json', 'transcript of a Retell call', [[BY_CONTENT, 'c1 a2 t1 r1 k1']]],
  ['vapi-call.json', 'Vapi call', [[/c0de$/, 'c1 a2 t1 r1 k0']]],
  [
    'vapi-list.json',
    'Vapi call',
    [
      [/c0de$/, 'c1 a2 t1 r1 k0'],
      [/c0df$/, 'c1 a2 t1 r1 k0'],
    ],
  ],
  ['vapi-page.json', 'Vapi call', [[/c0de$/, 'c1 a2 t1 r1 k0']]],
  ['vapi-end-of-call-report.json', 'Vapi end-of-call report', [[/c0de$/, 'c1 a2 t1 r1 k0']]],
  ['vapi-end-of-call-report-2024.json', 'Vapi end-of-call report', [[/c0de$/, 'c1 a2 t1 r1 k0']]],
  ['vapi-end-of-call-report-unwrapped.json', 'Vapi end-of-call report', [[/c0de$/, 'c1 a2 t1 r1 k0']]],
  ['vapi-status-update-ended.json', 'Vapi server message', [[/c0de$/, 'c1 a2 t1 r1 k0']]],
  ['vapi-messages.json', 'messages of a Vapi call', [[BY_CONTENT, 'c1 a2 t1 r1 k0']]],
  ['elevenlabs-conversation.json', 'ElevenLabs conversation', [['conv_cedar', 'c1 a2 t1 r1 k1']]],
  [
    'elevenlabs-conversations.json',
    'ElevenLabs conversation',
    [
      ['conv_cedar', 'c1 a2 t1 r1 k1'],
      ['conv_cedar_2', 'c1 a2 t1 r1 k1'],
    ],
  ],
  ['elevenlabs-post-call-transcription.json', 'ElevenLabs post-call webhook', [['conv_cedar', 'c1 a2 t1 r1 k1']]],
  [
    'elevenlabs-call-initiation-failure.json',
    'ElevenLabs webhook of a call that did not begin',
    [['conv_cedar_3', 'c0 a0 t0 r0 k0']],
  ],
  ['elevenlabs-transcript.json', 'transcript of an ElevenLabs conversation', [[BY_CONTENT, 'c1 a2 t1 r1 k1']]],
  ['livekit-session-report-python-1.8.json', 'LiveKit session report', [['RM_cedar', 'c1 a2 t1 r1 k0']]],
  ['livekit-session-report-js-1.9.json', 'LiveKit session report', [['RM_cedar', 'c1 a2 t1 r1 k0']]],
  ['livekit-history-1.0.json', 'LiveKit chat history', [[BY_CONTENT, 'c1 a2 t1 r1 k0']]],
  ['livekit-history-1.8.json', 'LiveKit chat history', [[BY_CONTENT, 'c1 a2 t1 r1 k0']]],
  ['livekit-items.json', 'LiveKit chat history', [[BY_CONTENT, 'c1 a2 t1 r1 k0']]],
  ['pipecat-transcript.json', 'Pipecat transcript', [[BY_CONTENT, 'c1 a2 t0 r0 k0']]],
  ['pipecat-transcript-local-times.json', 'Pipecat transcript', [[BY_CONTENT, 'c1 a1 t0 r0 k0']]],
  ['pipecat-context.json', 'Pipecat context', [[BY_CONTENT, 'c1 a2 t1 r1 k0']]],
  ['pipecat-rtvi-1.0.jsonl', 'RTVI messages of Pipecat', [[BY_CONTENT, 'c1 a2 t1 r0 k0']]],
  ['pipecat-rtvi-2.3.jsonl', 'RTVI messages of Pipecat', [[BY_CONTENT, 'c1 a2 t1 r1 k0']]],
  ['openai-chat.json', 'chat messages', [['chat_cedar', 'c1 a2 t1 r1 k0']]],
  [
    'openai-chat-fine-tuning.jsonl',
    'chat messages',
    [
      [BY_CONTENT, 'c1 a2 t1 r1 k0'],
      [BY_CONTENT, 'c1 a1 t0 r0 k0'],
    ],
  ],
  ['openai-chat-messages.json', 'list of messages', [[BY_CONTENT, 'c1 a2 t1 r1 k0']]],
  ['openai-chat-log.json', 'OpenAI chat completion log', [['log_1', 'c1 a2 t0 r0 k0']]],
  ['openai-responses.json', 'OpenAI Responses answer', [['conv_oai_1', 'c1 a1 t1 r1 k0']]],
  ['openai-conversation-items.json', 'OpenAI conversation items', [[BY_CONTENT, 'c1 a1 t1 r1 k0']]],
  ['openai-realtime-items.json', SESSION, [['sess_cedar', 'c1 a2 t1 r1 k0']]],
  ['openai-realtime-items-beta.json', SESSION, [['sess_cedar', 'c1 a2 t1 r1 k0']]],
  ['openai-realtime-items-without-words.json', SESSION, [['sess_cedar_2', 'c1 a2 t1 r1 k0']]],
  ['openai-realtime-events.jsonl', 'OpenAI Realtime events', [['sess_cedar', 'c1 a2 t1 r1 k0']]],
  ['openai-realtime-events-beta.jsonl', 'OpenAI Realtime events', [['sess_beta', 'c1 a1 t0 r0 k0']]],
  ['anthropic-messages.json', 'Anthropic messages', [['ant_1', 'c1 a2 t1 r1 k0']]],
  ['anthropic-messages-with-answer.json', 'Anthropic messages', [['ant_2', 'c1 a1 t1 r1 k0']]],
  ['gemini-contents.json', 'Gemini messages', [['gem_1', 'c1 a1 t1 r1 k0']]],
  ['gemini-history.json', 'Gemini messages', [[BY_CONTENT, 'c1 a1 t0 r0 k0']]],
  ['twilio-conversation-relay.jsonl', 'Twilio ConversationRelay messages', [[/^CA0+1$/, 'c2 a2 t0 r0 k1']]],
  [
    'twilio-conversation-relay-received-only.jsonl',
    'Twilio ConversationRelay messages',
    [[/^CA0+2$/, 'c1 a0 t0 r0 k0']],
  ],
  [
    'twilio-intelligence-with-participants.json',
    'Twilio Conversational Intelligence transcript',
    [[/^GT0+1$/, 'c1 a1 t0 r0 k0']],
  ],
  ['twilio-real-time-transcription.jsonl', 'Twilio real-time transcription events', [['CA3', 'c1 a1 t0 r0 k0']]],
  ['contact-lens-voice.json', 'Amazon Connect Contact Lens', [['contact-cedar-1', 'c1 a1 t0 r0 k0']]],
  ['contact-lens-chat.json', 'Amazon Connect Contact Lens', [['contact-cedar-2', 'c1 a1 t0 r0 k0']]],
  ['contact-lens-real-time.json', 'Amazon Connect Contact Lens, real time', [['contact-cedar-3', 'c1 a1 t0 r0 k0']]],
  ['transcribe-call-analytics.json', 'Amazon Connect Contact Lens', [['cedar-1', 'c1 a1 t0 r0 k0']]],
  ['post-call-analytics.json', 'Amazon Transcribe post-call analytics', [['pca-cedar', 'c1 a1 t0 r0 k0']]],
  ['ccai-transcript.json', 'Google CCAI transcript', [[BY_CONTENT, 'c1 a1 t0 r0 k0']]],
  ['ccai-conversation.json', 'Google CCAI conversation', [['cedar-1', 'c1 a1 t0 r0 k0']]],
  ['ccai-export.json', 'Google CCAI export', [['cedar-2', 'c1 a1 t0 r0 k0']]],
  ['genesys-transcript.json', 'Genesys Cloud transcript', [[/^c3a1/, 'c1 a1 t0 r0 k0']]],
  ['azure-conversation.json', 'Azure conversation', [['az_1', 'c1 a1 t0 r0 k0']]],
  ['vcon-0.0.2.json', 'vCon', [['vcon-cedar', 'c1 a1 t0 r0 k0']]],
  ['speakers.vtt', 'WebVTT file', [[BY_CONTENT, 'c1 a1 t0 r0 k0']]],
  ['speakers.srt', 'SubRip (SRT) file', [[BY_CONTENT, 'c1 a1 t0 r0 k0']]],
  ['deepgram-voice-agent.jsonl', 'Deepgram Voice Agent events', [['fc553ec9', 'c1 a2 t1 r1 k0']]],
  ['elevenlabs-client-events.jsonl', 'ElevenLabs client events', [['conv_5', 'c1 a2 t1 r0 k0']]],
  ['livekit-session-events.jsonl', 'LiveKit session events', [[BY_CONTENT, 'c1 a1 t1 r1 k0']]],
  ['gemini-live.jsonl', 'Gemini Live messages', [[BY_CONTENT, 'c1 a1 t1 r1 k0']]],
  ['openai-thread-messages.json', 'OpenAI thread messages', [['thread_1', 'c1 a1 t0 r0 k0']]],
  ['bedrock-converse.json', 'chat messages', [[BY_CONTENT, 'c1 a2 t1 r1 k0']]],
  ['connect-chat-transcript.json', 'Amazon Connect Contact Lens', [['ct1', 'c1 a1 t0 r0 k0']]],
  ['ccai-agent-assist-messages.json', 'chat messages', [[BY_CONTENT, 'c1 a1 t0 r0 k0']]],
  ['transcript.txt', 'transcript as text', [[BY_CONTENT, 'c1 a2 t0 r0 k0']]],
  ['bracketed-times.txt', 'transcript as text', [[BY_CONTENT, 'c1 a2 t0 r0 k0']]],
  ['named-blocks.txt', 'transcript as text', [[BY_CONTENT, 'c1 a2 t0 r0 k0']]],
  ['n8n-vapi-end-of-call-report.json', 'Vapi end-of-call report', [[/c0de$/, 'c1 a2 t1 r1 k0']]],
  ['vapi-chat.json', 'Vapi chat', [['chat_1', 'c2 a2 t0 r0 k0']]],
  ['retell-llm-websocket.jsonl', 'messages of Retell’s LLM WebSocket', [['call_ws_1', 'c2 a2 t0 r0 k0']]],
  ['elevenlabs-simulation.json', 'ElevenLabs simulation', [[BY_CONTENT, 'c1 a2 t1 r1 k0']]],
  ['openai-agents-realtime-history.json', 'OpenAI items', [[BY_CONTENT, 'c1 a2 t1 r1 k0']]],
  ['livekit-timed.json', 'list of messages', [[BY_CONTENT, 'c1 a2 t0 r0 k0']]],
  [
    'genesys-notifications.jsonl',
    'Genesys Cloud transcription notifications',
    [
      ['c3a1', 'c1 a2 t0 r0 k0'],
      ['c3a1-b', 'c1 a2 t0 r0 k0'],
    ],
  ],
  ['google-conversation-events.jsonl', 'Google conversation events', [['cv9', 'c1 a2 t0 r0 k0']]],
  [
    'amazon-lex-v2-log.jsonl',
    'Amazon Lex conversation log',
    [
      ['lex-77', 'c2 a2 t0 r0 k0'],
      ['lex-77-b', 'c2 a2 t0 r0 k0'],
    ],
  ],
  ['dialogflow-cx-conversation.json', 'Dialogflow CX conversation', [['c9', 'c2 a2 t0 r0 k0']]],
  ['openai-stored-chat.json', 'OpenAI stored chat', [[BY_CONTENT, 'c1 a2 t0 r0 k0']]],
  ['langfuse-trace.json', 'logged model request', [['tr1', 'c1 a2 t0 r0 k0']]],
  ['langsmith-run.json', 'logged model request', [['run1', 'c1 a2 t0 r0 k0']]],
  ['nova-sonic-events.json', 'Amazon Nova Sonic events', [['ns-1', 'c1 a1 t1 r0 k0']]],
  ['bland-call.json', 'Bland AI call', [['c8114e52-1d4b-4a4b-9c55-f0b3a1d2f0aa', 'c2 a2 t0 r0 k0']]],
  ['ultravox-messages.json', 'Ultravox messages', [[BY_CONTENT, 'c2 a2 t1 r1 k0']]],
  ['hume-evi-chat.json', 'Hume EVI chat', [['470a49f6-1dec-4afe-8b61-035d3b2d63b0', 'c2 a2 t0 r0 k0']]],
  ['rasa-tracker.json', 'Rasa tracker', [['caller-77', 'c2 a2 t0 r0 k0']]],
];

/** Files whose speakers nobody knows without being told, and how they are told. */
const TOLD: [file: string, format: string, roles: Record<string, string>][] = [
  ['assemblyai-speakers.json', 'AssemblyAI transcript', { A: 'agent', B: 'caller' }],
  ['assemblyai-sentences.json', 'AssemblyAI sentences', { A: 'agent', B: 'caller' }],
  ['deepgram-utterances.json', 'Deepgram transcript', { 0: 'agent', 1: 'caller' }],
  ['deepgram-multichannel.json', 'Deepgram transcript', { 0: 'agent', 1: 'caller' }],
  ['deepgram-paragraphs.json', 'Deepgram transcript', { 0: 'agent', 1: 'caller' }],
  ['azure-batch-v3.1.json', 'Azure batch transcription', { 0: 'agent', 1: 'caller' }],
  ['azure-batch-v3.2-speakers.json', 'Azure batch transcription', { 1: 'agent', 2: 'caller' }],
  ['azure-fast.json', 'Azure fast transcription', { 1: 'agent', 2: 'caller' }],
  ['transcribe-speakers.json', 'Amazon Transcribe', { spk_0: 'agent', spk_1: 'caller' }],
  ['transcribe-2023.json', 'Amazon Transcribe', { spk_0: 'agent', spk_1: 'caller' }],
  ['twilio-intelligence-sentences.json', 'Twilio Conversational Intelligence transcript', { 1: 'agent', 2: 'caller' }],
  ['whisperx-speakers.json', 'record with turns', { SPEAKER_00: 'agent', SPEAKER_01: 'caller' }],
  ['twilio-conversations-messages.json', 'chat messages', { '+15550133': 'caller' }],
  ['google-speech-speakers.json', 'Google Speech-to-Text', { 1: 'agent', 2: 'caller' }],
  [
    'azure-communication-transcription.jsonl',
    'Azure Communication Services transcription',
    { '8:acs:bot': 'agent', '4:+15550100111': 'caller' },
  ],
  ['speechmatics-speakers.json', 'Speechmatics transcript', { S1: 'agent', S2: 'caller' }],
  ['deepgram-live-channels.jsonl', 'Deepgram live transcript', { 0: 'agent', 1: 'caller' }],
  ['named-speakers.vtt', 'WebVTT file', { 'Nina Vale': 'agent', 'tom hart': 'caller' }],
  ['named-speakers.txt', 'transcript as text', { 'Nina Vale': 'agent', 'tom hart': 'caller' }],
];

/** Files that are recognized and hold no call that can be read, and what their refusal says to do. */
const ADVISED: [file: string, advice: string][] = [
  ['retell-webhook-call-started.json', 'import `call_ended` or `call_analyzed`'],
  ['retell-webhook-transfer-bridged.json', 'import `call_ended` or `call_analyzed`'],
  ['assemblyai-streaming.jsonl', 'speaker_labels=true'],
  ['vapi-status-update-in-progress.json', 'import `end-of-call-report`'],
  ['vapi-conversation-update.json', 'import `end-of-call-report`'],
  ['elevenlabs-post-call-audio.json', 'import `post_call_transcription`'],
  ['elevenlabs-list.json', 'GET /v1/convai/conversations/{conversation_id}'],
  ['livekit-webhook.json', 'import the session report'],
  ['openai-chat-completion.json', 'import the messages of the whole conversation'],
  ['twilio-intelligence-transcript.json', 'GET /v2/Transcripts/{sid}/Sentences'],
  ['genesys-conversation.json', 'transcripturl'],
  ['deepgram-without-speakers.json', 'diarize=true&utterances=true'],
  ['assemblyai-without-speakers.json', '`speaker_labels: true`'],
  ['whisper-verbose.json', 'does not say who speaks'],
  ['without-speakers.vtt', 'do not say who speaks'],
  ['otlp-traces.json', '/otlp/v1/traces'],
  ['assemblyai-webhook.json', 'GET /v2/transcript/{transcript_id}'],
  ['twilio-intelligence-webhook.json', 'GET /v2/Transcripts/{transcript_sid}/Sentences'],
  ['transcribe-event.json', 'S3 bucket'],
  ['transcribe-job.json', 'TranscriptFileUri'],
  ['azure-batch-job.json', '`links.files`'],
  ['retell-llm-websocket-message.json', 'all messages of a call make one'],
];

/** Some calls of these can be read and others not. */
const MIXED = ['retell-list-v3.json', 'vapi-server-messages.jsonl'];

describe('every format that is read', () => {
  test.each(READ)('%s is %s', (file, format, expected) => {
    const found = callsIn(file).map((call) => outcomeOf(call));
    expect(found.map((one) => (typeof one === 'string' ? one : one.format))).toEqual(expected.map(() => format));
    for (const [at, [id, counts]] of expected.entries()) {
      const one = found[at];
      if (one === undefined || typeof one === 'string') throw new Error('It was refused.');
      expect(countsOf(one.call)).toBe(counts);
      expect(one.call.providerCallId).toMatch(id);
    }
  });

  test.each(TOLD)('%s is %s, once it is said who is who', (file, format, roles) => {
    const [call = null] = callsIn(file);
    expect(outcomeOf(call)).toContain(`Say it, as in --role "${Object.keys(roles)[0]}=agent"`);
    const found = outcomeOf(call, roles);
    if (typeof found === 'string') throw new Error(found);
    expect(found.format).toBe(format);
    expect(found.call.turns[0]?.role).toBe('agent');
    expect(found.call.turns[1]?.role).toBe('caller');
  });

  test.each(ADVISED)('%s is recognized, and its refusal says what to import', (file, advice) => {
    for (const call of callsIn(file)) expect(outcomeOf(call)).toContain(advice);
  });

  test.each<[string, (body: Json) => Json]>([
    ['a request that n8n keeps', (body) => [{ headers: { host: 'a' }, params: {}, query: {}, body }]],
    [
      'an event of a function behind a gateway',
      (body) => ({ headers: {}, httpMethod: 'POST', body: btoa(JSON.stringify(body)), isBase64Encoded: true }),
    ],
    ['a notification of SNS', (body) => ({ Type: 'Notification', TopicArn: 'arn', Message: JSON.stringify(body) })],
    [
      'a pushed message of Pub/Sub',
      (body) => ({ subscription: 'projects/p/subscriptions/s', message: { data: btoa(JSON.stringify(body)) } }),
    ],
    ['an event of a bus', (body) => ({ 'detail-type': 'call', source: 'own.calls', detail: body })],
  ])('a call inside of %s is read like the call', (_, wrapped) => {
    const call = { id: 'w1', messages: [{ role: 'user', content: 'Are you open?' }] };
    expect(cutIntoCalls(wrapped(call)).map((one) => outcomeOf(one))).toEqual([outcomeOf(call)]);
  });

  test('a line of a transcript that ends with a time begins no turn', () => {
    const found = outcomeOf('Agent: We can do\nnext Friday 10:30\nCaller: Fine.');
    if (typeof found === 'string') throw new Error(found);
    expect(found.call.turns.map(({ text }) => text)).toEqual(['We can do next Friday 10:30', 'Fine.']);
  });

  test('a list of messages with what is said about it is wrapped once', () => {
    const said = [
      { speaker: 'Nina', text: 'Hello.' },
      { speaker: 'Tom', text: 'Hi.' },
    ];
    const roles = { Nina: 'agent', Tom: 'caller' };
    const calls = cutIntoCalls(handOver(said, { name: 'list', roles }));
    expect(calls).toEqual([handOver(said, { name: 'list', roles })]);
    expect(outcomeOf(calls[0] ?? null)).toMatchObject({
      call: { providerCallId: 'list', turns: [{ role: 'agent' }, { role: 'caller' }] },
    });
  });

  test('an item of a list without words is refused, and one that never connected has none to lack', () => {
    const [listed = null, unreached = null] = callsIn('retell-list-v3.json');
    expect(outcomeOf(listed)).toContain('GET /v2/get-call/{call_id}');
    expect(outcomeOf(unreached)).toMatchObject({ call: { turns: [], disconnectionReason: 'dial_no_answer' } });
  });

  test('of a log of server messages the report is the call', () => {
    const found = callsIn('vapi-server-messages.jsonl').map((call) => outcomeOf(call));
    expect(found.map((one) => (typeof one === 'string' ? 'refused' : one.format))).toEqual([
      'refused',
      'refused',
      'Vapi end-of-call report',
    ]);
  });

  test('parts of a message that nobody knows are words that are missing, and no silence', () => {
    const messages = [
      { role: 'user', content: [{ audioUrl: 'https://example.com/a.wav' }] },
      { role: 'assistant', content: 'It is cancelled.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
    ];
    const found = outcomeOf({ id: 'a', messages });
    if (typeof found === 'string') throw new Error(found);
    expect(found.call.turns.map(({ wordsMissing }) => wordsMissing === true)).toEqual([true, false, false]);
  });

  test.each([
    ['lines of one speaker', (lines: string[]) => `Agent: Hello.\n${lines.join('\n')}\nCaller: Bye.\nAgent: Bye.`],
    ['lines of one cue', (lines: string[]) => `WEBVTT\n\n00:01.000 --> 00:02.000\n<v Agent>Hi\n${lines.join('\n')}`],
    [
      'cues that name nobody',
      (lines: string[]) =>
        `WEBVTT\n\n00:01.000 --> 00:02.000\n<v Agent>Hi\n\n${lines.map((line) => `00:02.000 --> 00:03.000\n${line}`).join('\n\n')}`,
    ],
  ])('%s are joined in steps that grow with the text and no faster', (_, fileOf) => {
    const stepsFor = (count: number) => {
      const text = fileOf(Array.from({ length: count }, () => 'and so on'));
      const trim = String.prototype.trim;
      let copied = 0;
      const spied = vi.spyOn(String.prototype, 'trim').mockImplementation(function (this: string) {
        copied += this.length;
        return trim.call(this);
      });
      const read = outcomeOf(text);
      spied.mockRestore();
      if (typeof read === 'string') throw new Error(read);
      expect(read.call.turns[0]?.text.length).toBeGreaterThan(count * 9);
      return copied;
    };
    expect(stepsFor(4000) / stepsFor(1000)).toBeLessThan(5);
  });

  test('every example is read by a test, and every format has one', () => {
    const named = [
      ...READ.map(([file]) => file),
      ...TOLD.map(([file]) => file),
      ...ADVISED.map(([file]) => file),
      ...MIXED,
    ];
    expect(readdirSync(FOLDER).toSorted()).toEqual(named.toSorted());
    const shown = new Set(readdirSync(FOLDER).flatMap(callsIn).map(formatOf));
    const unshown = [...new Set(FORMATS.map(({ name }) => name))].filter(
      (name) => !shown.has(name) && !SINGLE.test(name),
    );
    expect(unshown).toEqual([]);
  });
});

/** Pieces of a call that are recognized only so that their refusal says so, and records that have tests of their own. */
const SINGLE =
  /^(message$|event of a voice session$|OpenAI Realtime event|RTVI message of Pipecat|Twilio ConversationRelay message|Twilio webhook|Amazon Transcribe segment|text|Earshot record|Vapi artifact|ElevenLabs webhook|OpenAI Responses log|address of|item of a list of Amazon)/;

const formatOf = (call: Json) => recognize(givenIn(call).value)?.name ?? 'none';
