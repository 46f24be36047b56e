import type { Place } from '../signals/signal.ts';
import type { Outcome } from '../vocabulary.ts';
import type { StepReading } from './outcome-step.ts';
import type { Evidence } from './signals-to-issues.ts';

/** The day of calls without a start time. */
export const NO_DAY = '0001-01-01';

/** What a call adds to every sum it is part of. */
export interface CallFacts {
  version: number;
  /** ISO 8601, or null. */
  startedAt: string | null;
  durationMs: number;
  outcome: Outcome | null;
  endedBadly: boolean;
  callerSpoke: boolean;
  intentSlug: string | null;
  profileId: string;
  /** Every call reaches (`agent`, `agent`), which need not be named here. */
  places: readonly Place[];
  /** What the call says about its steps; null where its last one is not known. */
  steps?: StepReading | null;
}

/** Of calls that were left open only those that ended badly count: the others are nobody's failure. */
export const OUTCOME_COUNTS = [
  'calls',
  'spoke',
  'bad',
  'resolved',
  'unresolved',
  'transferred',
  'abandoned',
  'no_contact',
  'duration_s',
  'duration_square_s',
] as const;
export const ISSUE_COUNTS = [...OUTCOME_COUNTS, 'own_calls', 'confidence_milli'] as const;
/** Calls that reached a step (with a code, noticed early), and of them those that ended badly there. */
export const STEP_COUNTS = ['calls', 'bad'] as const;
/** Stands for any code: the calls that reached the step. */
export const ANY_CODE = '';

/** Key parts and the change of each count, in the order of the table's counts. */
export interface LedgerRow {
  key: readonly (string | number)[];
  change: number[];
}

export type LedgerTable =
  | 'issueRollups'
  | 'issueDays'
  | 'issueCauses'
  | 'issueIntents'
  | 'issuePairs'
  | 'placeRollups'
  | 'stepCodes';

/**
 * Sums of differences: calls are added as they are now and taken away as they were, and what does not cancel is
 * written. All counts are whole numbers, so that any order of batches ends at the same sums.
 */
export interface Ledger {
  add(call: CallFacts, evidence: readonly Evidence[]): void;
  remove(call: CallFacts, evidence: readonly Evidence[]): void;
  /** Rows whose counts changed; keys in a fixed order. */
  changes(table: LedgerTable): LedgerRow[];
}

export function createLedger(): Ledger {
  const tables = new Map<LedgerTable, Map<string, LedgerRow>>();
  const tally = (table: LedgerTable, key: (string | number)[], counts: number[], sign: number) => {
    let rows = tables.get(table);
    if (!rows) tables.set(table, (rows = new Map()));
    const id = JSON.stringify(key);
    let row = rows.get(id);
    if (!row) rows.set(id, (row = { key, change: counts.map(() => 0) }));
    const { change } = row;
    counts.forEach((count, index) => {
      change[index] = (change[index] ?? 0) + sign * count;
    });
  };
  const enter = (call: CallFacts, evidence: readonly Evidence[], sign: 1 | -1) => {
    const counts = outcomeCounts(call);
    const day = dayOf(call.startedAt);
    for (const place of withAgent(call.places)) {
      tally('placeRollups', [place.kind, place.id, call.profileId, call.version, day], counts, sign);
    }
    for (const { issueId, own, confidenceMilli, causes } of evidence) {
      tally('issueRollups', [issueId, call.version], [...counts, own ? 1 : 0, confidenceMilli], sign);
      if (call.intentSlug !== null) tally('issueIntents', [issueId, call.intentSlug], [1], sign);
      if (!own) continue;
      tally('issueDays', [issueId, day], [1], sign);
      for (const cause of causes) tally('issueCauses', [issueId, cause], [1], sign);
    }
    for (const { place, code, bad } of stepCodes(call))
      tally('stepCodes', [place.kind, place.id, code], [1, bad], sign);
    for (const [first, then] of orderedPairs(evidence)) tally('issuePairs', [first, then], [1], sign);
  };
  return {
    add: (call, evidence) => enter(call, evidence, 1),
    remove: (call, evidence) => enter(call, evidence, -1),
    changes(table) {
      const rows = [...(tables.get(table) ?? new Map<string, LedgerRow>())];
      return rows
        .filter(([, row]) => row.change.some((count) => count !== 0))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, row]) => row);
    },
  };
}

export function dayOf(startedAt: string | null): string {
  return startedAt === null ? NO_DAY : startedAt.slice(0, 10);
}

function outcomeCounts(call: CallFacts): number[] {
  const is = (outcome: Outcome) => (call.outcome === outcome ? 1 : 0);
  const seconds = Math.round(call.durationMs / 1000);
  return [
    1,
    call.callerSpoke ? 1 : 0,
    call.endedBadly ? 1 : 0,
    is('resolved'),
    call.endedBadly ? is('unresolved') : 0,
    is('transferred'),
    call.endedBadly ? is('abandoned') : 0,
    is('no_contact'),
    seconds,
    seconds * seconds,
  ];
}

const AGENT_PLACE = { kind: 'agent', id: 'agent' } as const;

function withAgent(places: readonly Place[]): Pick<Place, 'kind' | 'id'>[] {
  const distinct = new Map<string, Pick<Place, 'kind' | 'id'>>();
  for (const place of [AGENT_PLACE, ...places]) distinct.set(JSON.stringify([place.kind, place.id]), place);
  return [...distinct.values()];
}

function* stepCodes({ steps, endedBadly }: CallFacts) {
  if (!steps) return;
  const { end, reached, codes } = steps;
  for (const place of reached) {
    const bad = endedBadly && place.kind === end.kind && place.id === end.id ? 1 : 0;
    for (const code of [ANY_CODE, ...codes]) yield { place, code, bad };
  }
}

/** Pairs of issues whose own signals came one before the other; at the same turn neither came first. */
function* orderedPairs(evidence: readonly Evidence[]): Generator<[string, string]> {
  const own = evidence.filter((item) => item.own && item.atEnd !== true);
  for (const first of own) {
    for (const then of own) if (first.firstTurn < then.firstTurn) yield [first.issueId, then.issueId];
  }
}
