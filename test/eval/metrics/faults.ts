import { type ProofForm, READER_CODES } from '../../../src/domain/reading/reader-codes.ts';
import type { Analysed, AnalysedSet } from '../analysed.ts';
import { share } from '../figures.ts';
import { numberOf, rowsOf } from '../labels.ts';
import { type Line, linesOf } from '../line.ts';

/** Codes that tell of one fault in different words: each counts for the other. */
const SISTERS: readonly (readonly string[])[] = [
  ['correction_not_applied', 'readback_mismatch', 'entity_mistranscribed', 'tool_args_unsupported'],
  ['reasked_known_slot', 'said_already_told', 'caller_repeated_self'],
  ['agent_repeats_line', 'flow_loop', 'no_progress', 'caller_repeated_self', 'reasked_known_slot'],
  [
    'claimed_after_failure',
    'claimed_without_tool',
    'result_misreported',
    'fact_contradicts_source',
    'fact_fabricated',
    'self_contradiction',
  ],
  ['tool_failed', 'transfer_failed', 'platform_error_end'],
  ['tool_slow', 'dead_air', 'turn_latency_high', 'first_word_slow', 'silence_timeout_end'],
  ['agent_interrupts_caller', 'barge_in_ignored', 'false_barge_in', 'caller_interrupts_often'],
  ['question_unanswered', 'reply_off_topic', 'intent_misread', 'caller_did_not_follow', 'kb_miss'],
  ['required_phrase_missing', 'instruction_not_followed', 'step_skipped', 'disclosed_before_verified'],
  ['forbidden_phrase_said', 'instruction_not_followed'],
  ['placeholder_spoken', 'markup_spoken', 'prompt_leak'],
  ['duplicate_write', 'tool_call_repeated', 'tool_retry_storm'],
  ['monologue', 'filler_heavy'],
  ['human_request_ignored', 'transfer_failed'],
  ['caller_left_mid_task', 'dead_end_step', 'silence_timeout_end'],
];
/** How a call ended or what it cost is no fault that a healthy call must not show. */
export const ENDINGS = new Set(['caller_left_mid_task', 'repeat_call_same_intent', 'cost_outlier']);
const RECURS_ON = 3;
const ROWS_READ = 3;

/** M17: labelled faults of written calls, what healthy calls and look-alikes are flagged for, outcomes, and the board. */
export function faultLines(name: string, sets: readonly AnalysedSet[]): Line[] {
  const { of, plain } = linesOf('M17 faults', name);
  const { faults, healthy, alike, outcomes } = judgedRows(sets);
  const hits = (rows: readonly { hit: boolean }[]) => share(rows.filter(({ hit }) => hit).length, rows.length);
  const lower = { better: 'lower' as const };
  const isGrouped = sets.every((set) => set.board !== null);
  const hitsOrNone = (rows: readonly { hit: boolean }[]) => (isGrouped && rows.length > 0 ? hits(rows) : Number.NaN);
  const withoutText = of(
    'faults found that need no agent text',
    faults.filter(({ code }) => !needsAgentText(code)),
    hits,
  );
  return [
    of('faults found within one turn', faults, hits),
    of(
      'faults found, a tool and its reply one place',
      faults.map((fault) => ({ ...fault, hit: fault.hit || fault.beside })),
      hits,
    ),
    ...(sets.every(({ measuredAs }) => measuredAs === 'bare') ? [withoutText] : []),
    of(
      'faults found on the call',
      faults.map((fault) => ({ ...fault, hit: fault.anywhere })),
      hits,
    ),
    of(
      'faults found or hinted',
      faults.map((fault) => ({ ...fault, hit: fault.hit || fault.hinted })),
      hits,
    ),
    of('healthy calls flagged', healthy, hits, lower),
    of(
      'healthy calls with a named cause',
      healthy.map(({ group, named }) => ({ group, hit: named })),
      hits,
      lower,
    ),
    of('look-alikes flagged', alike, hits, lower),
    of('outcome right', outcomes, hits),
    plain('recurring faults on the first rows', hitsOrNone(sets.flatMap(recurring))),
    plain('agents with their recurring faults on the first rows', hitsOrNone(agents(sets))),
  ];
}

type Scored = Pick<AnalysedSet, 'calls' | 'measuredAs'>;

