import { createHash } from 'node:crypto';
import type { Analysed, AnalysedSet, Way } from './analysed.ts';
import { GUIDELINES, readGuidelineSets } from './guideline-sets.ts';
import { type HealthyRow, healthyRows } from './healthy.ts';
import type { Line, Metric } from './line.ts';
import { badEndingLines } from './metrics/bad-endings.ts';
import { callerLines } from './metrics/callers.ts';
import { causeLines } from './metrics/causes.ts';
import { falseSuccessLines } from './metrics/false-success.ts';
import { faultLines } from './metrics/faults.ts';
import { frictionTurnLines } from './metrics/friction-turn.ts';
import { guidelineLines } from './metrics/guidelines.ts';
import { hearingLines, identificationLines } from './metrics/hearing.ts';
import { honestyLines } from './metrics/honesty.ts';
import { callIntentLines, openIntentLines } from './metrics/intents.ts';
import { confidenceLines, outcomeLines, toldFailureLines } from './metrics/outcome.ts';
import { refusalLines } from './metrics/refusal.ts';
import { stepJudgeLines } from './metrics/step-judge.ts';
import { callSymptomLines, turnSymptomLines } from './metrics/symptoms.ts';
import { timingLines } from './metrics/timing.ts';
import { toolFailureLines } from './metrics/tool-failure.ts';
import { versionLines } from './metrics/versions.ts';
import type { Part } from './parts.ts';
import { type LabelledRecord, type RecordSet, readSet } from './records.ts';
import { readWritten, VARIANTS, writtenFolders } from './written.ts';

const OUTCOME = [outcomeLines, toldFailureLines, confidenceLines];

/** What is measured on which set; a metric is one file in `metrics/` and one word here. */
const METRICS: Record<string, readonly Metric[]> = {
  star: [...OUTCOME, refusalLines, callIntentLines, callerLines, versionLines],
  betold: [badEndingLines, versionLines],
  tau_airline: [...OUTCOME, falseSuccessLines, toolFailureLines, callerLines, honestyLines],
  tau_retail: [...OUTCOME, falseSuccessLines, toolFailureLines, causeLines, callerLines, honestyLines],
  eva_progression: [callSymptomLines, toolFailureLines, honestyLines],
  eva_faithfulness: [callSymptomLines, toolFailureLines, honestyLines],
  eva_conciseness: [turnSymptomLines],
  eva_hearing: [hearingLines],
  evi: [identificationLines, callerLines],
  dstc11_intents: [openIntentLines],
  multidogo: [callIntentLines],
  dbdc3: [frictionTurnLines],
  tm4_thumbs: [stepJudgeLines],
  tau2voice: [timingLines],
  [GUIDELINES]: [guidelineLines],
  rich: [outcomeLines, confidenceLines],
  bare: [outcomeLines, confidenceLines],
};
/** The sets that others labelled, by the names of their files. */
export const SETS = Object.keys(METRICS).filter((name) => ![...VARIANTS, GUIDELINES].includes(name));

export interface Selection {
  /** Null: both. */
  part: Part | null;
  /** Names of sets, or of kinds of them; empty: all. */
  only: readonly string[];
  /** Of each kind of set so many records, drawn by their ids alone; null: all. */
  sample: number | null;
}

export const EVERYTHING: Selection = { part: null, only: [], sample: null };

export interface Evaluation {
  sets: AnalysedSet[];
  /** Sets that the folder does not hold. */
  absent: string[];
}

/** Analyses the labelled sets of a folder, and the written calls beside them and of our own. */
export async function analyseSets(folder: string, way: Way, selection: Selection): Promise<Evaluation> {
  const sets: AnalysedSet[] = [];
  for (const set of chosenSets(folder, selection)) {
    const analysed = await way.analyse(set);
    if (analysed.calls.length > 0) sets.push(analysed);
  }
  return { sets, absent: SETS.filter((name) => readSet(folder, name) === null) };
}

/** The sets of a folder that are chosen, with their records of the part that is. */
export function chosenSets(folder: string, { part, only, sample }: Selection): RecordSet[] {
  const labelled = SETS.flatMap((name) => readSet(folder, name) ?? []);
  const written = writtenFolders(folder).flatMap(readWritten);
  const chosen = [...labelled, ...readGuidelineSets(folder), ...written].filter(
    (set) => only.length === 0 || only.some((name) => set.set.startsWith(name) || set.measuredAs === name),
  );
  const drawn = sample === null ? null : drawnFrom(chosen, sample);
  return chosen.flatMap((set) => {
    const records = set.records.filter((one) => (part === null || one.part === part) && drawn?.has(one) !== false);
    return records.length > 0 ? [{ ...set, records }] : [];
  });
}

/** The same records each time, whatever order they come in. */
function drawnFrom(sets: readonly RecordSet[], sample: number): Set<LabelledRecord> {
  const kinds = Map.groupBy(sets, ({ measuredAs }) => measuredAs);
  return new Set(
    [...kinds.values()].flatMap((some) =>
      some
        .flatMap(({ records }) => records)
        .map((record) => ({ record, place: createHash('sha256').update(record.id).digest('hex') }))
        .sort((a, b) => (a.place < b.place ? -1 : 1))
        .slice(0, sample)
        .map(({ record }) => record),
    ),
  );
}

/** Every figure of the sets, over all calls or those of one part. */
export function figuresOf(sets: readonly AnalysedSet[], part: Part | null): Line[] {
  const cut = sets.map((set) => ({ ...set, calls: ofPart(set.calls, part) })).filter((set) => set.calls.length > 0);
  const lines = cut
    .filter(({ measuredAs }) => measuredAs !== GUIDELINES)
    .flatMap((set) => {
      const own = (METRICS[set.measuredAs] ?? []).flatMap((metric) => metric(set.set, set.calls));
      return VARIANTS.includes(set.measuredAs) ? [...own, ...faultLines(set.set, [set])] : own;
    });
  for (const kind of [...VARIANTS, GUIDELINES]) {
    const all = cut.filter((set) => set.measuredAs === kind);
    if (all.length === 0) continue;
    const isWritten = VARIANTS.includes(kind);
    const name = isWritten ? `all written (${kind})` : kind;
    const calls = all.flatMap((set) => set.calls);
    lines.push(...(METRICS[kind] ?? []).flatMap((metric) => metric(name, calls)));
    if (isWritten) lines.push(...faultLines(name, all));
  }
  return lines;
}

/** The same calls as the rules alone read them; boards are of what was merged, so there is none. */
export function byRulesAlone(sets: readonly AnalysedSet[]): AnalysedSet[] {
  return sets.map((set) => ({
    ...set,
    calls: set.calls.map(({ rules, ...call }) => ({ ...call, analysis: rules ?? call.analysis })),
    board: null,
  }));
}

export function healthyRowsOf(sets: readonly AnalysedSet[]): HealthyRow[] {
  return sets.flatMap(({ set, calls }) => healthyRows(set, calls));
}

function ofPart(calls: readonly Analysed[], part: Part | null): Analysed[] {
  return calls.filter((call) => part === null || call.part === part);
}
