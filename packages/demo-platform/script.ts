import type { Json, JsonObject } from '../../src/domain/json.ts';
import type { Person } from './people.ts';
import { phrase, sayAs } from './phrasing.ts';
import type { Random } from './random.ts';

export type Patterns = readonly string[];
type Slots = Record<string, string>;

export interface SpeechOptions {
  /** Silence before the first word, in seconds; without it a natural one. Negative: talks over the other side. */
  gap?: number;
  /** Mean confidence of the recogniser in the caller's words. */
  confidence?: number;
  /** Said exactly so, without the caller's manner around it. */
  verbatim?: boolean;
}

export interface ToolOptions {
  seconds?: number;
  /** The platform's flag; the gateway sets it when the service answered with a success status. */
  successful?: boolean;
}

/** Writes one call as it happens: who says what and when, tool calls, steps of the flow. */
export interface Script {
  readonly random: Random;
  readonly person: Person;
  readonly version: number;
  readonly startMs: number;
  /** Values for `{name}` in every phrase of this call. */
  readonly slots: Slots;
  agent(patterns: Patterns, options?: SpeechOptions): void;
  caller(patterns: Patterns, options?: SpeechOptions): void;
  /** The other person after a warm hand-over. */
  colleague(patterns: Patterns): void;
  tool(name: string, args: JsonObject, result: Json, options?: ToolOptions): void;
  /** A tool call whose answer never came. */
  toolWithoutAnswer(name: string, args: JsonObject): void;
  step(id: string, label: string, kind?: string): void;
  pause(seconds: number): void;
  key(digit: string): void;
  end(reason: string, facts?: EndFacts): void;
}

export interface EndFacts {
  summary?: string;
  successful?: boolean;
  sentiment?: 'Positive' | 'Neutral' | 'Negative';
  voicemail?: boolean;
  status?: 'ended' | 'error' | 'not_connected';
  /** Slower or faster answers of the language model, for the latency figures. */
}

export interface WrittenCall {
  entries: JsonObject[];
  durationMs: number;
  e2eMs: number[];
  reason: string;
  facts: EndFacts;
}

export interface ScriptOptions {
  random: Random;
  person: Person;
  version: number;
  startMs: number;
  /** Seconds from the caller's last word to the agent's first one. */
  answerSeconds: [low: number, high: number];
}

export function createScript(options: ScriptOptions): { script: Script; written(): WrittenCall } {
  const { random, person } = options;
  const entries: JsonObject[] = [];
  const e2eMs: number[] = [];
  const slots: Slots = { first: person.first, last: person.last, full: person.full };
  let clock = random.between(0.4, 1.3);
  let lastSpeaker: 'agent' | 'user' | null = null;
  let currentStep: { id: string; label: string } | null = null;
  let ending: { reason: string; facts: EndFacts } = { reason: 'user_hangup', facts: {} };
  let toolCount = 0;

  function speak(
    role: 'agent' | 'user' | 'transfer_target',
    text: string,
    gap: number,
    confidence: number | null,
  ): void {
    const start = Math.max(0.2, lastSpeaker === null ? clock : clock + gap);
    if (role === 'agent' && lastSpeaker === 'user') e2eMs.push(Math.max(120, Math.round(gap * 1000)));
    const words = timeWords(text, start, random, confidence);
    entries.push({ role, content: text, words });
    clock = Math.max(clock, Number(words.at(-1)?.end ?? start));
    lastSpeaker = role === 'user' ? 'user' : 'agent';
  }

  const agentGap = () =>
    lastSpeaker === 'user' ? random.between(...options.answerSeconds) : random.between(0.35, 0.9);

  const script: Script = {
    random,
    person,
    version: options.version,
    startMs: options.startMs,
    slots,
    agent(patterns, { gap = agentGap() } = {}) {
      speak('agent', phrase(patterns, slots, random), gap, null);
    },
    caller(patterns, { gap = random.between(0.35, 1.6), confidence, verbatim = false } = {}) {
      const text = phrase(patterns, slots, random);
      const said = verbatim ? text : sayAs(person.temper, text, random);
      speak('user', said, gap, confidence ?? random.between(0.88, 0.97));
    },
    colleague(patterns) {
      speak('transfer_target', phrase(patterns, slots, random), random.between(0.6, 1.4), null);
    },
    tool(name, args, result, { seconds = random.between(0.35, 1.1), successful = true } = {}) {
      const id = toolCallId(random, (toolCount += 1));
      clock += random.between(0.05, 0.2);
      entries.push({
        role: 'tool_call_invocation',
        tool_call_id: id,
        name,
        arguments: JSON.stringify(args),
        time_sec: round(clock),
      });
      clock += seconds;
      const content = typeof result === 'string' ? result : JSON.stringify(result);
      entries.push({ role: 'tool_call_result', tool_call_id: id, content, successful, time_sec: round(clock) });
    },
    toolWithoutAnswer(name, args) {
      const id = toolCallId(random, (toolCount += 1));
      clock += random.between(0.05, 0.2);
      entries.push({
        role: 'tool_call_invocation',
        tool_call_id: id,
        name,
        arguments: JSON.stringify(args),
        time_sec: round(clock),
      });
    },
    step(id, label, kind = 'normal') {
      entries.push({
        role: 'node_transition',
        former_node_id: currentStep?.id ?? 'begin',
        former_node_name: currentStep?.label ?? 'Begin',
        new_node_id: id,
        new_node_name: label,
        transition_type: kind,
        time_sec: round(clock),
      });
      currentStep = { id, label };
    },
    pause(seconds) {
      clock += seconds;
    },
    key(digit) {
      clock += random.between(0.6, 1.2);
      entries.push({ role: 'dtmf', digit });
    },
    end(reason, facts = {}) {
      ending = { reason, facts };
    },
  };

  const written = (): WrittenCall => ({
    entries,
    durationMs: Math.round((clock + random.between(0.3, 1.4)) * 1000),
    e2eMs,
    ...ending,
  });
  return { script, written };
}

/** A digit or letter said by itself. */
const SPELLED = /^[\dB-HJ-Z][.,?]?$/;

/** Words at the pace of speech: long words take longer, and there is a breath after a comma or a sentence. */
function timeWords(text: string, start: number, random: Random, confidence: number | null): JsonObject[] {
  const pace = random.between(0.94, 1.06);
  let at = start;
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const end = at + (SPELLED.test(word) ? 0.34 : 0.17 + 0.036 * Math.min(word.length, 14)) * pace;
      const timed: JsonObject = { word, start: round(at), end: round(end) };
      if (confidence !== null) {
        const measured = Math.min(0.99, Math.max(0.12, confidence + random.between(-0.06, 0.06)));
        timed.confidence = Math.round(measured * 100) / 100;
      }
      at = end + 0.02 + (/[.?!]$/.test(word) ? 0.3 : /[,;:]$/.test(word) ? 0.14 : 0);
      return timed;
    });
}

const toolCallId = (random: Random, nth: number) => `tool_call_${random.whole(0x100000, 0xffffff).toString(16)}${nth}`;

const round = (seconds: number) => Math.round(seconds * 1000) / 1000;
