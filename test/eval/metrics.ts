import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import type { CallAnalysis } from '../../src/domain/signals/signal.ts';
import { countCallers } from './callers.ts';
import { accuracy, auc, f1, interval, macroF1, share } from './figures.ts';
import { type LabelledCall, readSet } from './records.ts';

/** One printed figure: ours with its interval, and what one gets without understanding anything. */
export interface Line {
  metric: string;
  set: string;
  figure: string;
  ours: number;
  interval: [number, number] | null;
  floor: number | null;
  better: 'higher' | 'lower';
}

export interface Analysed extends LabelledCall {
  analysis: CallAnalysis;
  group: string;
}

const GROUP_LABEL: Record<string, string> = {
  star: 'callerId',
  tau_airline: 'taskId',
  tau_retail: 'callerId',
  eva_progression: 'scenario',
  eva_faithfulness: 'scenario',
};

export function analyseSet(folder: string, set: string): Analysed[] | null {
  const records = readSet(folder, set);
  if (records === null) return null;
  return records.map((record) => ({
    ...record,
    analysis: analyseCall({ call: record.call, configuration: record.configuration }, {}),
    group: String(record.labels[GROUP_LABEL[set] ?? ''] ?? record.id),
  }));
}

const OUTCOME_FLOORS: Record<string, { accuracy: number; macroF1: number }> = {
  star: { accuracy: 0.843, macroF1: 0.872 },
  tau_airline: { accuracy: 0.5, macroF1: 0.464 },
  tau_retail: { accuracy: 0.677, macroF1: 0.749 },
};

export function outcomeLines(set: string, calls: readonly Analysed[]): Line[] {
  const pairs = calls
    .filter((call) => typeof call.labels['outcome'] === 'string')
    .map((call) => ({ group: call.group, truth: String(call.labels['outcome']), answer: call.analysis.outcome }));
  const floor = OUTCOME_FLOORS[set];
  const metric = 'M1 outcome';
  return [
    {
      metric,
      set,
      figure: 'macro-F1',
      ours: macroF1(pairs),
      interval: interval(pairs, macroF1),
      floor: floor?.macroF1 ?? null,
      better: 'higher',
    },
    {
      metric,
      set,
      figure: 'accuracy',
      ours: accuracy(pairs),
      interval: interval(pairs, accuracy),
      floor: floor?.accuracy ?? null,
      better: 'higher',
    },
  ];
}

const FALSE_SUCCESS = new Set(['claimed_without_tool', 'claimed_after_failure', 'result_misreported', 'tool_missing']);
const FALSE_SUCCESS_FLOORS: Record<string, number> = { tau_airline: 0.506, tau_retail: 0.726 };

export function falseSuccessLines(set: string, calls: readonly Analysed[]): Line[] {
  const rows = calls
    .filter((call) => call.labels['outcome'] !== 'transferred')
    .map((call) => ({
      group: call.group,
      bad: call.labels['reward'] === 0,
      score: call.analysis.badEndingScore,
      flagged: call.analysis.signals.some((signal) => FALSE_SUCCESS.has(signal.code)),
      unresolved: call.analysis.outcome !== 'resolved',
    }));
  const bySignal = f1(rows.map((row) => ({ truth: row.bad, answer: row.flagged })));
  const byOutcome = f1(rows.map((row) => ({ truth: row.bad, answer: row.unresolved })));
  const metric = 'M3 false success';
  const line = (figure: string, ours: number, floor: number | null = null): Line => ({
    metric,
    set,
    figure,
    ours,
    interval: null,
    floor,
    better: 'higher',
  });
  return [
    { ...line('AUC of badEndingScore', auc(rows), FALSE_SUCCESS_FLOORS[set] ?? null), interval: interval(rows, auc) },
    line('precision by signal', bySignal.precision),
    line('recall by signal', bySignal.recall),
    line('precision by outcome', byOutcome.precision),
    line('recall by outcome', byOutcome.recall),
  ];
}

