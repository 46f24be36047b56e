import type { LatencyFigures, NormalisedCall, Turn, Word } from '../../../src/domain/calls/call.ts';
import type { Json } from '../../../src/domain/json.ts';
import type { DetectorInput } from '../../../src/domain/signals/detector-input.ts';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';

/** One line of a scripted call: who speaks, and where it matters when, at which step and how sure the recogniser was. */
export type Line =
  | { a: string; at?: [startS: number, endS: number]; node?: string; interrupted?: boolean }
  | { c: string; at?: [startS: number, endS: number]; node?: string; confidence?: number }
  /** Somebody speaks, and the words are missing. */
  | { missing: 'caller' | 'agent'; at?: [startS: number, endS: number] }
  | { o: string; key?: string }
  | { call: string; args?: Json; id?: string; node?: string }
  | { result: string; body: Json; ok?: boolean; ms?: number; missing?: boolean };

export type Given = Partial<Omit<NormalisedCall, 'turns' | 'latency'>> & {
  latency?: Partial<LatencyFigures>;
  configuration?: Partial<AgentConfiguration>;
  phraseRules?: DetectorInput['phraseRules'];
};

/** Makes a call of a script. Unless said otherwise it is a spoken English call that the caller ended. */
export function scripted(lines: readonly Line[], given: Given = {}): DetectorInput {
  const { configuration, phraseRules, latency, ...facts } = given;
  const turns = lines.map(toTurn);
  const spoken = turns.filter((turn) => turn.role === 'caller' || (turn.role === 'agent' && turn.text !== ''));
  const timed = spoken.length > 0 && spoken.every((turn) => turn.startMs !== null);
  const input: DetectorInput = {
    call: {
      providerCallId: 'call-1',
      version: 1,
      startedAt: null,
      endedAt: null,
      durationMs: Math.max(0, ...turns.map((turn) => turn.endMs ?? 0)),
      direction: 'inbound',
      channel: 'voice',
      language: 'en-US',
      disconnectionReason: 'user_hangup',
      ending: { hint: 'unknown', family: 'caller_end', endedBy: 'caller' },
      callerNumber: null,
      turns,
      transitions: [],
      timing: timed ? 'exact' : 'none',
      latency: latency === undefined ? null : { e2eMs: [], llmMs: [], ttsMs: [], asrMs: [], ...latency },
      costUsd: null,
      variables: null,
      platformAnalysis: null,
      partial: false,
      warnings: [],
      ...facts,
    },
    configuration: configuration === undefined ? null : { ...EMPTY, ...configuration },
  };
  return phraseRules === undefined ? input : { ...input, phraseRules };
}

const EMPTY: AgentConfiguration = {
  name: 'Front desk',
  language: null,
  prompt: null,
  firstMessage: null,
  model: null,
  voice: null,
  tools: [],
  nodes: [],
  startNodeId: null,
  variables: {},
};

function toTurn(line: Line, index: number): Turn {
  const turn: Turn = {
    index,
    role: 'other',
    text: '',
    startMs: null,
    endMs: null,
    words: null,
    interrupted: false,
    nodeId: null,
    toolCall: null,
    toolResult: null,
    dtmf: null,
    alternatives: null,
  };
  if ('a' in line || 'c' in line) {
    const text = 'a' in line ? line.a : line.c;
    const confidence = 'c' in line ? line.confidence : undefined;
    return {
      ...turn,
      role: 'a' in line ? 'agent' : 'caller',
      text,
      startMs: line.at === undefined ? null : line.at[0] * 1000,
      endMs: line.at === undefined ? null : line.at[1] * 1000,
      nodeId: line.node ?? null,
      interrupted: 'a' in line && line.interrupted === true,
      words:
        confidence === undefined
          ? null
          : text.split(' ').map((word): Word => ({ text: word, startMs: 0, endMs: 0, confidence })),
    };
  }
  if ('missing' in line && !('result' in line)) {
    const [startS, endS] = line.at ?? [null, null];
    return {
      ...turn,
      role: line.missing,
      wordsMissing: true,
      startMs: startS === null ? null : startS * 1000,
      endMs: endS === null ? null : endS * 1000,
    };
  }
  if ('o' in line) return { ...turn, text: line.o, dtmf: line.key ?? null };
  if ('call' in line) {
    return {
      ...turn,
      role: 'agent',
      nodeId: line.node ?? null,
      toolCall: { id: line.id ?? null, name: line.call, args: line.args ?? {} },
    };
  }
  return {
    ...turn,
    role: 'tool',
    toolResult: {
      id: null,
      name: line.result,
      ok: line.ok ?? null,
      okSource: line.missing === true ? 'missing' : line.ok === undefined ? 'unknown' : 'flag',
      body: line.body,
      latencyMs: line.ms ?? null,
    },
  };
}
