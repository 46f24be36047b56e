import { expect, test } from 'vitest';
import { ANY_CODE, type CallFacts, createLedger, type LedgerTable, NO_DAY } from '../../../src/domain/issues/ledger.ts';
import type { Evidence } from '../../../src/domain/issues/signals-to-issues.ts';
import { randomFrom } from '../../support/random.ts';

const TABLES: LedgerTable[] = [
  'issueRollups',
  'issueDays',
  'issueCauses',
  'issueIntents',
  'issuePairs',
  'placeRollups',
  'stepCodes',
];
const ASK = { kind: 'node', id: 'ask', label: 'Ask' } as const;
const BOOK = { kind: 'tool', id: 'book', label: 'book' } as const;

const callOf = (changed: Partial<CallFacts> = {}): CallFacts => ({
  version: 3,
  startedAt: '2026-11-02T23:59:59.000Z',
  durationMs: 61_400,
  outcome: 'unresolved',
  endedBadly: true,
  callerSpoke: true,
  intentSlug: 'booking',
  profileId: 'p',
  places: [ASK, BOOK, ASK],
  steps: { end: BOOK, reached: [ASK, BOOK], codes: ['tool_failed'] },
  ...changed,
});
const evidenceOf = (changed: Partial<Evidence> = {}): Evidence => ({
  issueId: 'i1',
  own: true,
  firstTurn: 2,
  confidenceMilli: 800,
  causes: ['timeout'],
  ...changed,
});

test('a call counts once at each place that it reached, at the agent, and in each issue that it shows', () => {
  const ledger = createLedger();
  ledger.add(callOf(), [evidenceOf(), evidenceOf({ issueId: 'i2', firstTurn: 5, causes: [] })]);
  const outcome = [1, 1, 1, 0, 1, 0, 0, 0, 61, 61 * 61];
  expect(ledger.changes('placeRollups')).toEqual(
    [
      ['agent', 'agent'],
      ['node', 'ask'],
      ['tool', 'book'],
    ].map((place) => ({ key: [...place, 'p', 3, '2026-11-02'], change: outcome })),
  );
  expect(ledger.changes('issueRollups')).toEqual([
    { key: ['i1', 3], change: [...outcome, 1, 800] },
    { key: ['i2', 3], change: [...outcome, 1, 800] },
  ]);
  expect(ledger.changes('issueCauses')).toEqual([{ key: ['i1', 'timeout'], change: [1] }]);
  expect(ledger.changes('issuePairs')).toEqual([{ key: ['i1', 'i2'], change: [1] }]);
  expect(ledger.changes('stepCodes')).toEqual([
    { key: ['node', 'ask', ANY_CODE], change: [1, 0] },
    { key: ['node', 'ask', 'tool_failed'], change: [1, 0] },
    { key: ['tool', 'book', ANY_CODE], change: [1, 1] },
    { key: ['tool', 'book', 'tool_failed'], change: [1, 1] },
  ]);
});

test.each<[string, Partial<Evidence>[], LedgerTable]>([
  ['of the same turn neither came first', [{ firstTurn: 4 }, { issueId: 'i2', firstTurn: 4 }], 'issuePairs'],
  [
    'what follows from everything comes after nothing',
    [{}, { issueId: 'i2', firstTurn: 9, atEnd: true }],
    'issuePairs',
  ],
  ['a merged group alone gives its parent no cause', [{ own: false }], 'issueCauses'],
  ['a merged group alone gives its parent no day', [{ own: false }], 'issueDays'],
])('%s', (_what, evidence, table) => {
  const ledger = createLedger();
  ledger.add(callOf(), evidence.map(evidenceOf));
  expect(ledger.changes(table)).toEqual([]);
  expect(ledger.changes('issueRollups')).not.toEqual([]);
});

test('a call without a start has a day of its own, one without steps or intent counts at none', () => {
  const ledger = createLedger();
  ledger.add(callOf({ startedAt: null, steps: null, intentSlug: null, outcome: null }), [evidenceOf()]);
  expect(ledger.changes('issueDays')).toEqual([{ key: ['i1', NO_DAY], change: [1] }]);
  expect([ledger.changes('stepCodes'), ledger.changes('issueIntents')]).toEqual([[], []]);
});

test('whatever is added and taken away again in any order leaves nothing to write', () => {
  const random = randomFrom(7);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] ?? (items[0] as T);
  const made = Array.from({ length: 40 }, () => {
    const call = callOf({
      version: pick([1, 2, 3]),
      startedAt: pick([null, '2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z']),
      outcome: pick(['resolved', 'abandoned', null]),
      places: pick([[], [ASK], [ASK, BOOK]]),
    });
    const evidence = ['i1', 'i2', 'i3'].flatMap((issueId) =>
      random() < 0.5 ? [evidenceOf({ issueId, firstTurn: Math.floor(random() * 6), own: random() < 0.8 })] : [],
    );
    return { call, evidence };
  });
  const ledger = createLedger();
  for (const { call, evidence } of made) ledger.add(call, evidence);
  expect(TABLES.filter((table) => ledger.changes(table).length === 0)).toEqual([]);
  for (const { call, evidence } of made.toSorted(() => random() - 0.5)) ledger.remove(call, evidence);
  expect(TABLES.flatMap((table) => ledger.changes(table))).toEqual([]);
});
