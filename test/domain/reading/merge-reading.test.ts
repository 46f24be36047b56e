import { describe, expect, test } from 'vitest';
import type { CheckedReading, ProvenFinding } from '../../../src/domain/reading/answer.ts';
import { type ReadingPolicy, withoutReading, withReading } from '../../../src/domain/reading/merge-reading.ts';
import type { CallAnalysis } from '../../../src/domain/signals/call-analysis.ts';
import { PROMPT } from '../../../src/domain/signals/places.ts';
import { makeAnalysis, makeSignal } from '../../support/analysed-calls.ts';

const DECIDE: ReadingPolicy = { mode: 'decide', returned: new Set() };

const finding = (over: Partial<ProvenFinding> & { code: string; turn: number }): ProvenFinding => ({
  quote: 'it is 49 pounds',
  proof: [{ in: 'prompt', index: 12, quote: 'a call-out is 59 pounds' }],
  because: 'The price is told wrongly.',
  place: PROMPT,
  ...over,
});

const reading = (over: Partial<CheckedReading> = {}): CheckedReading => ({
  requests: [],
  checked: 'All turns were held against the prompt.',
  findings: [],
  dropped: [],
  expectations: [],
  outcome: null,
  intent: null,
  addressed: false,
  ...over,
});

/** What stands on a call of the rules: a fact, and suspicions by words. */
const rules: CallAnalysis = makeAnalysis({
  outcome: 'resolved',
  outcomeConfidence: 0.7,
  signals: [
    makeSignal({ code: 'tool_failed', turnIndex: 2 }),
    makeSignal({ code: 'question_unanswered', turnIndex: 4, confidence: 0.6, klass: 'content', lane: 'understanding' }),
  ],
});
const codes = ({ signals }: CallAnalysis) => signals.map(({ code, turnIndex }) => `${code}@${turnIndex}`);

describe('what a reader decides', () => {
  test('facts by code stay, and a word rule that it does not share becomes a candidate', () => {
    const merged = withReading(rules, reading(), DECIDE);
    expect(codes(merged)).toEqual(['tool_failed@2']);
    expect(merged.observations).toMatchObject([
      { rule: 'question_unanswered', kind: 'candidate', turnIndex: 4, detail: expect.stringContaining('not found by') },
    ]);
  });

  test.each([
    ['the same turn', 4],
    ['one turn beside it', 5],
  ])('a word rule that it shares at %s stays one signal, surer and with the proof', (_, turn) => {
    const merged = withReading(rules, reading({ findings: [finding({ code: 'question_unanswered', turn })] }), DECIDE);
    expect(codes(merged)).toEqual(['tool_failed@2', 'question_unanswered@4']);
    expect(merged.signals[1]).toMatchObject({ confidence: 0.95, proof: [{ in: 'prompt', index: 12 }] });
    expect(merged.signals[1]?.basis).toBeUndefined();
    expect(merged.observations).toEqual([]);
  });

  test('one fault under the names of two neighbors is one signal: the reader’s', () => {
    const merged = withReading(rules, reading({ findings: [finding({ code: 'intent_misread', turn: 4 })] }), DECIDE);
    expect(codes(merged)).toEqual(['tool_failed@2', 'intent_misread@4']);
    expect(merged.observations).toEqual([]);
  });

  test('a finding of its own is a signal by a model, with its proof and the words that show it', () => {
    const merged = withReading(
      rules,
      reading({ findings: [finding({ code: 'fact_contradicts_source', turn: 6 })] }),
      DECIDE,
    );
    expect(merged.signals.at(-1)).toMatchObject({
      code: 'fact_contradicts_source',
      turnIndex: 6,
      quote: 'it is 49 pounds',
      detail: 'The price is told wrongly.',
      basis: 'model',
      proof: [{ in: 'prompt', index: 12, quote: 'a call-out is 59 pounds' }],
    });
  });

  test.each([
    ['a second look denied', finding({ code: 'self_contradiction', turn: 6, holds: false }), new Set<string>()],
    [
      'people found wrong on its code',
      finding({ code: 'self_contradiction', turn: 6 }),
      new Set(['self_contradiction']),
    ],
  ])('a finding that %s is a candidate', (_, one, returned) => {
    const merged = withReading(rules, reading({ findings: [one] }), { mode: 'decide', returned });
    expect(codes(merged)).toEqual(['tool_failed@2']);
    expect(merged.observations).toContainEqual(
      expect.objectContaining({ rule: 'self_contradiction', kind: 'candidate', basis: 'model' }),
    );
  });

  test('of a call that speaks to its reader the word rules are heard too', () => {
    const merged = withReading(rules, reading({ addressed: true }), DECIDE);
    expect(codes(merged)).toEqual(['tool_failed@2', 'question_unanswered@4']);
  });
});

describe('how a call ended', () => {
  const ended = (value: 'resolved' | 'unresolved') => ({ turn: 5, quote: 'bye', because: 'It was put off.', value });

  test('is the reader’s to say, and surer where the rules agree', () => {
    const other = withReading(rules, reading({ outcome: ended('unresolved') }), DECIDE);
    expect(other).toMatchObject({
      outcome: 'unresolved',
      outcomeConfidence: 0.85,
      outcomeReason: { rule: 'read_by_model', turns: [5], text: 'It was put off.' },
    });
    const same = withReading(rules, reading({ outcome: ended('resolved') }), DECIDE);
    expect(same).toMatchObject({ outcome: 'resolved', outcomeConfidence: 0.95 });
  });

  test.each([
    ['nobody could be reached', { ...rules, outcome: 'no_contact' as const }, false],
    ['it speaks to its reader and the rules are sure', rules, true],
  ])('is what the rules say where %s', (_, analysis, addressed) => {
    const merged = withReading(analysis, reading({ outcome: ended('unresolved'), addressed }), DECIDE);
    expect(merged.outcome).toBe(analysis.outcome);
  });
});

describe('laying', () => {
  const full = reading({
    findings: [
      finding({ code: 'fact_contradicts_source', turn: 6 }),
      finding({ code: 'question_unanswered', turn: 4 }),
    ],
    requests: [{ sentence: 'Ask for a price', turn: 1, quote: 'how much', fulfilled: 'partly', by: 6 }],
    outcome: { turn: 5, quote: 'bye', because: 'It was put off.', value: 'unresolved' },
  });

  test('twice is laying once, and taking off gives what the rules said', () => {
    const once = withReading(rules, full, DECIDE);
    expect(withReading(once, full, DECIDE)).toEqual(once);
    expect(withoutReading(once)).toEqual(rules);
    expect(withReading(once, full, { ...DECIDE, mode: 'off' })).toEqual(rules);
  });

  test('as evidence changes nothing that is counted', () => {
    const beside = withReading(rules, full, { ...DECIDE, mode: 'assist' });
    expect(beside).toMatchObject({ outcome: 'resolved', signals: rules.signals, counts: rules.counts });
    expect(beside.objective).toBe('Ask for a price');
    expect(beside.observations).toMatchObject([{ rule: 'fact_contradicts_source', basis: 'model' }]);
    expect(withoutReading(beside)).toEqual(rules);
  });

  test('without a reading leaves the rules alone', () => {
    expect(withReading(rules, null, DECIDE)).toBe(rules);
  });
});
