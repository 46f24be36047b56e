import { createHmac } from 'node:crypto';
import type { ScriptedAnswer, ScriptedRequest } from './scripted-server.ts';

export type ScriptedPlatform = 'retell' | 'vapi' | 'elevenlabs';

export interface ScriptedCall {
  id: string;
  version: number;
  startMs: number;
  /** What the caller said. */
  said: string;
}

/** One agent on a platform, as a test lets it change. */
export interface PlatformState {
  key: string;
  /** The prompt of each version; the last one is live. */
  prompts: string[];
  calls: ScriptedCall[];
  /** Answered instead of everything, or of what is asked under this beginning of a path. */
  instead: { path: string; answer: ScriptedAnswer } | null;
}

export const PROVIDER_AGENT_ID = 'agent_a';
const TOOL = 'book_visit';

/** Speaks as the platform does: its paths, its names and units, its key in its header. */
export function speakAs(platform: ScriptedPlatform, state: PlatformState) {
  return (request: ScriptedRequest): ScriptedAnswer => {
    const shown = request.headers.authorization ?? request.headers['xi-api-key'];
    if (!String(shown).includes(state.key)) return { status: 401, json: { message: 'no' } };
    if (state.instead && request.path.startsWith(state.instead.path)) return state.instead.answer;
    const json = SPEAK[platform](request, state);
    return json === undefined ? { status: 404, json: {} } : { json };
  };
}

const SPEAK: Record<ScriptedPlatform, (request: ScriptedRequest, state: PlatformState) => unknown> = {
  retell: speakRetell,
  vapi: speakVapi,
  elevenlabs: speakElevenLabs,
};

function speakRetell({ path, query }: ScriptedRequest, { prompts, calls }: PlatformState): unknown {
  const version = Number(query.get('version') ?? prompts.length);
  if (path === '/get-api-key-info') return { api_key_name: 'key' };
  if (path === '/v2/list-agents')
    return { items: [{ agent_id: PROVIDER_AGENT_ID, agent_name: 'Front desk' }], has_more: false };
  if (path === `/list-agent-versions/${PROVIDER_AGENT_ID}`)
    return { items: prompts.map((_, at) => ({ version: at + 1, is_published: true })), has_more: false };
  if (path === `/get-agent/${PROVIDER_AGENT_ID}`) {
    const engine = { type: 'retell-llm', llm_id: 'llm', version };
    return { agent_id: PROVIDER_AGENT_ID, agent_name: 'Front desk', version, response_engine: engine };
  }
  if (path === '/get-retell-llm/llm')
    return { general_prompt: prompts[version - 1], general_tools: [{ type: 'custom', name: TOOL }] };
  if (path === '/v3/list-calls') {
    const items = calls.map(({ id, startMs }) => ({ call_id: id, call_status: 'ended', start_timestamp: startMs }));
    return { items, has_more: false };
  }
  const call = calls.find(({ id }) => path === `/v2/get-call/${id}`);
  return (
    call && {
      call_id: call.id,
      agent_id: PROVIDER_AGENT_ID,
      call_status: 'ended',
      agent_version: call.version,
      start_timestamp: call.startMs,
      end_timestamp: call.startMs + 9_000,
      transcript_object: [
        { role: 'agent', content: 'How can I help?' },
        { role: 'user', content: call.said },
      ],
    }
  );
}

function speakVapi({ path }: ScriptedRequest, { prompts, calls }: PlatformState): unknown {
  const assistant = {
    id: PROVIDER_AGENT_ID,
    name: 'Front desk',
    latestVersion: `v${prompts.length}`,
    model: {
      model: 'm',
      messages: [{ role: 'system', content: prompts.at(-1) }],
      tools: [{ type: 'function', function: { name: TOOL } }],
    },
  };
  const whole = calls.map((call) => ({
    id: call.id,
    assistantId: PROVIDER_AGENT_ID,
    status: 'ended',
    createdAt: new Date(call.startMs).toISOString(),
    startedAt: new Date(call.startMs).toISOString(),
    endedAt: new Date(call.startMs + 9_000).toISOString(),
    artifact: {
      assistantActivations: [{ assistantId: PROVIDER_AGENT_ID, assistantVersion: `v${call.version}` }],
      messages: [
        { role: 'bot', message: 'How can I help?' },
        { role: 'user', message: call.said },
      ],
    },
  }));
  if (path === '/assistant') return [assistant];
  if (path === '/squad') return [];
  if (path === `/assistant/${PROVIDER_AGENT_ID}`) return assistant;
  return path === '/call' ? whole : whole.find(({ id }) => path === `/call/${id}`);
}

function speakElevenLabs({ path, query }: ScriptedRequest, { prompts, calls }: PlatformState): unknown {
  const at = '/v1/convai';
  const version = Number((query.get('version_id') ?? `agtvrsn_${prompts.length}`).split('_')[1]);
  if (path === `${at}/agents`)
    return { agents: [{ agent_id: PROVIDER_AGENT_ID, name: 'Front desk' }], has_more: false };
  if (path === `${at}/agents/${PROVIDER_AGENT_ID}`) {
    return {
      agent_id: PROVIDER_AGENT_ID,
      name: 'Front desk',
      version_id: `agtvrsn_${version}`,
      conversation_config: { agent: { prompt: { prompt: prompts[version - 1], llm: 'm', tool_ids: ['tool_1'] } } },
    };
  }
  if (path === `${at}/tools/tool_1`) return { id: 'tool_1', tool_config: { name: TOOL, type: 'webhook' } };
  const seconds = (ms: number) => Math.floor(ms / 1000);
  if (path === `${at}/conversations`) {
    const conversations = calls.map((call) => ({
      conversation_id: call.id,
      status: 'done',
      start_time_unix_secs: seconds(call.startMs),
    }));
    return { conversations, has_more: false };
  }
  const call = calls.find(({ id }) => path === `${at}/conversations/${id}`);
  return (
    call && {
      conversation_id: call.id,
      agent_id: PROVIDER_AGENT_ID,
      status: 'done',
      version_id: `agtvrsn_${call.version}`,
      metadata: { start_time_unix_secs: seconds(call.startMs), call_duration_secs: 9 },
      transcript: [
        { role: 'agent', message: 'How can I help?', time_in_call_secs: 0 },
        { role: 'user', message: call.said, time_in_call_secs: 3 },
      ],
    }
  );
}

/** The event by which the platform tells that a call is over, with its signature. */
export function eventOf(
  platform: ScriptedPlatform,
  callId: string,
  secret: string,
): { payload: string; headers: Record<string, string> } {
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const nowMs = Date.now();
  const seconds = String(Math.floor(nowMs / 1000));
  if (platform === 'retell') {
    const call = { call_id: callId, agent_id: PROVIDER_AGENT_ID };
    const payload = JSON.stringify({ event: 'call_analyzed', call });
    return { payload, headers: { 'x-retell-signature': `v=${nowMs},d=${hmac(payload + nowMs)}` } };
  }
  if (platform === 'vapi') {
    const call = { id: callId, assistantId: PROVIDER_AGENT_ID };
    const payload = JSON.stringify({ message: { type: 'end-of-call-report', timestamp: nowMs, call } });
    return { payload, headers: { authorization: `Bearer ${secret}` } };
  }
  const data = { conversation_id: callId, agent_id: PROVIDER_AGENT_ID };
  const payload = JSON.stringify({ type: 'post_call_transcription', event_timestamp: Number(seconds), data });
  return { payload, headers: { 'elevenlabs-signature': `t=${seconds},v0=${hmac(`${seconds}.${payload}`)}` } };
}