/** What is scored, a row each: labelled faults, healthy calls, look-alikes, and endings that people agree on. */
export function judgedRows(sets: readonly Scored[]) {
  const calls = sets.flatMap((set) => set.calls);
  const faults = sets.flatMap((set) => set.calls.flatMap((call) => faultsOf(call, set.measuredAs)));
  const healthy = calls
    .filter((call) => rowsOf(call.labels['faults']).length === 0)
    .map((call) => {
      const found = findingsOf(call).filter((signal) => !ENDINGS.has(signal.code));
      return { group: call.group, hit: found.length > 0, named: found.some((signal) => signal.cause !== null) };
    });
  const alike = calls.flatMap((call) =>
    labelled(call, 'lookAlikes').map(({ code, place }) => ({ group: call.group, hit: isFoundNear(call, code, place) })),
  );
  const outcomes = calls.filter(hasJudgedOutcome).map((call) => ({
    group: call.group,
    hit: call.analysis.outcome === call.labels['outcome'],
  }));
  return { faults, healthy, alike, outcomes };
}

type Labelled = Pick<Analysed, 'labels' | 'places'>;

/** A label's turns count the record as it was written; here they are places among the turns that were imported. */
export function labelled(call: Labelled, field: 'faults' | 'lookAlikes') {
  return rowsOf(call.labels[field]).map((row) => {
    const turn = numberOf(row['turn']) ?? 0;
    return { code: String(row['code']), needs: row['needs'], place: call.places?.[turn] ?? turn };
  });
}

function findingsOf(call: Analysed) {
  return call.analysis.signals.filter((signal) => signal.klass !== 'behaviour');
}

export function areSisters(code: string, other: string): boolean {
  return code === other || SISTERS.some((list) => list.includes(code) && list.includes(other));
}

export function isNear(turnIndex: number, place: number): boolean {
  return Math.abs(turnIndex - place) <= 1;
}

function isFoundNear(call: Analysed, code: string, place: number): boolean {
  return findingsOf(call).some((signal) => areSisters(code, signal.code) && isNear(signal.turnIndex, place));
}

/** Faults that can be seen in what was imported: of words alone those that need words alone. */
function faultsOf(call: Analysed, measuredAs: string) {
  return countable(call, measuredAs).map(({ code, place }) => ({
    code,
    group: call.group,
    hit: isFoundNear(call, code, place),
    beside: findingsOf(call).some((one) => areSisters(code, one.code) && isOneStep(call, one.turnIndex, place)),
    anywhere: findingsOf(call).some((signal) => areSisters(code, signal.code)),
    hinted: call.analysis.observations.some((one) => areSisters(code, one.rule) && isNear(one.turnIndex, place)),
  }));
}

/** The agent's turn that uses a tool, the results, and the agent's reply to them. */
function isOneStep({ call }: Analysed, turn: number, other: number): boolean {
  const [from, to] = turn < other ? [turn, other] : [other, turn];
  const between = call.turns.filter(({ index }) => index >= from && index <= to);
  return between.some(({ toolCall }) => toolCall !== null) && between.every(({ role }) => role !== 'caller');
}

/** Nobody can see them in a record without the agent's text: what is proved by a line of it, or by its silence. */
function needsAgentText(code: string): boolean {
  return TEXT_FORMS.has(READER_CODES[code]?.form ?? 'other');
}

const TEXT_FORMS: ReadonlySet<ProofForm> = new Set([
  'prompt_line',
  'phrase_missing',
  'phrase_said',
  'before_verification',
  'no_source',
]);

export function countable(call: Labelled, measuredAs: string) {
  return labelled(call, 'faults').filter(
    ({ code, needs }) => !code.startsWith('other:') && (measuredAs !== 'bare' || needs === 'text'),
  );
}

/** Wrong numbers and pranks have no outcome that people agree on. */
export function hasJudgedOutcome(call: Labelled): boolean {
  return !/prank|wrong_number/.test(String(call.labels['intent'] ?? ''));
}

/** Agents with a recurring fault, and whether their board's first rows are about every one of them. */
function agents(sets: readonly AnalysedSet[]): { hit: boolean }[] {
  const found = sets.map(recurring).filter((faults) => faults.length > 0);
  return found.map((faults) => ({ hit: faults.every(({ hit }) => hit) }));
}

/** Faults that several calls of an agent show, and whether one of its board's first rows is about each. */
function recurring(set: AnalysedSet): { hit: boolean }[] {
  const rows = set.board?.slice(0, ROWS_READ) ?? [];
  const codes = set.calls.flatMap((call) => [...new Set(countable(call, set.measuredAs).map(({ code }) => code))]);
  return [...Map.groupBy(codes, (code) => code)]
    .filter(([, calls]) => calls.length >= RECURS_ON)
    .map(([code]) => ({ hit: rows.some((row) => areSisters(code, row.code)) }));
}
