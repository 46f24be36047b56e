import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { causesToSplit, establishedCause, wasHeld } from '../../../src/domain/issues/cause.ts';
import { isBarelyConfirmed, isConfirmed } from '../../../src/domain/issues/confirm.ts';
import { findConsequences } from '../../../src/domain/issues/downstream.ts';
import { baseReader, type DayCalls, type GroupFacts, type GroupMemory } from '../../../src/domain/issues/facts.ts';
import { issueKey } from '../../../src/domain/issues/identity.ts';
import { NO_DAY } from '../../../src/domain/issues/ledger.ts';
import { fellOnLive, fixDocument } from '../../../src/domain/issues/live.ts';
import { readMetric } from '../../../src/domain/issues/metric.ts';
import { impactOf, orderKey, priorityParts, priorityScore } from '../../../src/domain/issues/priority.ts';
import { improveNote } from '../../../src/domain/issues/sentences.ts';
import { evidenceOf, routeKey } from '../../../src/domain/issues/signals-to-issues.ts';
import { planStructure } from '../../../src/domain/issues/structure.ts';
import { CATALOGUE } from '../../../src/domain/signals/catalogue.ts';
import type { CatalogueEntry } from '../../../src/domain/signals/catalogue-entry.ts';
import type { IssueStatus } from '../../../src/domain/vocabulary.ts';
import { makeCauseRow, makeEntry } from '../../support/analysed-calls.ts';
import { agentFacts, groupFacts, sums } from './world.ts';

const fact = makeEntry({ code: 'tool_failed', causes: [makeCauseRow('timeout'), makeCauseRow('http_5xx')] });
const phrase = makeEntry({ code: 'monologue', fact: false, noiseFloor: 0.1 });

describe('identity', () => {
  test('a key is made of code and place, and of the cause where one was split off; a label never counts', () => {
    const place = { kind: 'tool' as const, id: 'book' };
    const key = issueKey({ code: 'tool_failed', place, splitCause: '' });
    expect(issueKey({ code: 'tool_failed', place: { ...place }, splitCause: '' })).toBe(key);
    const others = [
      issueKey({ code: 'tool_slow', place, splitCause: '' }),
      issueKey({ code: 'tool_failed', place: { kind: 'node', id: 'book' }, splitCause: '' }),
      issueKey({ code: 'tool_failed', place: { kind: 'tool', id: 'book2' }, splitCause: '' }),
      issueKey({ code: 'tool_failed', place, splitCause: 'timeout' }),
    ];
    expect(new Set([key, ...others]).size).toBe(5);
  });

  test('a key stays what it was stored as, whatever the text', () => {
    const place = { kind: 'tool' as const, id: 'bücher 🚲' };
    expect(issueKey({ code: 'tool_failed', place, splitCause: '' })).toBe('tool_failed-659213e4d1203470be76');
  });
});

