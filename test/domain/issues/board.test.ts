import { expect, test } from 'vitest';
import { summarise } from '../../../src/domain/issues/board-summary.ts';
import { type RankFacts, rankReason } from '../../../src/domain/issues/rank-reason.ts';
import { groupUnexplained, type UnexplainedCall } from '../../../src/domain/issues/unexplained.ts';

const facts = (over: Partial<RankFacts> = {}): RankFacts => ({
  section: 'fix',
  causeEstablished: true,
  fellOnLive: false,
  volume: 65,
  allCalls: 360,
  failedShare: 0.65,
  severity: 'high',
  parts: {
    computableCalls: 360,
    harm: 0.29,
    harmFloor: 0.2,
    harmBy: 'endings',
    harmDifference: 0.41,
    harmDifferenceLower: 0.29,
  },
  daysSinceSeen: 0,
  ...over,
});

test('an issue says how many calls, how they ended, how the others did, and what else it is weighed by', () => {
  expect(rankReason(facts())).toBe(
    '65 of 360 calls, 65 % of which ended badly (24 % of the others); ranked by how many more of its calls end badly (surely 29 % more); cause established.',
  );
});

test.each([
  [
    'fixed on the live version',
    { fellOnLive: true },
    /^Below those that still happen, as the live version no longer shows it\. 65 of 360/,
  ],
  [
    'without a cause',
    { section: 'not_established', causeEstablished: false },
    /^Below every issue with a cause, .*\. 65 of 360(?!.*cause established)/,
  ],
  [
    'that harms nobody more than others',
    { failedShare: 0, parts: { harmBy: 'severity', harmDifference: -0.3 }, severity: 'medium' },
    /none of which ended badly \(30 % of the others\); ranked by its severity \(medium\), as its calls are not shown to end worse than others; /,
  ],
  [
    'whose severity counts for more than its endings',
    { parts: { harmBy: 'severity', harmDifference: 0.3, harmDifferenceLower: 0.08 } },
    /; ranked by its severity \(high\), which counts for more than how its calls end \(surely 8\.0 % more end badly\); /,
  ],
  [
    'that is itself a bad ending',
    { parts: { harmBy: 'ending', harmDifference: 0.6, harmDifferenceLower: 0.4 }, severity: 'medium' },
    /; ranked by its severity as a bad ending \(medium\); /,
  ],
  [
    'that ranks through another, with its own endings and not those of the other,',
    {
      volume: 4,
      failedShare: 1,
      parts: {
        computableCalls: 30,
        harmBy: 'ending',
        harmDifference: 0.1,
        through: 'Caller left mid-task',
        own: { computableCalls: 360, harmDifference: 0.7 },
      },
    },
    /^4 of 360 calls, all of which ended badly \(30 % of the others\); ranked by what follows from it, “Caller left mid-task”: its severity as a bad ending \(high\); /,
  ],
  [
    'by which callers lose something',
    { parts: { harmBy: 'loss', loss: 'their privacy' }, severity: 'critical' },
    /; ranked by what callers lose \(their privacy\); cause established\.$/,
  ],
  [
    'from which a graver one follows',
    { parts: { harmBy: 'loss', loss: 'their privacy', through: 'Wrong data' } },
    /; ranked by what follows from it, “Wrong data”: what callers lose \(their privacy\); /,
  ],
  ['that few calls can show', { parts: { computableCalls: 120 } }, /^65 of the 120 calls on which it could be read/],
  [
    'that every call shows on which it could be read',
    { volume: 10, allCalls: 20, failedShare: 1, parts: { computableCalls: 10, harmDifference: 0 } },
    /^10 of the 10 calls on which it could be read, all of which ended badly; /,
  ],
  [
    'that was read from words alone',
    { parts: { confidence: 0.6 } },
    /; discounted for the confidence of its findings \(60 %\); cause established\.$/,
  ],
  [
    'that was last seen long ago',
    { daysSinceSeen: 20.4 },
    /last seen 20 days before the newest call; cause established\.$/,
  ],
] as [string, Partial<RankFacts>, RegExp][])('an issue %s says so', (_what, over, expected) => {
  expect(rankReason(facts(over))).toMatch(expected);
});

