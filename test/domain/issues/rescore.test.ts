import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byVersion } from '../../../src/domain/issues/by-version.ts';
import { type GroupFacts, versionTotals } from '../../../src/domain/issues/facts.ts';
import { rescore } from '../../../src/domain/issues/rescore.ts';
import { makeCauseRow, makeEntry } from '../../support/analysed-calls.ts';
import { agentFacts, groupFacts } from './world.ts';

const entries = [
  makeEntry({
    code: 'tool_failed',
    causes: [makeCauseRow('timeout'), makeCauseRow('http_5xx', { outside: true })],
  }),
  makeEntry({ code: 'tool_slow', severity: 'medium' }),
  makeEntry({ code: 'caller_abusive', klass: 'behaviour' }),
  makeEntry({ code: 'monologue', section: 'improve', metric: 'got_it_done', selfCause: true, severity: 'low' }),
];
const catalogue = new Map(entries.map((entry) => [entry.code, entry]));
const agent = agentFacts([
  { version: 1, calls: 100, bad: 20 },
  { version: 2, calls: 100, bad: 20 },
]);
const only = (group: GroupFacts) => {
  const [state] = rescore([group], agent, catalogue);
  if (!state) throw new Error('A group gave no state.');
  return state;
};

test('a confirmed defect with a cause in the agent is a fix, with the change that its cause row names', () => {
  const state = only(groupFacts({ code: 'tool_failed', causes: [{ code: 'timeout', calls: 4 }], bad: 3 }));
  expect(state).toMatchObject({
    section: 'fix',
    sectionNote: null,
    causeEstablished: true,
    causeCode: 'timeout',
    recommendation: 'Change book because of timeout.',
    volume: 5,
    rate: 5 / 200,
    failedOutcomeShare: 0.6,
    confidence: 5 / 8,
    firstSeenVersion: 1,
    lastSeenVersion: 1,
  });
  expect(byVersion(versionTotals(agent), state.callsByVersion)).toEqual([
    { version: 2, calls: 0, total: 100, rate: 0 },
    { version: 1, calls: 5, total: 100, rate: 0.05 },
  ]);
  expect(state.likelyCause).toMatch(/^Cause timeout\./);
});

test('where the fix lies outside the agent the note says whose it is', () => {
  const state = only(groupFacts({ code: 'tool_failed', causes: [{ code: 'http_5xx', calls: 5 }] }));
  expect(state.sectionNote).toContain('belongs to whoever runs the failing service');
  expect(state.sectionNote).toContain('soften');
});

test('without an established cause none is hinted at, and the recommendation only says what to check', () => {
  const state = only(groupFacts({ code: 'tool_failed', causes: [{ code: 'timeout', calls: 2 }] }));
  expect(state).toMatchObject({
    section: 'not_established',
    causeEstablished: false,
    causeCode: null,
    causeLabel: null,
  });
  expect(state.sectionNote).toMatch(/^Cause not established/);
  expect(state.likelyCause).toMatch(/^Cause not established/);
  expect(state.likelyCause).not.toContain('timeout');
  expect(state.recommendation).toBe('Look at book.');
});

test('what callers did is never a finding', () => {
  const state = only(groupFacts({ code: 'caller_abusive', own: { 1: 50 } }));
  expect(state.section).toBe('hidden');
  expect(state.sectionNote).toContain('Caller behaviour');
});

test('an improvement is shown only where affected calls fare worse on its metric, and names change and metric', () => {
  const worse = only(groupFacts({ code: 'monologue', own: { 1: 30 }, bad: 25 }));
  expect(worse.section).toBe('improve');
  expect(worse.sectionNote).toContain('Look at book, which should move "got it done"');
  expect(only(groupFacts({ code: 'monologue', own: { 1: 30 }, bad: 6 })).section).toBe('hidden');
});

test('an issue that is no longer seen is withdrawn and ranks nowhere', () => {
  const state = only(groupFacts({ code: 'tool_failed', own: {}, memory: { confirmed: true } }));
  expect(state).toMatchObject({ withdrawn: true, section: 'hidden', volume: 0, orderKey: -1e9, confirmed: false });
  expect(state.sectionNote).toMatch(/^Withdrawn:/);
});

test('a code that the catalogue no longer has is kept under its name', () => {
  expect(only(groupFacts({ code: 'retired_code' })).title).toBe('retired_code');
});

test('an intent is named from 80 % of five calls on', () => {
  const intent = (own: number, calls: number) =>
    only(groupFacts({ code: 'tool_failed', own: { 1: own }, topIntent: { slug: 'book', calls } })).intentSlug;
  expect(intent(5, 4)).toBe('book');
  expect(intent(4, 4)).toBeNull();
  expect(intent(10, 7)).toBeNull();
});

test('rates follow the base: the same issue under more calls ranks lower', () => {
  const group = groupFacts({ code: 'tool_failed' });
  const [small] = rescore([group], agent, catalogue);
  const [large] = rescore([group], agentFacts([{ version: 1, calls: 5000 }]), catalogue);
  expect(large?.orderKey).toBeLessThan(small?.orderKey ?? 0);
});

test('the order of the groups does not matter, and the same facts give the same states', () => {
  const group = fc.record({
    code: fc.constantFrom('tool_failed', 'tool_slow', 'monologue', 'caller_abusive', 'retired_code'),
    id: fc.constantFrom('a', 'b', 'c'),
    own: fc.integer({ min: 0, max: 60 }),
    bad: fc.float({ min: 0, max: 1, noNaN: true }),
    cause: fc.float({ min: 0, max: 1, noNaN: true }),
    confirmed: fc.boolean(),
    leader: fc.nat(14),
    shared: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(group, { maxLength: 15 }), fc.infiniteStream(fc.nat(1000)), (given, order) => {
      const made = given.map(({ code, id, own, bad, cause, confirmed }) =>
        groupFacts({
          code,
          place: { kind: 'tool', id, label: id },
          own: { 1: own },
          bad: Math.floor(own * bad),
          causes: [{ code: 'timeout', calls: Math.floor(own * cause) }],
          memory: { confirmed },
        }),
      );
      const groups = [...new Map(made.map((item) => [item.issueId, item])).values()].map((item, index, all) => {
        const leader = all[(given[index]?.leader ?? 0) % all.length];
        const shared = given[index]?.shared ?? 0;
        return { ...item, follows: leader ? [{ issueId: leader.issueId, calls: shared }] : [] };
      });
      const byId = (list: GroupFacts[]) =>
        new Map(
          rescore(list, agent, catalogue)
            .map((state) => [state.issueId, state] as const)
            .toSorted(),
        );
      const shuffled = groups
        .map((item) => ({ item, key: order.next().value ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ item }) => item);
      const states = byId(groups);
      expect(byId(shuffled)).toEqual(states);
      for (const state of states.values()) {
        expect(Number.isFinite(state.orderKey)).toBe(true);
        if (state.downstreamOfId) expect(state.section).toBe('hidden');
        if (!state.causeEstablished) expect(state.likelyCause).toMatch(/^Cause not established/);
      }
    }),
  );
});
