import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { asObject, given, numberOf, objectsIn, textOf } from '../values.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { oneOf, present } from './marks.ts';

const DEEPGRAM_AGENT = [
  'Welcome',
  'SettingsApplied',
  'ConversationText',
  'History',
  'UserStartedSpeaking',
  'AgentThinking',
  'AgentStartedSpeaking',
  'AgentAudioDone',
  'FunctionCallRequest',
  'FunctionCallResponse',
  'FunctionCallCancelled',
  'PromptUpdated',
  'SpeakUpdated',
];
const ELEVENLABS = [
  'conversation_initiation_metadata',
  'user_transcript',
  'agent_response',
  'agent_response_correction',
  'client_tool_call',
  'client_tool_result',
  'agent_tool_response',
  'vad_score',
  'internal_tentative_agent_response',
];
const LIVEKIT = [
  'user_state_changed',
  'agent_state_changed',
  'user_input_transcribed',
  'conversation_item_added',
  'function_tools_executed',
  'metrics_collected',
  'speech_created',
];
const ASSEMBLYAI = ['Begin', 'Turn', 'Termination'];
const TYPES = new Set([...DEEPGRAM_AGENT, ...ELEVENLABS, ...LIVEKIT, ...ASSEMBLYAI]);
/** Messages of Gemini's live sessions have no type; each holds one of these. */
const GEMINI = [
  'serverContent',
  'server_content',
  'setupComplete',
  'setup_complete',
  'toolCall',
  'tool_call',
  'toolResponse',
  'tool_response',
  'clientContent',
  'client_content',
];

/** Whether a value is an event of a session that one of these tools tells of, and no call of its own. */
export const isSessionEvent = (value: JsonObject): boolean =>
  (typeof value.type === 'string' && TYPES.has(value.type)) ||
  (!('type' in value) && !('role' in value) && GEMINI.some((name) => isJsonObject(value[name])));

/** Events of voice sessions, in the order in which they came: what a client or a worker logs while a call goes on. */
export const SESSION_EVENTS: readonly Format[] = [
  {
    name: 'Deepgram Voice Agent events',
    marks: { '[].type': oneOf(...DEEPGRAM_AGENT) },
    read: (call) => ofEvents(call, deepgramAgent(objectsIn(call.value))),
  },
  {
    name: 'ElevenLabs client events',
    marks: { '[].type': oneOf(...ELEVENLABS) },
    read: (call) => ofEvents(call, elevenLabs(objectsIn(call.value))),
  },
  {
    name: 'LiveKit session events',
    marks: { '[].type': oneOf(...LIVEKIT) },
    read: (call) => ofEvents(call, livekit(objectsIn(call.value))),
  },
  {
    name: 'AssemblyAI streaming messages',
    marks: { '[].type': oneOf(...ASSEMBLYAI) },
    read: (call) => ofEvents(call, assembly(objectsIn(call.value))),
  },
  {
    name: 'Gemini Live messages',
    marks: { [GEMINI.map((name) => `[].${name}`).join('|')]: present },
    unless: (value) => !objectsIn(value).some(isSessionEvent),
    read: (call) => ofEvents(call, { entries: geminiLive(objectsIn(call.value)) }),
  },
  {
    name: 'event of a voice session',
    marks: { type: oneOf(...TYPES) },
    unless: (value) => 'content' in asObject(value),
    read() {
      throw new UnreadableCall('One event is no call: all events of a session make one, as lines of a file.', 'type');
    },
  },
];

interface Session {
  entries: JsonObject[];
  id?: Json | undefined;
  closeReason?: string | null;
}

function ofEvents(call: Given, { entries, id, closeReason }: Session): Reading {
  const fields = given({ id: id ?? null, channel: 'voice', disconnectionReason: closeReason ?? null });
  const reading = conversationOf({ ...call, value: {} }, { list: '', entries, fields });
  if (reading.as !== 'record') return reading;
  return { ...reading, places: [], ...(closeReason === undefined ? {} : { closeReason }) };
}

