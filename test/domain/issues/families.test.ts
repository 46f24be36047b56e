import { describe, expect, test } from 'vitest';
import {
  type AgentFacts,
  baseReader,
  type GroupFacts,
  knownCalls,
  versionTotals,
} from '../../../src/domain/issues/facts.ts';
import { describeFix } from '../../../src/domain/issues/live.ts';
import { liveStanding } from '../../../src/domain/issues/live-standing.ts';
import { readMetric } from '../../../src/domain/issues/metric.ts';
import { rescore } from '../../../src/domain/issues/rescore.ts';
import { makeCauseRow, makeEntry } from '../../support/analysed-calls.ts';
import { agentFacts, groupFacts, sums } from './world.ts';

const catalogue = new Map(
  [
    makeEntry({ code: 'tool_failed', causes: [makeCauseRow('timeout')] }),
    makeEntry({ code: 'tool_slow', severity: 'medium', causes: [makeCauseRow('timeout')] }),
    makeEntry({ code: 'misheard', klass: 'content', severity: 'medium' }),
    makeEntry({ code: 'claimed', klass: 'content', severity: 'critical' }),
    makeEntry({ code: 'hung_up', klass: 'content', severity: 'critical', ending: true }),
    makeEntry({ code: 'abusive', klass: 'behaviour' }),
  ].map((entry) => [entry.code, entry]),
);
const agent = agentFacts([
  { version: 1, calls: 100, bad: 20 },
  { version: 2, calls: 100, bad: 20 },
]);
const place = (id: string) => ({ kind: 'tool' as const, id, label: id });
const statesOf = (groups: GroupFacts[], facts: AgentFacts = agent) => {
  const states = rescore(groups, facts, catalogue);
  return groups.map(({ issueId }) => states.find((state) => state.issueId === issueId));
};

describe('an issue that follows from another', () => {
  const first = groupFacts({ code: 'tool_failed', own: { 1: 20 } });
  const then = (code = 'misheard', calls = 9, own = 10) =>
    groupFacts({ code, place: place('later'), own: { 1: own }, follows: [{ issueId: first.issueId, calls }] });
  const leads = (one: GroupFacts, follower = then(), facts?: AgentFacts) =>
    statesOf([follower, one], facts)[0]?.downstreamOfId === one.issueId;

  test('is hidden, with the note that names what leads', () => {
    const [follower, leader] = statesOf([then(), first]);
    expect(follower).toMatchObject({
      section: 'hidden',
      sectionNote: 'A consequence of "Title of tool_failed" at book: that comes first on most of these calls.',
      downstreamOfId: first.issueId,
    });
    expect(leader).toMatchObject({ section: 'not_established', downstreamOfId: null });
  });

  test.each([
    ['that is listed', {}, true],
    ['that is resolved', { memory: { status: 'resolved' } }, false],
    ['that is too small to be listed', { own: { 1: 2 } }, false],
    ['of the other kind of board', { source: 'outcome' }, false],
  ] as [string, Partial<Parameters<typeof groupFacts>[0]>, boolean][])('is led by one %s: %o', (_, over, expected) => {
    const { memory, ...rest } = over;
    const leader = groupFacts({ code: 'tool_failed', own: { 1: 20 }, ...(memory ? { memory } : {}), ...rest });
    expect(leads(leader, then('misheard', 9, 10))).toBe(expected);
  });

  test('stays with a resolved cause until a call shows it after that', () => {
    const resolved = (at: string) =>
      groupFacts({ code: 'tool_failed', own: { 1: 20 }, memory: { status: 'resolved', resolvedAt: at } });
    expect(leads(resolved('2026-03-28T00:00:00.000Z'))).toBe(true);
    expect(leads(resolved('2026-03-19T00:00:00.000Z'))).toBe(false);
  });

  test('lends its rank to the one that it follows from, where callers lose more by it', () => {
    const technical = groupFacts({ code: 'tool_slow', own: { 1: 10 } });
    const claimed = groupFacts({ code: 'claimed', own: { 1: 9 }, follows: [{ issueId: technical.issueId, calls: 9 }] });
    const [follower, leader] = statesOf([claimed, technical]);
    const [alone] = statesOf([technical]);
    expect(follower?.downstreamOfId).toBe(technical.issueId);
    expect(leader).toMatchObject({ orderKey: follower?.orderKey, impact: follower?.impact });
    expect(leader?.priorityParts.through).toBe('Title of claimed');
    expect(leader?.orderKey).toBeGreaterThan(alone?.orderKey ?? 0);
    expect(alone?.priorityParts.through).toBeNull();
  });

  test('is led by nothing that callers did', () => {
    const abusive = groupFacts({ code: 'abusive', own: { 1: 20 } });
    const follower = groupFacts({
      code: 'misheard',
      own: { 1: 10 },
      follows: [{ issueId: abusive.issueId, calls: 9 }],
    });
    expect(statesOf([follower, abusive])[0]?.downstreamOfId).toBeNull();
  });

  test('is led by the parent of what came first, where that is merged', () => {
    const parent = groupFacts({ code: 'tool_slow', own: { 1: 20 } });
    const child = groupFacts({ code: 'tool_failed', own: { 1: 20 }, memory: { mergedIntoId: parent.issueId } });
    const follower = groupFacts({ code: 'misheard', own: { 1: 10 }, follows: [{ issueId: child.issueId, calls: 9 }] });
    expect(statesOf([follower, parent, child])[0]?.downstreamOfId).toBe(parent.issueId);
  });

  test('that is hidden for a reason of its own keeps that reason', () => {
    const [small] = statesOf([then('misheard', 2, 2), first]);
    expect(small?.sectionNote).toMatch(/^Too small to be confirmed/);
    expect(small?.downstreamOfId).toBeNull();
  });

  describe('on the same calls', () => {
    const same = groupFacts({ code: 'misheard', own: { 1: 10 } });
    const later = (code: string) =>
      groupFacts({ code, place: place('later'), own: { 1: 10 }, follows: [{ issueId: same.issueId, calls: 10 }] });
    test.each([
      ['the graver leads, although it came later', 'claimed', 'later'],
      ['one that is itself the bad ending does not', 'hung_up', 'first'],
      ['one as grave does not', 'tool_slow', 'first'],
    ])('%s: %s', (_, code, who) => {
      const [follower, leader] = statesOf([later(code), same]);
      expect(who === 'first' ? follower?.downstreamOfId : leader?.downstreamOfId).toBe(
        who === 'first' ? same.issueId : later(code).issueId,
      );
    });

    test('what fails in a system leads, whatever is said about it', () => {
      const technical = groupFacts({ code: 'tool_slow', own: { 1: 10 } });
      const claimed = groupFacts({
        code: 'claimed',
        own: { 1: 10 },
        follows: [{ issueId: technical.issueId, calls: 10 }],
      });
      expect(statesOf([claimed, technical])[0]?.downstreamOfId).toBe(technical.issueId);
    });
  });
});

