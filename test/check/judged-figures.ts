import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANALYSER_VERSION } from '../../src/domain/signals/analyser-version.ts';
import { memoryCalls } from '../eval/in-memory.ts';
import { judgedRows } from '../eval/metrics/faults.ts';
import { ownSets } from '../eval/written.ts';
import type { CheckResult } from './check.ts';

export const JUDGED_FIGURES = 'test/check/judged-figures.json';

const VARIANTS = ['rich', 'bare'] as const;
type Variant = (typeof VARIANTS)[number];

/** Shares on the calls of businesses that no rule was made from. */
export interface Shares {
  faultsFound: number;
  healthyFlagged: number;
  lookAlikesFlagged: number;
  outcomesRight: number;
}

export interface JudgedFigures {
  version: number;
  figures: Record<Variant, Shares>;
}

/** A version of the analyser that does worse on judged businesses than the one before does not land. */
export function judgedFigures(project: string): CheckResult {
  const now = judgedFiguresNow();
  const landed = landedFigures(project);
  const details = worseThan(now, landed) ?? (JSON.stringify(now) === JSON.stringify(landed) ? '' : NOT_WRITTEN);
  return { ok: details === '', text: VARIANTS.map((one) => `${one} ${valueOf(now.figures[one])}`).join(', '), details };
}

const NOT_WRITTEN = `${JUDGED_FIGURES} does not hold the present figures: npm run readings writes it.`;

export const landedFigures = (project: string) =>
  JSON.parse(readFileSync(join(project, JUDGED_FIGURES), 'utf8')) as JudgedFigures;

export function judgedFiguresNow(): JudgedFigures {
  const sets = ownSets();
  const shares = (variant: Variant): Shares => {
    const { faults, healthy, alike, outcomes } = judgedRows(
      sets
        .filter(({ measuredAs }) => measuredAs === variant)
        .map((set) => ({ ...set, records: set.records.filter(({ part }) => part === 'judge') }))
        .map((set) => ({ ...set, calls: memoryCalls(set) })),
    );
    const share = (rows: readonly { hit: boolean }[]) =>
      Math.round((rows.filter(({ hit }) => hit).length / rows.length) * 1000) / 1000;
    return {
      faultsFound: share(faults),
      healthyFlagged: share(healthy),
      lookAlikesFlagged: share(alike),
      outcomesRight: share(outcomes),
    };
  };
  return { version: ANALYSER_VERSION, figures: { rich: shares('rich'), bare: shares('bare') } };
}

/** One figure for a variant: what is right less what is wrong, so that a gain pays for a loss of its size. */
function valueOf({ faultsFound, healthyFlagged, lookAlikesFlagged, outcomesRight }: Shares): number {
  return Math.round((faultsFound + outcomesRight - healthyFlagged - lookAlikesFlagged) * 1000) / 1000;
}

/** Why these figures can't land over the others; null where they can. */
export function worseThan(now: JudgedFigures, landed: JudgedFigures): string | null {
  const worse = VARIANTS.filter((one) => valueOf(now.figures[one]) < valueOf(landed.figures[one]));
  if (worse.length === 0) return null;
  const told = worse.map(
    (one) => `${one}: ${JSON.stringify(landed.figures[one])} became ${JSON.stringify(now.figures[one])}`,
  );
  return `Version ${now.version} does worse on judged businesses than version ${landed.version} did (faults found and outcomes right, less healthy calls and look-alikes flagged). ${told.join('. ')}.`;
}