const callOf = (id: Json | undefined, name: Json | undefined, args: Json | undefined): JsonObject => ({
  type: 'function_call',
  call_id: id ?? null,
  name: name ?? null,
  arguments: args ?? null,
});
const resultOf = (id: Json | undefined, name: Json | undefined, output: Json | undefined): JsonObject => ({
  type: 'function_call_output',
  call_id: id ?? null,
  name: name ?? null,
  output: output ?? null,
});

/** What is told as it is said, else what the history that follows it repeats. */
function deepgramAgent(events: readonly JsonObject[]): Session {
  const isTold = events.some(({ type }) => type === 'ConversationText');
  const asked = new Set(
    events.flatMap(({ type, functions }) =>
      type === 'FunctionCallRequest' ? objectsIn(functions).map(({ id }) => id) : [],
    ),
  );
  const entries = events.flatMap((event): JsonObject[] => {
    const { type, role, content } = event;
    const isText = type === 'ConversationText' || (type === 'History' && !isTold && 'role' in event);
    if (isText) return [{ role: role ?? null, text: content ?? null }];
    if (type === 'FunctionCallRequest')
      return objectsIn(event.functions).map(({ id, name, arguments: args }) => callOf(id, name, args));
    if (type === 'FunctionCallResponse') return [resultOf(event.id, event.name, content)];
    if (type !== 'History') return [];
    return objectsIn(event.function_calls)
      .filter(({ id }) => !asked.has(id ?? null))
      .flatMap(({ id, name, arguments: args, response }) => [callOf(id, name, args), resultOf(id, name, response)]);
  });
  return { entries, id: events.find(({ type }) => type === 'Welcome')?.request_id };
}

function elevenLabs(events: readonly JsonObject[]): Session {
  const entries: JsonObject[] = [];
  let id: Json | undefined;
  for (const event of events) {
    const said = (name: string) => asObject(event[name]);
    switch (textOf(event.type ?? null) ?? '') {
      case 'conversation_initiation_metadata':
        id ??= said('conversation_initiation_metadata_event').conversation_id;
        break;
      case 'user_transcript':
        entries.push({ role: 'user', text: said('user_transcription_event').user_transcript ?? null });
        break;
      case 'agent_response':
        entries.push({ role: 'agent', text: said('agent_response_event').agent_response ?? null });
        break;
      case 'agent_response_correction': {
        // The caller cut in: what was left out was never heard.
        const last = entries.findLast(({ role }) => role === 'agent');
        const text = said('agent_response_correction_event').corrected_agent_response;
        if (last !== undefined && typeof text === 'string') Object.assign(last, { text, interrupted: true });
        break;
      }
      case 'client_tool_call': {
        const { tool_call_id: callId, tool_name: name, parameters } = said('client_tool_call');
        entries.push(callOf(callId, name, parameters));
        break;
      }
      case 'client_tool_result':
        entries.push({
          ...resultOf(event.tool_call_id, null, event.result),
          ...(typeof event.is_error === 'boolean' ? { is_error: event.is_error } : {}),
        });
        break;
      case 'agent_tool_response': {
        const { tool_call_id: callId, tool_name: name, is_error: failed } = said('agent_tool_response');
        entries.push(callOf(callId, name, {}), {
          ...resultOf(callId, name, null),
          ...(typeof failed === 'boolean' ? { is_error: failed } : {}),
        });
        break;
      }
      default:
    }
  }
  return { entries, id };
}