describe('issues that are merged', () => {
  const parent = groupFacts({ code: 'tool_slow', own: { 1: 6 }, lastSeenAt: '2026-03-02T00:00:00.000Z' });
  const child = groupFacts({ code: 'tool_failed', own: { 1: 9 }, bad: 9, memory: { mergedIntoId: parent.issueId } });
  const twin = groupFacts({
    code: 'tool_failed',
    place: place('other'),
    own: { 1: 4 },
    memory: { mergedIntoId: parent.issueId },
  });

  test('show as the parent, with the symptoms of all, the commonest first', () => {
    const [top, under] = statesOf([parent, child, twin]);
    expect(top?.symptoms).toEqual([
      { code: 'tool_failed', label: 'Title of tool_failed', count: 13 },
      { code: 'tool_slow', label: 'Title of tool_slow', count: 6 },
    ]);
    expect(under).toMatchObject({
      section: 'hidden',
      sectionNote: 'Shown with "Title of tool_slow" at book: the same change fixes both.',
      downstreamOfId: parent.issueId,
      symptoms: [{ code: 'tool_failed', count: 9 }],
    });
  });

  test('rank as the gravest of them, whichever that is', () => {
    const alone = statesOf([child])[0];
    expect(statesOf([parent, child])[0]?.orderKey).toBe(alone?.orderKey);
    const light = { ...child, lastSeenAt: '2020-01-01T00:00:00.000Z' };
    expect(statesOf([parent, light])[0]?.orderKey).toBe(statesOf([parent])[0]?.orderKey);
  });

  test('one whose parent is gone stands alone', () => {
    expect(statesOf([child])[0]).toMatchObject({ section: 'not_established', downstreamOfId: null });
  });

  test('as many calls of two codes are told in the order of their names', () => {
    const even = groupFacts({ code: 'misheard', own: { 1: 6 }, memory: { mergedIntoId: parent.issueId } });
    expect(statesOf([parent, even])[0]?.symptoms.map(({ code }) => code)).toEqual(['misheard', 'tool_slow']);
  });
});

