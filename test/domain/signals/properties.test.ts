import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NormalisedCall, Turn } from '../../../src/domain/calls/call.ts';
import { storedText } from '../../../src/domain/calls/quotes.ts';
import type { Json } from '../../../src/domain/json.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { OUTCOME_CODE } from '../../../src/domain/signals/analyser-version.ts';
import { CATALOGUE } from '../../../src/domain/signals/catalogue.ts';
import type { DetectorInput } from '../../../src/domain/signals/detector-input.ts';
import { renewCost } from '../../../src/domain/signals/renew-cost.ts';
import { scripted } from './scripted-call.ts';

const json = fc.jsonValue().map((value) => value as Json);

/** Words that make detectors look twice, mixed with anything that a transcript may hold. */
const phrase = fc.constantFrom(
  "I've booked your table.",
  'could you say that again',
  'speak to a real person',
  'Sorry, I am unable to do that.',
  'goodbye, have a nice day',
  'null {{name}} **bold**',
  '4111 1111 1111 1111',
  'already told you',
  'One moment, let me check.',
  'Ich möchte bitte einen Termin',
  'ok',
  '😀\ud83d “quoted” İstanbul',
);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.array(phrase, { maxLength: 5 }).map((parts) => parts.join(' ')) },
  fc.string({ maxLength: 60, unit: 'binary' }),
);
const time = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 100_000 }));

const turn = fc.record({
  role: fc.constantFrom('caller' as const, 'agent' as const, 'tool' as const, 'other' as const),
  text,
  startMs: time,
  endMs: time,
  words: fc.oneof(
    fc.constant(null),
    fc.array(
      fc.record({
        text: fc.string({ maxLength: 5 }),
        startMs: fc.nat(1000),
        endMs: fc.nat(1000),
        confidence: fc.oneof(fc.constant(null), fc.double({ min: 0, max: 1, noNaN: true })),
      }),
      { maxLength: 3 },
    ),
  ),
  interrupted: fc.boolean(),
  nodeId: fc.constantFrom(null, 'a', 'b', '__proto__'),
  toolCall: fc.oneof(
    fc.constant(null),
    fc.record({
      id: fc.constantFrom(null, 't1', 't2'),
      name: fc.constantFrom('book_table', 'find_times', 'transfer_call', 'constructor', ''),
      args: json,
    }),
  ),
  toolResult: fc.oneof(
    fc.constant(null),
    fc.record({
      id: fc.constantFrom(null, 't1', 't3'),
      name: fc.constantFrom(null, 'book_table', 'find_times', 'transfer_call'),
      ok: fc.constantFrom(null, true, false),
      okSource: fc.constantFrom('flag' as const, 'body' as const, 'missing' as const, 'unknown' as const),
      body: fc.oneof(json, text),
      latencyMs: fc.constantFrom(null, 100, 5000),
    }),
  ),
  dtmf: fc.constantFrom(null, '1'),
});

const call = fc
  .record({
    turns: fc.array(turn, { maxLength: 24 }),
    timing: fc.constantFrom('exact' as const, 'approx' as const, 'none' as const),
    channel: fc.constantFrom('voice' as const, 'text' as const, 'unknown' as const),
    language: fc.constantFrom(null, 'en', 'de-DE', 'multi', ''),
    disconnectionReason: fc.oneof(
      fc.constantFrom('user_hangup', 'transfer_cancelled', 'error_asr', 'unknown'),
      fc.string({ maxLength: 20 }),
    ),
    endedBy: fc.constantFrom('caller' as const, 'agent' as const, 'platform' as const, 'unknown' as const),
    family: fc.constantFrom(
      'caller_end' as const,
      'agent_end' as const,
      'silence' as const,
      'technical' as const,
      'machine' as const,
      'capacity' as const,
      'limit' as const,
      'transfer' as const,
      'unknown' as const,
    ),
    hint: fc.constantFrom('unknown' as const, 'abandoned' as const, 'transferred' as const),
    durationMs: fc.nat(200_000),
  })
  .map(({ turns, endedBy, family, hint, ...facts }): DetectorInput => {
    const input = scripted([], { ...facts, ending: { endedBy, family, hint } });
    const numbered: Turn[] = turns.map((one, index) => ({ ...one, index, alternatives: null }));
    return { ...input, call: { ...input.call, turns: numbered } };
  });

