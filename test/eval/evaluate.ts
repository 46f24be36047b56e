import type { Analysed, AnalysedSet, Way } from './analysed.ts';
import { type HealthyRow, healthyRows } from './healthy.ts';
import type { Line, Metric } from './line.ts';
import { badEndingLines } from './metrics/bad-endings.ts';
import { callerLines } from './metrics/callers.ts';
import { causeLines } from './metrics/causes.ts';
import { falseSuccessLines } from './metrics/false-success.ts';
import { faultLines } from './metrics/faults.ts';
import { frictionTurnLines } from './metrics/friction-turn.ts';
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
import { type RecordSet, readSet } from './records.ts';
import { readWritten, writtenFolders } from './written.ts';

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
  rich: [outcomeLines, confidenceLines],
  bare: [outcomeLines, confidenceLines],
};
/** The two ways in which written calls are imported. */
const VARIANTS = ['rich', 'bare'];
/** The sets that others labelled, by the names of their files. */
export const SETS = Object.keys(METRICS).filter((name) => !VARIANTS.includes(name));

export interface Selection {
  /** Null: both. */
  part: Part | null;
  /** Names of sets, or of kinds of them; empty: all. */
  only: readonly string[];
}

export const EVERYTHING: Selection = { part: null, only: [] };

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
export function chosenSets(folder: string, { part, only }: Selection): RecordSet[] {
  const labelled = SETS.flatMap((name) => readSet(folder, name) ?? []);
  const written = writtenFolders(folder).flatMap(readWritten);
  return [...labelled, ...written].flatMap((set) => {
    const isChosen = only.length === 0 || only.some((name) => set.set.startsWith(name) || set.measuredAs === name);
    const records = part === null ? set.records : set.records.filter((one) => one.part === part);
    return isChosen && records.length > 0 ? [{ ...set, records }] : [];
  });
}

/** Every figure of the sets, over all calls or those of one part. */
export function figuresOf(sets: readonly AnalysedSet[], part: Part | null): Line[] {
  const cut = sets.map((set) => ({ ...set, calls: ofPart(set.calls, part) })).filter((set) => set.calls.length > 0);
  const lines = cut.flatMap((set) => {
    const own = (METRICS[set.measuredAs] ?? []).flatMap((metric) => metric(set.set, set.calls));
    return VARIANTS.includes(set.measuredAs) ? [...own, ...faultLines(set.set, [set])] : own;
  });
  for (const variant of VARIANTS) {
    const all = cut.filter((set) => set.measuredAs === variant);
    if (all.length === 0) continue;
    const name = `all written (${variant})`;
    const calls = all.flatMap((set) => set.calls);
    lines.push(...(METRICS[variant] ?? []).flatMap((metric) => metric(name, calls)), ...faultLines(name, all));
  }
  return lines;
}

export function healthyRowsOf(sets: readonly AnalysedSet[]): HealthyRow[] {
  return sets.flatMap(({ set, calls }) => healthyRows(set, calls));
}

function ofPart(calls: readonly Analysed[], part: Part | null): Analysed[] {
  return calls.filter((call) => part === null || call.part === part);
}