describe('what an issue says of its calls', () => {
  const of = (given: Parameters<typeof groupFacts>[0], facts?: AgentFacts) => statesOf([groupFacts(given)], facts)[0];

  test('the first and the last version on which it was seen', () => {
    expect(of({ code: 'tool_failed', own: { 3: 4, 1: 5, 2: 0 } })).toMatchObject({
      firstSeenVersion: 1,
      lastSeenVersion: 3,
    });
    expect(of({ code: 'tool_failed', own: {} })).toMatchObject({ firstSeenVersion: null, lastSeenVersion: null });
  });

  test('no version on which only silent callers met it', () => {
    const versions = groupFacts({ code: 'tool_failed', own: { 1: 4, 2: 3 } }).versions.map((row) =>
      row.version === 2 ? { ...row, spoke: 0 } : row,
    );
    expect(of({ code: 'tool_failed', versions })?.callsByVersion).toEqual([[1, 4]]);
  });

  test('is as sure as its signals are, and surer with more calls', () => {
    const doubtful = groupFacts({ code: 'tool_failed', own: { 1: 6 } }).versions.map((row) => ({
      ...row,
      confidenceMilli: 3000,
    }));
    expect(of({ code: 'tool_failed', versions: doubtful })?.confidence).toBeCloseTo((0.5 * 6) / 9, 10);
    expect(of({ code: 'tool_failed', own: {} })?.confidence).toBe(0);
  });

  test('a bad ending weighs by its severity alone: every call of it ended badly', () => {
    const parts = of({ code: 'hung_up', own: { 1: 20 }, bad: 20 })?.priorityParts;
    expect(parts?.harm).toBe(parts?.harmFloor);
    expect(parts?.harmBy).toBe('ending');
    const told = of({ code: 'claimed', own: { 1: 20 }, bad: 20 })?.priorityParts;
    expect(told?.harm).toBe(Math.max(told?.harmFloor ?? 0, told?.harmDifferenceLower ?? 0));
  });

  test('of too few calls no cause is told, however clear it is', () => {
    const small = of({ code: 'tool_failed', own: { 1: 2 }, causes: [{ code: 'timeout', calls: 2 }] });
    expect(small).toMatchObject({ confirmed: false, causeEstablished: false, causeCode: null });
  });
});

describe('the calls on which a code could be computed', () => {
  const day = (at: number) => `2026-03-${String(at).padStart(2, '0')}T00:00:00.000Z`;
  const row = (version: number, calls: number, first: number | null, last: number | null) => ({
    ...sums(calls),
    version,
    firstStartedAt: first === null ? null : day(first),
    lastStartedAt: last === null ? null : day(last),
  });
  const facts = {
    ...agent,
    profiles: [
      { notComputable: new Set<string>(), versions: [row(1, 10, 3, 9), row(2, 5, null, null)] },
      { notComputable: new Set(['tool_slow']), versions: [row(1, 7, 2, 12), row(3, 0, null, null)] },
      { notComputable: new Set(['tool_slow', 'misheard']), versions: [row(2, 4, 5, 6)] },
    ],
  };

  test.each([
    ['tool_failed', 26, { 1: 17, 2: 9 }],
    ['misheard', 22, { 1: 17, 2: 5 }],
    ['tool_slow', 15, { 1: 10, 2: 5 }],
  ])('%s: %i', (code, total, byVersion) => {
    const base = baseReader(facts)(code);
    expect(base.total.calls).toBe(total);
    for (const [version, calls] of Object.entries(byVersion)) {
      expect(base.versions.get(Number(version))?.calls).toBe(calls);
    }
  });

  test('one reader serves all codes, each by its own calls', () => {
    const baseOf = baseReader(facts);
    expect(['tool_failed', 'tool_slow', 'tool_failed'].map((code) => baseOf(code).total.calls)).toEqual([26, 15, 26]);
    expect(baseOf('tool_slow')).toBe(baseOf('tool_slow'));
  });

  test('a version spans from its first to its last start, whichever calls know theirs', () => {
    const { versions } = baseReader(facts)('tool_failed');
    expect(versions.get(1)).toMatchObject({ firstStartedAt: day(2), lastStartedAt: day(12) });
    expect(versions.get(2)).toMatchObject({ firstStartedAt: day(5), lastStartedAt: day(6) });
    expect(versions.get(3)).toMatchObject({ firstStartedAt: null, lastStartedAt: null });
  });

  test('versions are told newest first, without those that took no call', () => {
    expect(versionTotals(facts)).toEqual([
      [2, 9],
      [1, 17],
    ]);
  });

  test('every way to end is known', () => {
    const ends = { resolved: 1, unresolved: 2, transferred: 4, abandoned: 8, noContact: 16 };
    expect(knownCalls({ ...sums(0), ...ends })).toBe(31);
  });
});