const RENT = { slug: 'rent_bike', label: 'Rent bike' };
const REPAIR = { slug: 'repair_bike', label: 'Repair bike' };
let made = 0;
const bad = (over: Partial<UnexplainedCall>): UnexplainedCall => ({
  callId: `call ${(made += 1)}`,
  intent: RENT,
  refusal: null,
  rule: { name: 'closed_after_refusal', text: 'The talk was closed after a refusal. It was the second.' },
  ...over,
});
const refused = (day: string) => bad({ refusal: `"find_bike" answered no: No cargo bike free on ${day} ${made}` });

test('calls that ended badly without a finding stand together by the last refusal and what was wanted', () => {
  const calls = [
    refused('Sunday'),
    refused('Monday'),
    refused('Friday'),
    bad({}),
    bad({}),
    bad({}),
    bad({ intent: REPAIR }),
  ];
  const { rows, left } = groupUnexplained(calls);
  expect(rows.map(({ title, calls: count }) => [count, title])).toEqual([
    [3, 'Calls about “Rent bike” after find_bike said “No cargo bike free”'],
    [3, 'Calls about “Rent bike” that end badly: The talk was closed after a refusal'],
  ]);
  expect(left).toBe(1);
});

test('calls that ended in ways of their own are not said to have ended in one of them', () => {
  const of = (text: string) => bad({ rule: { name: text, text } });
  const { rows } = groupUnexplained(['Left.', 'Left.', 'Refused.', 'Cut off.'].map(of));
  expect(rows).toMatchObject([
    { calls: 4, title: 'Calls about “Rent bike” that end badly, in different ways', ending: null },
  ]);
});

test('the same refusal on calls about different things is a row of its own, and no call stands in two', () => {
  const calls = [refused('Sunday'), { ...refused('Monday'), intent: REPAIR }, { ...refused('Friday'), intent: null }];
  const { rows, left } = groupUnexplained(calls);
  expect(rows).toMatchObject([{ calls: 3, intentSlug: null, refusal: 'find_bike said “No cargo bike free”' }]);
  expect(left).toBe(0);
});

test('two calls make no row', () => {
  expect(groupUnexplained([refused('Sunday'), refused('Monday')])).toEqual({ rows: [], left: 2 });
});

const nothing = {
  calls: 20,
  endedBadly: 0,
  explained: 0,
  counted: 0,
  signals: 0,
  callsWithSignals: 0,
  listed: 0,
  unconfirmed: [],
  hidden: { folded: 0, tooSmall: 0, heldBack: 0, snoozed: 0, resolved: 0 },
  missing: [],
};

test('an empty board says what was seen, what is too small, and what data would show more', () => {
  expect(
    summarise({
      ...nothing,
      endedBadly: 18,
      counted: 6,
      signals: 2,
      callsWithSignals: 2,
      unconfirmed: [{ title: 'Tool failed', place: 'find_bike', calls: 2 }],
      missing: [
        { codes: ['dead_air', 'turn_latency_high'], reason: 'No times.', remedy: 'Import records with times.' },
        { codes: ['dtmf_ignored'], reason: 'No keys.', remedy: null },
      ],
    }),
  ).toBe(
    'No issue is confirmed on 20 calls. 2 signals were noticed on 2 calls. 18 calls ended badly: 6 without one in rows that say what they have in common. Too small to be confirmed: “Tool failed” at find_bike (2 calls). 3 codes could be computed on no call. 2 of them: Import records with times.',
  );
  expect(summarise(nothing)).toBe('No issue is confirmed on 20 calls. No signal was noticed. No call ended badly.');
  expect(summarise({ ...nothing, calls: 0 })).toBe('No call has been analysed yet.');
});
