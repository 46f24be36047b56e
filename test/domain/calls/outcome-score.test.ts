import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../src/domain/calls/decision.ts';
import { confidenceOf, isUnsure } from '../../../src/domain/calls/outcome-confidence.ts';
import { gatherEvidence } from '../../../src/domain/calls/outcome-evidence.ts';
import { scoreOf } from '../../../src/domain/calls/outcome-score.ts';
import { readTurns } from '../../../src/domain/calls/read-turns.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';

const ASKED: Line[] = [{ a: 'Hello.' }, { c: 'I want to cancel my flight for a refund please' }];

describe('how badly a call ended', () => {
  const score = (decision: Partial<Decision>, lines: readonly Line[] = ASKED) => {
    const evidence = gatherEvidence(readTurns(scripted(lines)), []);
    const whole: Decision = { outcome: 'resolved', confidence: 0.8, rule: 'x', turns: [], text: '', ...decision };
    return scoreOf(whole, evidence);
  };

  test('goes up from a matter that was met to a caller who left', () => {
    const scores = (['resolved', 'no_contact', 'transferred', null, 'unresolved', 'abandoned'] as const).map(
      (outcome) => score({ outcome }),
    );
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(new Set(scores).size).toBe(scores.length);
  });

  test.each(['resolved', 'abandoned'] as const)('is nearer to the middle the less sure it is: %s', (outcome) => {
    const apart = [0, 0.5, 1].map((confidence) => Math.abs(score({ outcome, confidence }) - 0.5));
    expect(apart).toEqual([...apart].sort((a, b) => a - b));
    expect(apart[0]).toBeLessThan(apart[2] ?? 0);
  });

  test('is worse where a tool failed, and better where the caller took leave', () => {
    const failed: Line[] = [{ call: 'get_flight' }, { result: 'get_flight', body: 'Error: request timed out' }];
    expect(score({}, [...ASKED, ...failed])).toBeGreaterThan(score({}));
    expect(score({}, [...ASKED, { a: 'Done.' }, { c: 'thanks, bye' }])).toBeLessThan(
      score({}, [...ASKED, { a: 'Done.' }]),
    );
  });

  test('stays between 0 and 1', () => {
    const failed: Line[] = [{ call: 'get_flight' }, { result: 'get_flight', body: 'Error: request timed out' }];
    const worst = score({ outcome: 'abandoned', confidence: 1 }, [...ASKED, ...failed, { a: 'Really?' }]);
    expect(worst).toBeLessThanOrEqual(1);
    expect(worst).toBeGreaterThan(0.9);
  });
});

describe('how often an outcome is right', () => {
  test('is what its author states, where nobody ever observed it, but no more than an unsure outcome', () => {
    expect(confidenceOf('a_rule_that_nobody_made', 0.42)).toBe(0.42);
    expect(isUnsure(confidenceOf('a_rule_that_nobody_made', 0.9))).toBe(true);
  });
  test('is what its author states of a fact that the platform tells', () => {
    expect(confidenceOf('transfer_end_reason', 0.95)).toBe(0.95);
  });
  test('is lower, the fewer calls a rule that was always right was observed on', () => {
    expect(confidenceOf('not_taken_up', 0)).toBeLessThan(confidenceOf('transfer_last_act', 0));
    expect(confidenceOf('transfer_last_act', 0)).toBeLessThan(confidenceOf('no_caller_speech', 0));
  });
  test('is that of an unsure outcome where more than one in four were wrong', () => {
    expect(isUnsure(confidenceOf('told_and_left', 0.7))).toBe(true);
    expect(isUnsure(confidenceOf('write_succeeded', 0.9))).toBe(false);
  });
  test.each([
    [0, true],
    [0.69, true],
    [0.7, false],
    [1, false],
  ])('at %s a model may be asked: %s', (confidence, unsure) => {
    expect(isUnsure(confidence)).toBe(unsure);
  });
});
