import type { JsonObject } from '../json.ts';
import type { CatalogueEntry } from '../signals/catalogue-entry.ts';
import type { Candidate, StepTable } from './nominate-causes.ts';
import type { Named } from './outcome-cause.ts';

export interface Diagnosed {
  step: Omit<StepTable, 'issueId'>;
  candidates: readonly Candidate[];
  /** Pairs of code and step that were tested together. */
  tests: number;
  entryOf: (code: string) => CatalogueEntry;
}

/** How the issue came about: the figures of the named code, and of what competed with it. */
export function diagnosisOf({ step, candidates, tests, entryOf }: Diagnosed, named: Named | null): JsonObject {
  const tell = ({ code, with: shown, without: others, lift, p, adjustedP, nominated, from }: Candidate) => ({
    code,
    title: entryOf(code).title,
    nominated,
    withSignal: { calls: shown.n, endedBadlyHere: shown.k },
    withoutSignal: { calls: others.n, endedBadlyHere: others.k },
    lift: { value: round(lift.value), lower: round(lift.lower), upper: round(lift.upper) },
    p,
    adjustedP,
    comparedWith: from === null ? 'calls that reached the step' : `calls that reached ${from.label}`,
  });
  return {
    step: { calls: step.calls, endedBadlyHere: step.bad },
    method:
      "Fisher's exact test, one-sided, over all pairs of code and step (Benjamini-Hochberg 0.05); the lower 95 % bound of the risk ratio is at least 1.5.",
    tests,
    signal: named ? tell(named.candidate) : null,
    competing: candidates
      .filter(({ code }) => code !== named?.candidate.code)
      .slice(0, 5)
      .map(tell),
  };
}

/** Enough digits to read, and few enough that the last bits of a sum never write a row again. */
function round(value: number): number {
  return Number(value.toPrecision(6));
}