describe('whatever a call holds', () => {
  test('it is analysed, and every quote is in the turn that it cites', () => {
    fc.assert(
      fc.property(call, (input) => {
        const analysis = analyseCall(input, {});
        for (const signal of analysis.signals) {
          expect(CATALOGUE.has(signal.code)).toBe(true);
          expect(signal.confidence).toBeGreaterThan(0);
          expect(signal.confidence).toBeLessThanOrEqual(1);
          expectQuoted(input.call, signal.turnIndex, signal.quote);
        }
        for (const claim of analysis.claims) expectQuoted(input.call, claim.turn, claim.text);
        for (const request of analysis.requests) expectQuoted(input.call, request.turn, request.text);
        expect(analysis.badEndingScore).toBeGreaterThanOrEqual(0);
        expect(analysis.badEndingScore).toBeLessThanOrEqual(1);
      }),
      { numRuns: 400 },
    );
  });

  test('the same call gives the same analysis, and what it gives is plain JSON', () => {
    fc.assert(
      fc.property(call, (input) => {
        const first = analyseCall(input, {});
        expect(analyseCall(input, {})).toEqual(first);
        expect(JSON.parse(JSON.stringify(first))).toEqual(first);
      }),
      { numRuns: 150 },
    );
  });

  test('a cost that is laid beside a reading later makes it what it had been at once', () => {
    const cost = fc.constantFrom(null, 0, 0.0003, 0.19, 0.21, 3);
    fc.assert(
      fc.property(call, cost, (input, costUsd) => {
        const priced = { ...input, call: { ...input.call, costUsd } };
        const usual = { calls: 200, medianUsd: 0.1, p99Usd: 0.2 };
        const first = analyseCall({ ...priced, agentCosts: null }, {});
        const atOnce = analyseCall({ ...priced, agentCosts: usual }, {});
        expect(renewCost(first, costUsd, usual, {}) ?? first).toEqual(atOnce);
        expect(renewCost(atOnce, costUsd, null, {}) ?? atOnce).toEqual(first);
      }),
      { numRuns: 150 },
    );
  });

  test('every code is either computed or gives a reason', () => {
    fc.assert(
      fc.property(call, (input) => {
        const analysis = analyseCall(input, {});
        for (const { code, reason } of analysis.notComputable) {
          expect(CATALOGUE.has(code) || code === OUTCOME_CODE).toBe(true);
          expect(reason).toMatch(/^[A-Z].*\.$/s);
          expect(analysis.signals.map((signal) => signal.code)).not.toContain(code);
        }
      }),
      { numRuns: 150 },
    );
  });
});

function expectQuoted(given: NormalisedCall, index: number, quote: string): void {
  const cited = given.turns[index];
  if (cited === undefined) {
    expect({ index, quote }).toEqual({ index: 0, quote: '' });
    return;
  }
  const stored = cited.toolResult === null ? '' : storedText(cited.toolResult.body);
  expect(cited.text.includes(quote) || stored.includes(quote)).toBe(true);
}

describe('long hostile texts cost no more than their length', () => {
  const HOSTILE: Record<string, string> = {
    'open braces': '{{'.repeat(50_000),
    stars: '*'.repeat(100_000),
    'dashes at line starts': '\n - '.repeat(25_000),
    digits: '4 '.repeat(50_000),
    'one word': 'a'.repeat(100_000),
    'starts of phrases': 'could you please '.repeat(6_000),
    'starts of claims': "I've just also already successfully ".repeat(3_000),
    'error words': `error ${'status code '.repeat(8_000)}`,
    spaces: ' '.repeat(100_000),
    'angle brackets': '<p '.repeat(33_000),
    brackets: '['.repeat(100_000),
    'numbered lines': '\n1. x'.repeat(20_000),
  };

  test.each(Object.keys(HOSTILE))('%s', (name) => {
    const long = HOSTILE[name] ?? '';
    const short = fastest(long.slice(0, long.length / 8));
    const full = fastest(long);
    // For eight times the text a linear pattern takes eight times as long and a quadratic one 64 times: the bound lies
    // far from both. Time of this thread's processor counts, which a busy machine does not lengthen much.
    expect(full).toBeLessThan(Math.max(400, short * 28));
  });

  function fastest(hostile: string): number {
    return Math.min(...[1, 2, 3, 4].map(() => cpuMsOf(hostile)));
  }

  function cpuMsOf(hostile: string): number {
    const input = scripted([
      { c: hostile },
      { a: hostile },
      { call: 'book_table', args: { note: hostile } },
      { result: 'book_table', body: hostile },
      { result: 'find_times', body: { message: hostile, error: hostile } },
      { a: hostile },
    ]);
    const start = process.threadCpuUsage();
    analyseCall(input, {});
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1_000;
  }
});