describe('confirmation', () => {
  const all = (calls: number, base: number, day = '2026-03-01') => [{ day, calls, base }];
  const worked = { confirmed: true, status: 'investigating' } as const;
  test.each<[string, CatalogueEntry, number, DayCalls[] | null, Partial<GroupMemory>, boolean]>([
    ['a fact on two calls', fact, 2, null, {}, false],
    ['a fact on three calls', fact, 3, null, {}, true],
    ['another code on two of two calls', phrase, 2, all(2, 2), {}, false],
    ['another code within its noise', phrase, 12, all(12, 100), {}, false],
    ['another code clearly above its noise', phrase, 20, all(20, 100), {}, true],
    ['the same of calls without a start', phrase, 20, all(20, 100, NO_DAY), {}, true],
    [
      'one that was above it for 30 days and is rare since',
      phrase,
      21,
      [...all(20, 100), ...all(1, 900, '2026-06-01')],
      {},
      true,
    ],
    ['one whose calls are more than 30 days apart', phrase, 4, [...all(2, 10), ...all(2, 10, '2026-03-31')], {}, false],
    ['one whose calls are 30 days apart', phrase, 4, [...all(2, 8), ...all(2, 8, '2026-03-30')], {}, true],
    ['one that only a part of the calls once confirmed', phrase, 12, all(12, 100), { confirmed: true }, false],
    ['one that a person works on, within its noise', phrase, 2, all(2, 100), worked, true],
    ['one that a person works on, without any call', phrase, 0, null, worked, false],
    ['one withdrawn before, back on two calls', fact, 2, null, { ...worked, withdrawn: true }, false],
  ])('%s', (_, entry, own, days, memory, expected) => {
    expect(isConfirmed(groupFacts({ code: entry.code, own: { 1: own }, days, memory }), entry)).toBe(expected);
  });

  test('is near its limit where one call fewer would not do', () => {
    const near = (entry: CatalogueEntry, own: number, days: DayCalls[] | null = null) =>
      isBarelyConfirmed(groupFacts({ code: entry.code, own: { 1: own }, days }), entry);
    expect([near(fact, 3), near(fact, 4), near(phrase, 16, all(16, 100)), near(phrase, 30, all(30, 100))]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('cause', () => {
  const cause = (own: number, causes: Record<string, number>, over: Partial<GroupFacts> = {}) =>
    establishedCause(
      groupFacts({
        code: 'tool_failed',
        own: { 1: own },
        causes: Object.entries(causes).map(([code, calls]) => ({ code, calls })),
        ...over,
      }),
      fact,
    )?.code ?? null;
  const had = { heldCause: 'timeout' };

  test.each([
    ['two of two calls are too few', 2, { timeout: 2 }, {}, null],
    ['three of three', 3, { timeout: 3 }, {}, 'timeout'],
    ['two thirds', 6, { timeout: 4 }, {}, 'timeout'],
    ['just under two thirds', 7, { timeout: 4 }, {}, null],
    ['one half keeps what was established', 8, { timeout: 4 }, had, 'timeout'],
    ['under one half loses it', 9, { timeout: 4 }, had, null],
    ['and another that reaches two thirds takes its place', 9, { timeout: 2, http_5xx: 6 }, had, 'http_5xx'],
  ])('%s', (_, own, causes, memory, expected) => {
    expect(cause(own, causes, memory)).toBe(expected);
  });

  test.each([
    ['never established', [[4, 2]], false],
    [
      'established first, and one half since',
      [
        [3, 2],
        [3, 3],
        [4, 0],
      ],
      true,
    ],
    [
      'lost in between, and one half since',
      [
        [3, 3],
        [5, 0],
        [4, 3],
      ],
      false,
    ],
    [
      'two calls at first',
      [
        [2, 2],
        [2, 0],
      ],
      false,
    ],
  ])('in the order of the calls, a cause %s', (_, days, held) => {
    expect(wasHeld(days.map(([calls = 0, withCause = 0]) => ({ calls, withCause })))).toBe(held);
  });

  test('a code that is its own cause is established at three calls', () => {
    const entry = makeEntry({ code: 'placeholder_spoken', selfCause: true });
    const at = (calls: number) => establishedCause(groupFacts({ code: entry.code, own: { 1: calls } }), entry);
    expect(at(2)).toBeNull();
    expect(at(3)).toMatchObject({ code: 'placeholder_spoken', label: entry.title });
  });

  test.each([
    ['a second cause on two calls stays', 10, { a: 8, b: 2 }, []],
    ['a second cause under a fifth stays', 20, { a: 17, b: 3 }, []],
    ['a second cause with three calls and a fifth leaves', 15, { a: 12, b: 3 }, ['b']],
    ['the larger keeps the group, whichever it is', 10, { a: 4, b: 6 }, ['a']],
    ['several leave at once', 12, { a: 5, b: 4, c: 3 }, ['b', 'c']],
    ['a single cause beside unexplained calls is no second cause', 10, { a: 4 }, []],
  ])('%s', (_, own, causes, expected) => {
    const group = groupFacts({
      code: 'tool_failed',
      own: { 1: own },
      causes: Object.entries(causes).map(([code, calls]) => ({ code, calls })),
    });
    expect(causesToSplit(group)).toEqual(expected);
    expect(causesToSplit({ ...group, splitCause: 'a' })).toEqual([]);
  });
});

describe('structure', () => {
  const withCause = (code: string, thirdOn: string | null, over: Partial<GroupFacts> = {}) =>
    groupFacts({ code, causes: [{ code: 'timeout', calls: 5 }], thirdOn, ...over });
  const entryOf = (code: string) => makeEntry({ code, causes: fact.causes });

  test('of groups with one target and one cause the one whose third call came first is the parent', () => {
    const older = withCause('tool_slow', '2026-01-01');
    const newer = withCause('tool_failed', '2026-02-01');
    const elsewhere = withCause('tool_failed', null, { place: { kind: 'tool', id: 'other', label: 'other' } });
    const plan = planStructure([newer, elsewhere, older], entryOf);
    expect([...plan.parents]).toEqual([[newer.issueId, older.issueId]]);
  });

  test('a parent that somebody works on stays the parent when an older group joins', () => {
    const parentOf = (status: IssueStatus) => {
      const parent = withCause('tool_slow', '2026-02-01');
      const { memory } = groupFacts({ code: 'tool_slow', memory: { confirmed: true, status } });
      const child = withCause('tool_failed', '2026-03-01', {
        memory: { ...memory, status: 'discovered', mergedIntoId: parent.issueId },
      });
      const joining = withCause('tool_retry_storm', '2026-01-01');
      const plan = planStructure([joining, child, { ...parent, memory }], entryOf);
      expect(plan.parents.size).toBe(2);
      return [joining, child, parent].find(({ issueId }) => !plan.parents.has(issueId))?.code;
    };
    expect([parentOf('investigating'), parentOf('discovered')]).toEqual(['tool_slow', 'tool_retry_storm']);
  });

  test('without an established cause nothing is merged', () => {
    const open = groupFacts({ code: 'tool_slow', memory: { confirmed: true } });
    expect(planStructure([open, withCause('tool_failed', null)], entryOf).parents.size).toBe(0);
  });
});

describe('evidence of one call', () => {
  const place = { kind: 'tool' as const, id: 'book' };
  const signal = (turnIndex: number, causeCode: string | null, confidence = 1) => ({
    code: 'tool_failed',
    place,
    turnIndex,
    confidence,
    causeCode,
  });
  const key = routeKey('tool_failed', place);

  test('signals go to the group of their cause where it was split off, else to the base group', () => {
    const routes = new Map([
      [
        key,
        [
          { issueId: 'base', splitCause: '', parentId: null },
          { issueId: 'split', splitCause: 'timeout', parentId: null },
        ],
      ],
    ]);
    const evidence = evidenceOf([signal(4, 'timeout'), signal(2, null, 0.6), signal(3, 'http_5xx', 0.8)], routes);
    expect(evidence).toMatchObject([
      { issueId: 'split', firstTurn: 4, confidenceMilli: 1000, causes: ['timeout'] },
      { issueId: 'base', firstTurn: 2, confidenceMilli: 800, causes: ['http_5xx'] },
    ]);
  });

  test('a parent is shown by the calls of its merged groups, but not as its own', () => {
    const routes = new Map([[key, [{ issueId: 'child', splitCause: '', parentId: 'parent' }]]]);
    expect(evidenceOf([signal(4, null)], routes)).toMatchObject([
      { issueId: 'child', own: true },
      { issueId: 'parent', own: false, firstTurn: 4, causes: [] },
    ]);
  });
});

describe('priority', () => {
  const parts = (over: object) =>
    priorityParts({
      code: 'any',
      severity: 'high',
      harms: true,
      affected: sums(20, 15),
      base: sums(200, 40),
      confidence: 0.8,
      lastSeenAt: '2026-03-20T00:00:00.000Z',
      newestCallAt: '2026-03-20T00:00:00.000Z',
      ...over,
    });

  test('the score is the product of its parts when the issue was seen on the day of the newest call', () => {
    const made = parts({});
    const newest = '2026-03-20T00:00:00.000Z';
    const expected = 100 * made.harm * made.rateLower ** 0.25 * Math.sqrt(0.8);
    expect(priorityScore(orderKey(made, newest), new Date(newest))).toBeCloseTo(expected, 8);
  });

  test('fourteen days without it halve the score, and time never reorders two issues', () => {
    const fresh = orderKey(parts({}), '2026-03-20T00:00:00.000Z');
    const old = orderKey(parts({ lastSeenAt: '2026-03-06T00:00:00.000Z' }), '2026-03-20T00:00:00.000Z');
    for (const day of ['2026-03-20', '2026-06-01']) {
      const now = new Date(`${day}T00:00:00.000Z`);
      expect(priorityScore(old, now) / priorityScore(fresh, now)).toBeCloseTo(0.5, 8);
    }
  });

  test('without any dated call recency is 1', () => {
    const key = orderKey(parts({ lastSeenAt: null }), null);
    expect(priorityScore(key, null)).toBeCloseTo(100 * parts({}).harm * parts({}).reach * parts({}).sureness, 8);
  });

  test('harm is at least the floor of the severity, and more where affected calls clearly end worse', () => {
    expect(parts({ affected: sums(20, 4) })).toMatchObject({ harm: 0.2, harmBy: 'severity', loss: null });
    expect(parts({ affected: sums(60, 58), base: sums(400, 60) }).harm).toBeGreaterThan(0.8);
    expect(parts({ affected: sums(60, 58), base: sums(400, 60) }).harmBy).toBe('endings');
    expect(parts({ severity: 'low', affected: sums(2, 0) }).harm).toBe(0.02);
  });

  test('a code that is itself the bad ending weighs by its severity alone', () => {
    expect(parts({ harms: false, affected: sums(60, 60), base: sums(400, 60) }).harm).toBe(0.7);
  });

  test('what callers lose counts however their calls end', () => {
    const spoken = parts({ code: 'sensitive_data_spoken', severity: 'critical', affected: sums(3, 0) });
    expect(spoken).toMatchObject({ harm: 1, harmBy: 'loss', loss: 'their privacy' });
    const common = parts({ code: 'reasked_known_slot', severity: 'medium', affected: sums(60, 15) });
    expect(orderKey(spoken, null)).toBeGreaterThan(orderKey(common, null));
  });

  test('requests for a person that end badly rank above placeholders that harm nobody', () => {
    const base = sums(540, 120);
    const ignored = parts({ code: 'human_request_ignored', affected: sums(14, 14), base, confidence: 0.7 });
    const spoken = parts({ code: 'placeholder_spoken', affected: sums(13, 0), base, confidence: 0.85 });
    expect(orderKey(ignored, null)).toBeGreaterThan(orderKey(spoken, null));
    expect(impactOf(orderKey(ignored, null), null)).toBe('high');
    expect(impactOf(orderKey(spoken, null), null)).toBe('medium');
  });

  test('the impact never contradicts the order', () => {
    const score = fc.double({ min: 0.001, max: 100, noNaN: true });
    fc.assert(
      fc.property(score, score, (a, b) => {
        const order = ['low', 'medium', 'high'];
        const of = (value: number) => order.indexOf(impactOf(Math.log(value), null));
        if (a >= b) expect(of(a)).toBeGreaterThanOrEqual(of(b));
      }),
    );
  });

  test('nothing seen scores nothing', () => {
    expect(priorityScore(orderKey(parts({ affected: sums(0) }), null), null)).toBe(0);
  });
});

describe('the live version', () => {
  const agent = agentFacts([
    { version: 1, calls: 50 },
    { version: 2, calls: 50, firstStartedAt: '2026-03-10T00:00:00.000Z', lastStartedAt: '2026-03-17T00:00:00.000Z' },
  ]);
  const group = groupFacts({ code: 'tool_failed', own: { 1: 5 } });
  const fell = (over: object, given = group) => {
    const facts = { ...agent, ...over };
    return fellOnLive(given, facts, baseReader(facts)(given.code));
  };

  test.each([
    ['took calls for the grace period without it', {}, true],
    ['took calls for less than the grace period', { graceDays: 8 }, false],
    ['has a call that waits for its analysis', { waitingOnLive: true }, false],
    ['has taken no call', { currentVersion: 3 }, false],
    [
      'has no call on which the code can be computed',
      { profiles: agent.profiles.map((profile) => ({ ...profile, notComputable: new Set(['tool_failed']) })) },
      false,
    ],
  ])('it %s', (_, over, expected) => {
    expect(fell(over)).toBe(expected);
  });

  test('it shows the issue', () => {
    expect(fell({}, groupFacts({ code: 'tool_failed', own: { 1: 5, 2: 1 } }))).toBe(false);
  });

  test.each([
    ['no_change', null, 'discovered', { 1: 5 }],
    ['waiting_for_calls', 9, 'fix_deployed', { 1: 5 }],
    ['regressed', 2, 'fix_deployed', { 1: 5, 2: 1 }],
    ['fell', 2, 'measuring', { 1: 5 }],
    ['held', 2, 'resolved', { 1: 5 }],
  ] as const)('a fix reads %s', (state, fixVersion, status, own) => {
    const given = groupFacts({ code: 'tool_failed', own, memory: { fixVersion, status } });
    expect(fixDocument(given, agent, baseReader(agent)(given.code), false).state).toBe(state);
  });
});

describe('metrics of improvements', () => {
  test('a metric moves only where the interval excludes 0 and affected calls fare worse', () => {
    expect(readMetric('got_it_done', sums(40, 30), sums(400, 100))).toMatchObject({ moves: true });
    expect(readMetric('got_it_done', sums(40, 11), sums(400, 100))).toMatchObject({ moves: false });
    expect(readMetric('got_it_done', sums(40, 0), sums(400, 100))).toMatchObject({ moves: false });
    expect(readMetric('unresolved', sums(40, 30), sums(400, 100))).toMatchObject({ moves: true });
    expect(readMetric('charm', sums(40, 30), sums(400, 100))).toBeNull();
  });
});

describe('consequences', () => {
  const first = groupFacts({ code: 'tool_failed', own: { 1: 20 } });
  const follower = (calls: number) =>
    groupFacts({ code: 'claimed_after_failure', own: { 1: 10 }, follows: [{ issueId: first.issueId, calls }] });

  const ANYONE = { mayLead: () => true, isEnding: () => false, isGraver: () => false };

  test('from 80 % of the calls on, where the other came first', () => {
    expect(findConsequences([follower(8), first], ANYONE, 200).size).toBe(1);
    expect(findConsequences([follower(7), first], ANYONE, 200).size).toBe(0);
  });

  test('a bad ending follows from what came first on most of its calls', () => {
    const endings = { ...ANYONE, isEnding: (code: string) => code === 'claimed_after_failure' };
    expect(findConsequences([follower(6), first], endings, 200).size).toBe(1);
    expect(findConsequences([follower(5), first], endings, 200).size).toBe(0);
  });

  test('of two on the same calls the graver leads, whichever came first', () => {
    const graver = { ...ANYONE, isGraver: (code: string) => code === 'claimed_after_failure' };
    const same = { ...first, versions: groupFacts({ code: 'tool_failed', own: { 1: 11 } }).versions };
    const leads = (then: ReturnType<typeof follower>, lead: typeof first) =>
      [...findConsequences([then, lead], graver, 200).values()][0];
    const then = follower(9);
    expect(leads(then, same)).toBe(then.issueId);
    expect(leads(then, first)).toBe(first.issueId);
  });

  test('a symptom that nearly every call has leads nothing', () => {
    const everywhere = { ...first, versions: groupFacts({ code: 'tool_failed', own: { 1: 180 } }).versions };
    expect(findConsequences([follower(9), everywhere], ANYONE, 200).size).toBe(0);
  });

  test('there is never a cycle, and the order of the groups does not matter', () => {
    const links = fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.integer({ min: 6, max: 10 })), { maxLength: 40 });
    fc.assert(
      fc.property(links, fc.infiniteStream(fc.nat(1000)), (pairs, order) => {
        const id = (index: number) => `issue ${index}`;
        const groups = Array.from({ length: 8 }, (_, index) => ({
          ...groupFacts({ code: `code_${index}`, own: { 1: 10 } }),
          issueId: id(index),
          follows: pairs.filter(([from]) => from === index).map(([, to, calls]) => ({ issueId: id(to), calls })),
        }));
        const found = findConsequences(groups, ANYONE, 5000);
        for (const start of found.keys()) {
          let at: string | undefined = start;
          for (let step = 0; step <= groups.length && at !== undefined; step += 1) at = found.get(at);
          expect(at).toBeUndefined();
        }
        const keyed = groups.map((group) => ({ group, key: order.next().value ?? 0 }));
        const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ group }) => group);
        expect(new Map([...findConsequences(shuffled, ANYONE, 5000)].toSorted())).toEqual(
          new Map([...found].toSorted()),
        );
      }),
    );
  });
});

test('whatever is to be changed, the note of an improvement is one sentence', () => {
  const reading = {
    label: 'Seconds to answer',
    affected: 4,
    others: 2,
    unit: 'seconds',
    interval: { lower: 1, upper: 3 },
    moves: true,
  } as const;
  const changes = [...CATALOGUE.values()].flatMap(({ check, causes }) => [
    check,
    ...causes.map((row) => row.recommendation),
  ]);
  const notes = changes.map((change) => improveNote(change, reading));
  expect(notes.filter((note) => note.split(/[.!?](?:\s|$)/).filter(Boolean).length !== 1)).toEqual([]);
  expect(notes[0]).toMatch(
    /, which should move "Seconds to answer": 4 s on affected calls against 2 s on the others\.$/,
  );
});
