import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NormalisedCall, Turn } from '../../src/domain/calls/call.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/domain/json.ts';
import type { AgentConfiguration } from '../../src/domain/versions/configuration.ts';

/** A labelled record: the call that the analysis sees, and the labels that it never does. */
export interface LabelledCall {
  id: string;
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  labels: JsonObject;
}

/** Reads one set; null where its file is absent. */
export function readSet(folder: string, set: string): LabelledCall[] | null {
  const path = join(folder, `${set}.dev.jsonl`);
  if (!existsSync(path)) return null;
  const configuration = readAgent(folder, set);
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const record = JSON.parse(line) as JsonObject;
      const labels = isJsonObject(record['labels']) ? record['labels'] : {};
      return { id: String(record['id']), call: toCall(record), configuration, labels };
    });
}

const AGENTS: Record<string, string> = {
  tau_airline: 'tau_airline',
  tau_retail: 'tau_retail',
  eva_progression: 'eva_airline',
  eva_faithfulness: 'eva_airline',
};

function readAgent(folder: string, set: string): AgentConfiguration | null {
  const name = AGENTS[set];
  const path = name === undefined ? '' : join(folder, 'agents', `${name}.json`);
  if (path === '' || !existsSync(path)) return null;
  const agent = JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
  const tools = Array.isArray(agent['tools']) ? agent['tools'].filter(isJsonObject) : [];
  return {
    name: name ?? set,
    language: null,
    prompt: typeof agent['prompt'] === 'string' ? agent['prompt'] : null,
    firstMessage: null,
    model: null,
    voice: null,
    tools: tools.map((tool) => ({
      id: String(tool['name']),
      name: String(tool['name']),
      description: String(tool['description'] ?? ''),
      kind: String(tool['name']).startsWith('transfer') ? 'transfer' : 'other',
      parameters: tool['parameters'] ?? null,
      timeoutMs: null,
      speaksDuring: null,
    })),
    nodes: [],
    startNodeId: null,
    variables: {},
  };
}

function toCall(record: JsonObject): NormalisedCall {
  const turns = (Array.isArray(record['turns']) ? record['turns'].filter(isJsonObject) : []).map(toTurn);
  const spoken = turns.filter((turn) => turn.role !== 'tool');
  const exact = spoken.length > 0 && spoken.every((turn) => turn.startMs !== null && turn.endMs !== null);
  const startedAt = textOf(record['startedAt']);
  const endedAt = textOf(record['endedAt']);
  return {
    providerCallId: String(record['id']),
    version: 1,
    startedAt,
    endedAt,
    durationMs: startedAt !== null && endedAt !== null ? Date.parse(endedAt) - Date.parse(startedAt) : 0,
    direction: 'inbound',
    channel: 'unknown',
    language: null,
    disconnectionReason: 'unknown',
    ending: { hint: 'unknown', family: 'unknown', endedBy: 'unknown' },
    callerNumber: null,
    turns,
    transitions: [],
    timing: exact ? 'exact' : spoken.some((turn) => turn.startMs !== null) ? 'approx' : 'none',
    latency: null,
    costUsd: null,
    variables: null,
    platformAnalysis: null,
    partial: false,
    warnings: [],
  };
}

function toTurn(turn: JsonObject, index: number): Turn {
  const call = turn['toolCall'];
  const result = turn['toolResult'];
  const role = turn['role'];
  return {
    index,
    role: role === 'caller' || role === 'agent' || role === 'tool' ? role : 'other',
    text: textOf(turn['text']) ?? '',
    startMs: numberOf(turn['startMs']),
    endMs: numberOf(turn['endMs']),
    words: null,
    interrupted: false,
    nodeId: null,
    toolCall: isJsonObject(call) ? { id: null, name: String(call['name']), args: call['args'] ?? null } : null,
    toolResult: isJsonObject(result)
      ? {
          id: null,
          name: textOf(result['name']),
          ok: null,
          okSource: 'unknown',
          body: result['body'] ?? null,
          latencyMs: null,
        }
      : null,
    dtmf: null,
    alternatives: null,
  };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