/** Items of the history and what tools did, in the order of their times. */
function livekit(events: readonly JsonObject[]): Session {
  const items = events.flatMap((event): JsonObject[] => {
    if (event.type === 'conversation_item_added') return objectsIn([event.item ?? null]);
    if (event.type !== 'function_tools_executed') return [];
    return [...objectsIn(event.function_calls), ...objectsIn(event.function_call_outputs)];
  });
  const known = new Set<Json>();
  const entries = items.filter(({ id, type }) => {
    if (typeof id !== 'string' || type === 'function_call_output') return true;
    if (known.has(id)) return false;
    known.add(id);
    return true;
  });
  const at = ({ created_at: time }: JsonObject) => numberOf(time) ?? 0;
  const isTimed = entries.every(({ created_at: time }) => numberOf(time) !== null);
  const close = events.find(({ type }) => type === 'close');
  return {
    entries: isTimed ? entries.toSorted((a, b) => at(a) - at(b)) : entries,
    ...(close === undefined ? {} : { closeReason: textOf(close.reason ?? null)?.toLowerCase() ?? null }),
  };
}

/** @throws UnreadableCall where speakers are not kept apart. */
function assembly(events: readonly JsonObject[]): Session {
  const turns = events.filter(({ type, end_of_turn: isOver }) => type === 'Turn' && isOver === true);
  const formatted = new Set(
    turns.flatMap(({ turn_is_formatted: isOne, turn_order: order }) => (isOne === true ? [order] : [])),
  );
  const whole = turns.filter((turn) => turn.turn_is_formatted === true || !formatted.has(turn.turn_order ?? null));
  const entries = whole.map((turn) => ({
    speaker: turn.speaker_label ?? turn.speaker ?? turn.channel ?? null,
    text: turn.transcript ?? null,
    startMs: numberOf(objectsIn(turn.words)[0]?.start),
    endMs: numberOf(objectsIn(turn.words).at(-1)?.end),
  }));
  if (entries.every(({ speaker }) => speaker === null)) {
    throw new UnreadableCall(
      'The AssemblyAI streaming messages hold one side of a call and do not say whose: stream with `speaker_labels=true`, or transcribe the recording with `speaker_labels` or `multichannel`.',
      'speaker_label',
    );
  }
  return { entries, id: events.find(({ type }) => type === 'Begin')?.id };
}

const field = (value: JsonObject, camel: string, snake: string): JsonObject => asObject(value[camel] ?? value[snake]);

/** Words come in pieces, until somebody else speaks or the turn is over. */
function geminiLive(messages: readonly JsonObject[]): JsonObject[] {
  const entries: JsonObject[] = [];
  let open: { role: string; text: string } | null = null;
  const say = (role: string, text: string | null) => {
    if (text === null) return;
    if (open?.role === role) open.text += text;
    else {
      open = { role, text };
      entries.push(open);
    }
  };
  const content = (message: JsonObject) => field(message, 'serverContent', 'server_content');
  const transcribed = (message: JsonObject) =>
    textOf(field(content(message), 'outputTranscription', 'output_transcription').text ?? null);
  const isTranscribed = messages.some((message) => transcribed(message) !== null);
  for (const message of messages) {
    const server = content(message);
    say('user', textOf(field(server, 'inputTranscription', 'input_transcription').text ?? null));
    say('model', transcribed(message));
    if (!isTranscribed) {
      for (const { text, thought } of objectsIn(field(server, 'modelTurn', 'model_turn').parts)) {
        if (thought !== true) say('model', textOf(text ?? null));
      }
    }
    for (const turn of objectsIn(field(message, 'clientContent', 'client_content').turns)) {
      entries.push(turn);
      open = null;
    }
    const tools = field(message, 'toolCall', 'tool_call');
    for (const { id, name, args } of objectsIn(tools.functionCalls ?? tools.function_calls)) {
      entries.push(callOf(id, name, args));
      open = null;
    }
    const answers = field(message, 'toolResponse', 'tool_response');
    for (const { id, name, response } of objectsIn(answers.functionResponses ?? answers.function_responses)) {
      entries.push(resultOf(id, name, response));
    }
    if (server.interrupted === true && open !== null) Object.assign(open, { interrupted: true });
    if (server.interrupted === true || server.turnComplete === true || server.turn_complete === true) open = null;
  }
  return entries.map((entry) => (typeof entry.text === 'string' ? { ...entry, text: entry.text.trim() } : entry));
}