export function toolFailureLines(set: string, calls: readonly Analysed[]): Line[] {
  const flags = calls.flatMap((call) => {
    const truth = numbersOf(call.labels['toolErrorTurns']);
    return call.analysis.toolResults.map((result) => ({
      group: call.group,
      truth: truth.has(result.turn),
      answer: result.ok === false,
    }));
  });
  const exact = share(
    calls.filter((call) => call.analysis.counts.toolFailures === numbersOf(call.labels['toolErrorTurns']).size).length,
    calls.length,
  );
  const metric = 'M4 tool failure';
  return [
    {
      metric,
      set,
      figure: 'F1 a tool turn',
      ours: f1(flags).f1,
      interval: interval(flags, (rows) => f1(rows).f1),
      floor: 1,
      better: 'higher',
    },
    { metric, set, figure: 'count exact', ours: exact, interval: null, floor: 1, better: 'higher' },
  ];
}

export function refusalLines(set: string, calls: readonly Analysed[]): Line[] {
  const flags = calls.flatMap((call) => {
    const truth = numbersOf(call.labels['toolRefusalTurns']);
    const technical = new Set(
      call.analysis.signals.filter((signal) => signal.klass === 'technical').map((signal) => signal.turnIndex),
    );
    return call.analysis.toolResults.map((result) => ({
      group: call.group,
      truth: truth.has(result.turn),
      answer: result.refusal,
      technical: technical.has(result.turn),
    }));
  });
  const refused = flags.filter((flag) => flag.truth);
  const figures = f1(flags);
  const metric = 'M5 refusal';
  return [
    {
      metric,
      set,
      figure: 'F1',
      ours: figures.f1,
      interval: interval(flags, (rows) => f1(rows).f1),
      floor: 0.783,
      better: 'higher',
    },
    { metric, set, figure: 'precision', ours: figures.precision, interval: null, floor: 0.643, better: 'higher' },
    { metric, set, figure: 'recall', ours: figures.recall, interval: null, floor: 1, better: 'higher' },
    {
      metric,
      set,
      figure: 'refusals flagged technical',
      ours: share(refused.filter((flag) => flag.technical).length, refused.length),
      interval: null,
      floor: null,
      better: 'lower',
    },
  ];
}

/** Repeat callers: the label is given as the caller's number, as the page of the sets allows. */
export function callerLines(set: string, calls: readonly Analysed[]): Line[] {
  const counted = countCallers(
    calls.map((call) => ({
      id: call.id,
      callerKey: String(call.labels['callerId']),
      startedAt: call.call.startedAt,
      providerCallId: call.id,
    })),
  );
  const exact = (field: 'of' | 'nth', label: string) =>
    share(calls.filter((call) => counted.get(call.id)?.[field] === call.labels[label]).length, calls.length);
  const metric = 'M13 callers';
  return [
    { metric, set, figure: 'of exact', ours: exact('of', 'callerOf'), interval: null, floor: 1, better: 'higher' },
    {
      metric,
      set,
      figure: 'nth exact',
      ours: exact('nth', 'callerNth'),
      interval: null,
      floor: null,
      better: 'higher',
    },
  ];
}

/** Calls without a failure label: the fewer findings, and above all the fewer that name a cause, the better. */
export function honestyLines(set: string, calls: readonly Analysed[]): Line[] {
  const good = calls.filter((call) => call.labels['reward'] === 1 || call.labels['rating'] === 3);
  const findings = good.map((call) => call.analysis.signals.filter((signal) => signal.klass !== 'behaviour'));
  const all = findings.flat();
  const metric = 'M15 honesty';
  const line = (figure: string, ours: number): Line => ({
    metric,
    set,
    figure,
    ours,
    interval: null,
    floor: null,
    better: 'lower',
  });
  return [
    line('findings a call', share(all.length, good.length)),
    line('findings with a cause', share(all.filter((signal) => signal.cause !== null).length, all.length)),
    line(
      'calls with a named cause',
      share(findings.filter((list) => list.some((signal) => signal.cause !== null)).length, good.length),
    ),
  ];
}

function numbersOf(value: unknown): Set<number> {
  return new Set(Array.isArray(value) ? value.filter((one) => typeof one === 'number') : []);
}