describe('a fix', () => {
  const span = (days: number) => ({
    calls: 40,
    firstStartedAt: '2026-03-01T00:00:00.000Z',
    lastStartedAt: new Date(Date.UTC(2026, 2, 1) + days * 86_400_000).toISOString(),
  });
  const fix = (over: Partial<Parameters<typeof describeFix>[0]>) =>
    describeFix({
      version: 4,
      status: 'fix_deployed',
      graceDays: 7,
      span: span(3.9),
      shown: 0,
      resolvedEarly: false,
      ...over,
    });

  test.each([
    [
      'no call yet',
      { span: null },
      'waiting_for_calls',
      0,
      'Waits for calls of version 4 on which this could be read.',
    ],
    ['seen again', { shown: 1 }, 'regressed', 3, 'Calls of version 4 still show it.'],
    ['not for long enough', {}, 'measuring', 3, 'Not seen on version 4 for 3 of 7 days.'],
    ['for the grace period', { span: span(7) }, 'fell', 7, 'Not seen on version 4, which has taken calls for 7 days.'],
    ['resolved', { status: 'resolved', shown: 1 }, 'held', 3, 'Version 4 fixed it, and it has not come back.'],
    [
      'resolved by a person while its calls show it',
      { status: 'resolved', shown: 9, resolvedEarly: true },
      'regressed',
      3,
      'A person resolved it; 9 of 40 calls of version 4 show it.',
    ],
    [
      'calls without a start',
      { span: { calls: 3, firstStartedAt: null, lastStartedAt: '2026-03-09T00:00:00.000Z' } },
      'measuring',
      0,
      'Not seen on version 4 for 0 of 7 days.',
    ],
  ] as [string, Partial<Parameters<typeof describeFix>[0]>, string, number, string][])(
    'that stands at "%s"',
    (_, over, state, liveDays, text) => {
      expect(fix(over)).toEqual({ state, version: 4, liveDays, graceDays: 7, text });
    },
  );
});

describe('how an issue stands on the live version', () => {
  const on = (version: number, calls: number, total: number) => ({ version, calls, total });
  test.each([
    ['shown by it', { byVersion: [on(5, 2, 56), on(4, 8, 60)] }, 'happening', null],
    [
      'not shown by it yet',
      { byVersion: [on(5, 0, 56), on(4, 8, 60)] },
      'unseen',
      'Not seen on version 5 yet (0 of 56 calls), too early to judge.',
    ],
    [
      'not called yet',
      { byVersion: [on(4, 8, 60)] },
      'unseen',
      'Not seen on version 5 yet (it has taken no calls), too early to judge.',
    ],
    ['gone for the grace period', { fellOnLive: true, byVersion: [on(5, 0, 56), on(4, 8, 60)] }, 'fell', null],
    ['resolved', { status: 'resolved' as const, byVersion: [on(5, 2, 56)] }, 'resolved', null],
    ['on calls on which nobody spoke alone', { byVersion: [on(5, 0, 56)] }, 'happening', null],
  ])('%s', (_, over, as, sentence) => {
    const issue = { status: 'discovered' as const, fellOnLive: false, ...over };
    expect(liveStanding(issue, 5)).toEqual({ as, sentence });
  });
});

describe('what a metric reads', () => {
  const ends = (over: Partial<ReturnType<typeof sums>>) => ({ ...sums(100), resolved: 0, unresolved: 0, ...over });
  test.each([
    ['got_it_done', { resolved: 60, unresolved: 20, noContact: 20 }, 0.75],
    ['unresolved', { resolved: 60, unresolved: 20, noContact: 20 }, 0.25],
    ['abandoned', { resolved: 60, abandoned: 20, noContact: 20 }, 0.25],
    ['handed_off', { resolved: 60, transferred: 20, noContact: 20 }, 0.25],
    ['no_contact', { resolved: 60, unresolved: 20, noContact: 20 }, 0.2],
    ['duration_ms', { durationS: 4200 }, 42],
  ])('%s is of the calls with contact, but for what counts those without', (metric, over, value) => {
    expect(readMetric(metric, ends(over), sums(400))?.affected).toBeCloseTo(value, 10);
  });

  test('nothing of no call', () => {
    expect(readMetric('got_it_done', sums(0), sums(10))).toMatchObject({ affected: 0, moves: false });
    expect(readMetric('duration_ms', sums(0), sums(10))).toMatchObject({ affected: 0 });
  });

  test.each([
    ['more that nobody reached is worse', 'no_contact', { noContact: 60, resolved: 40 }, true],
    ['fewer is not', 'no_contact', { noContact: 0, resolved: 100 }, false],
    ['more that were handed off differ', 'handed_off', { transferred: 60, resolved: 40 }, true],
    ['fewer that were handed off differ too', 'handed_off', { transferred: 0, resolved: 100 }, true],
  ])('%s', (_, metric, over, moves) => {
    const others = { ...ends({ resolved: 70, transferred: 30 }), noContact: metric === 'no_contact' ? 30 : 0 };
    expect(readMetric(metric, ends(over), others)?.moves).toBe(moves);
  });
});
