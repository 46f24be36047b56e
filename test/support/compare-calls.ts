import { NOT_JUDGED, nextStanding, type Standing } from '../../src/domain/comparisons/checkpoint.ts';
import { type ComparisonInput, compareVersions } from '../../src/domain/comparisons/compare.ts';
import type { ComparisonResult } from '../../src/domain/comparisons/comparison.ts';
import { factsOfCalls, startKey } from '../../src/domain/comparisons/facts.ts';
import type { ComparedCall } from '../../src/domain/comparisons/metrics.ts';

/** Compares two lists of calls as storage compares two versions: first where the verdict stands, then the figures. */
export function compareCalls(
  before: readonly ComparedCall[],
  after: readonly ComparedCall[],
  over: Partial<Pick<ComparisonInput, 'issues' | 'isChangedPlace' | 'standing'>> = {},
): { result: ComparisonResult; standing: Standing } {
  const now = { before: factsOfCalls(before), after: factsOfCalls(after) };
  const standing = nextStanding(now.before, now.after, over.standing ?? NOT_JUDGED);
  const { moment } = standing;
  const untilThen = (calls: readonly ComparedCall[]) =>
    factsOfCalls(moment === null ? calls : calls.filter(({ startedAt }) => startKey(startedAt) <= moment));
  const result = compareVersions({
    before: { version: 1, now: now.before, judged: untilThen(before) },
    after: { version: 2, now: now.after, judged: untilThen(after) },
    issues: over.issues ?? [],
    isChangedPlace: over.isChangedPlace ?? (() => false),
    isRandomized: false,
    standing,
  });
  return { result, standing };
}

/** A call of a version as comparisons see it: resolved after a minute, with nothing else to tell of it. */
export function comparedCall(over: Partial<ComparedCall> = {}): ComparedCall {
  return {
    id: 'a',
    startedAt: '2026-03-02T09:00:00.000Z',
    outcome: 'resolved',
    isNobodysFailure: false,
    intentSlug: 'book',
    durationMs: 60_000,
    toolResults: 0,
    toolFailures: 0,
    frictions: 0,
    calledAgain: null,
    calledAgainSettled: false,
    responseP50Ms: null,
    responseP90Ms: null,
    ...over,
  };
}
