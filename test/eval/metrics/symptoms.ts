import type { Analysed } from '../analysed.ts';
import { accuracy, auc, f1, macroF1, quadraticKappa } from '../figures.ts';
import { numberOf, rowsOf, textsOf } from '../labels.ts';
import { type Line, linesOf, type Metric } from '../line.ts';

/** Codes that speak of a mode of the labels; a mode without a code is never found. */
const MODE_CODES: Record<string, readonly string[]> = {
  minor_redundancy: [
    'agent_repeats_line',
    'reasked_known_slot',
    'duplicate_write',
    'tool_retry_storm',
    'tool_call_repeated',
  ],
  redundant_statements: ['agent_repeats_line', 'reasked_known_slot'],
  inefficient_tool_use: ['tool_call_repeated', 'tool_args_invalid', 'tool_retry_storm', 'tool_args_unsupported'],
  unnecessary_tool_calls: ['tool_call_repeated', 'tool_args_invalid', 'tool_retry_storm', 'tool_args_unsupported'],
  information_loss: ['reasked_known_slot', 'said_already_told', 'correction_not_applied', 'readback_mismatch'],
  hallucination: ['fact_contradicts_source', 'result_misreported', 'claimed_without_tool', 'claimed_after_failure'],
  violating_policies: ['disclosed_before_verified', 'instruction_not_followed', 'tool_args_unsupported'],
  fabricating_tool_parameters: ['tool_args_unsupported', 'tool_args_invalid'],
  misrepresenting_tool_result: ['result_misreported', 'tool_result_ignored'],
};

interface Row {
  group: string;
  truth: string;
  answer: string;
  bad: boolean;
  score: number;
  flag: { truth: boolean; answer: boolean };
  modes: string[];
  codes: Set<string>;
}

const FLOORS: Record<string, { f1: number; auc: number; accuracy: number; published: string }> = {
  eva_progression: { f1: 0.746, auc: 0.711, accuracy: 0.429, published: 'judge model: accuracy 0.799, macro-F1 0.782' },
  eva_faithfulness: { f1: 0.758, auc: 0.5, accuracy: 0.39, published: 'judge model: accuracy 0.839, macro-F1 0.807' },
  eva_conciseness: { f1: 0.905, auc: 0.959, accuracy: 0.711, published: 'judge model: accuracy 0.923, macro-F1 0.838' },
};

/** M9 a call: is a call that people rated under 3 flagged, with the right kind of symptom. */
export const callSymptomLines: Metric = (set, calls) =>
  linesFor(set, calls.filter((call) => typeof call.labels['rating'] === 'number').map(callRow));

/** M9 a turn: each rated turn of the agent. */
export const turnSymptomLines: Metric = (set, calls) => linesFor(set, calls.flatMap(turnRows));

function callRow(call: Analysed): Row {
  const rating = numberOf(call.labels['rating']) ?? 3;
  const findings = call.analysis.signals.filter((signal) => signal.klass !== 'behaviour');
  const seen = [...findings.map((signal) => signal.code), ...call.analysis.observations.map((one) => one.rule)];
  return {
    group: call.group,
    truth: String(rating),
    answer: String(call.analysis.rating),
    bad: rating < 3,
    score: 1 - findings.reduce((clear, signal) => clear * (1 - Math.min(0.95, signal.confidence)), 1),
    flag: { truth: rating < 3, answer: findings.length > 0 },
    // A mode beside the best rating is a false alarm of the labelling; the records' notes say so.
    modes: rating === 3 ? [] : textsOf(call.labels['failureModes']),
    codes: new Set(seen),
  };
}

function turnRows(call: Analysed): Row[] {
  const ours = new Map(call.analysis.turnRatings.map((one) => [one.turn, one]));
  return rowsOf(call.labels['turnRatings']).flatMap((label) => {
    const turn = numberOf(label['turn']);
    const rating = numberOf(label['rating']);
    const answer = turn === null ? undefined : ours.get(turn);
    if (rating === null || answer === undefined) return [];
    return [
      {
        group: call.group,
        truth: String(rating),
        answer: String(answer.rating),
        bad: rating < 3,
        score: 3 - answer.rating,
        flag: { truth: rating < 3, answer: answer.rating < 3 },
        modes: [],
        codes: new Set<string>(),
      },
    ];
  });
}

function linesFor(set: string, rows: readonly Row[]): Line[] {
  const floor = FLOORS[set];
  const { of } = linesOf('M9 symptoms', set);
  const flags = (some: readonly Row[]) => f1(some.map((row) => row.flag));
  return [
    of('AUC', rows, auc, { floor: floor?.auc ?? null }),
    of('F1', rows, (some) => flags(some).f1, { floor: floor?.f1 ?? null }),
    of('precision', rows, (some) => flags(some).precision),
    of('recall', rows, (some) => flags(some).recall),
    of('rating accuracy', rows, accuracy, { floor: floor?.accuracy ?? null, published: floor?.published ?? null }),
    of('rating macro-F1', rows, macroF1),
    of('rating quadratic kappa', rows, quadraticKappa),
    ...modeLines(set, rows),
  ];
}

function modeLines(set: string, rows: readonly Row[]): Line[] {
  const { of } = linesOf('M9 symptoms', set);
  const modes = [...new Set(rows.flatMap((row) => row.modes))].sort();
  return modes.flatMap((mode) => {
    const codes = MODE_CODES[mode] ?? [];
    const scored = codes.length === 0 ? [] : rows;
    const flags = (some: readonly Row[]) =>
      f1(some.map((row) => ({ truth: row.modes.includes(mode), answer: codes.some((code) => row.codes.has(code)) })));
    return [
      of(`${mode}: precision`, scored, (some) => flags(some).precision),
      of(`${mode}: recall`, scored, (some) => flags(some).recall),
    ];
  });
}
