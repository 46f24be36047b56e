import type { NormalisedCall, Turn } from '../../src/domain/calls/call.ts';
import type { Json } from '../../src/domain/json.ts';

/** A fixed stream of numbers, so that a smaller set is a prefix of a larger one. */
function stream(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const CALLER = [
  'I would like to book a table for four people on Friday evening, please.',
  'Could you tell me whether my parcel has been sent already?',
  "No, I've already told you my name, it's Marta Lindqvist.",
  'Yes, that works for me, thank you very much.',
  'My number is 5 5 5, 0 1 4 2, and the order is BX-20931.',
  'Can I speak to a real person about this, please?',
  'That is not what I asked, I wanted the earlier appointment.',
];
const AGENT = [
  'Good morning, this is the front desk, how can I help you today?',
  'Let me just check that for you, one moment please.',
  "I've found two free times on Friday, at half past six and at eight. Which one do you prefer?",
  "I'm sorry, there is nothing available at that time. Would nine o'clock suit you?",
  "I've booked the table for four people, and you'll receive a confirmation by text message.",
  'Is there anything else that I can help you with?',
];

/** Calls of a given number of turns, in the mix of a booking agent: talk, tools that work, refuse and fail, steps and word times. */
export function syntheticCalls(count: number, turnsEach: number): NormalisedCall[] {
  return Array.from({ length: count }, (_, at) => syntheticCall(at, turnsEach));
}

function syntheticCall(seed: number, turnsEach: number): NormalisedCall {
  const next = stream(seed * 7919 + 17);
  const pick = (texts: readonly string[]) => texts[Math.floor(next() * texts.length)] ?? '';
  const turns: Turn[] = [];
  let clockMs = 400;
  while (turns.length < turnsEach) {
    const index = turns.length;
    const role = index % 10 === 6 ? 'tool' : index % 2 === 0 ? 'agent' : 'caller';
    const callsTool = index % 10 === 5;
    const text =
      role === 'tool' || callsTool
        ? ''
        : `${pick(role === 'agent' ? AGENT : CALLER)} ${pick(role === 'agent' ? AGENT : CALLER)}`;
    const startMs = clockMs;
    clockMs += 60 * text.length + 500 + Math.floor(next() * 900);
    turns.push({
      index,
      role: callsTool ? 'agent' : role,
      text,
      startMs: role === 'tool' || callsTool ? null : startMs,
      endMs: role === 'tool' || callsTool ? null : startMs + 60 * text.length,
      words: null,
      interrupted: false,
      nodeId: `node_${Math.floor(index / 4) % 6}`,
      toolCall: callsTool
        ? { id: `t${index}`, name: 'find_table', args: { people: 4, day: 'Friday', at: index } }
        : null,
      toolResult:
        role === 'tool'
          ? {
              id: `t${index - 1}`,
              name: 'find_table',
              ok: null,
              okSource: 'unknown',
              body: bodyOf(next()),
              latencyMs: 800,
            }
          : null,
      dtmf: null,
      alternatives: null,
    });
  }
  return {
    providerCallId: `synthetic-${seed}`,
    version: 1,
    startedAt: '2026-01-05T09:00:00.000Z',
    endedAt: null,
    durationMs: clockMs,
    direction: 'inbound',
    channel: 'voice',
    language: 'en',
    disconnectionReason: 'user_hangup',
    ending: { hint: 'unknown', family: 'caller_end', endedBy: 'caller' },
    callerNumber: null,
    turns,
    transitions: [],
    timing: 'exact',
    latency: { e2eMs: [900, 1100, 1300], llmMs: [500, 700, 800], ttsMs: [200, 210, 250], asrMs: [100, 110, 120] },
    costUsd: 0.1,
    variables: {},
    platformAnalysis: null,
    partial: false,
    warnings: [],
  };
}

function bodyOf(chance: number): Json {
  if (chance < 0.2) return { status: 'error', message: 'The reservation service did not answer in time' };
  if (chance < 0.5) return { success: true, slots: [], message: 'No tables available' };
  return { success: true, slots: ['18:30', '20:00'], table: { number: 12, seats: 4, terrace: false } };
}
