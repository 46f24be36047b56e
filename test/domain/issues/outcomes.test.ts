import { describe, expect, test } from 'vitest';
import type { AgentFacts, GroupMemory } from '../../../src/domain/issues/facts.ts';
import { type Candidate, nominate } from '../../../src/domain/issues/nominate-causes.ts';
import { nameOutcome, readLeads, storedCause } from '../../../src/domain/issues/outcome-cause.ts';
import { leadKey, type PlaceName } from '../../../src/domain/issues/outcome-step.ts';
import { entryReader } from '../../../src/domain/issues/rescore.ts';
import { COUNT_CODE, type OutcomeFacts, rescoreOutcomes } from '../../../src/domain/issues/rescore-outcomes.ts';
import type { Place } from '../../../src/domain/signals/signal.ts';
import { makeCauseRow, makeEntry } from '../../support/analysed-calls.ts';
import { agentFacts, groupFacts } from './world.ts';

const catalogue = new Map(
  [
    makeEntry({
      code: 'tool_failed',
      causes: [
        makeCauseRow('timeout'),
        makeCauseRow('http_5xx', { outside: true }),
        makeCauseRow('no_such_field', { target: (id) => ({ kind: 'tool', id, label: null }) }),
      ],
    }),
    makeEntry({
      code: 'monologue',
      lane: null,
      klass: 'content',
      section: 'improve',
      metric: 'got_it_done',
      selfCause: true,
    }),
    makeEntry({ code: 'claimed', severity: 'critical' }),
  ].map((entry) => [entry.code, entry]),
);
const entryOf = entryReader(catalogue);
const BOOK: Place = { kind: 'tool', id: 'book', label: 'book' };
const STEP: Place = { kind: 'node', id: 'payment', label: 'Payment' };
const PROMPT: PlaceName = { kind: 'prompt', id: 'prompt' };
const labelOf = (code: string, { id }: PlaceName) => `${id} of ${code}`;

const lead = (code: string, causeCode: string, calls: number, place: PlaceName = BOOK) => ({
  code: leadKey({ code, causeCode, place }),
  calls,
});

interface Given {
  causes?: { code: string; calls: number }[];
  codes?: { code: string; calls: number; bad: number }[];
  calls?: number;
  bad?: number;
  place?: Place;
  memory?: Parameters<typeof groupFacts>[0]['memory'];
  over?: Partial<OutcomeFacts>;
}

/** A step that 100 calls reached, of which 20 ended badly there; by default a failing tool stands behind most of them. */
function step({
  causes = [],
  codes = [{ code: 'tool_failed', calls: 15, bad: 12 }],
  ...given
}: Given = {}): OutcomeFacts {
  const { calls = 100, bad = 20, place = STEP, memory = {}, over = {} } = given;
  const group = groupFacts({ code: 'outcome', place, causes, own: { 1: bad }, bad, memory });
  return { ...group, step: { calls, bad, codes }, ...over };
}

const agent = agentFacts([{ version: 1, calls: 200, bad: 30 }]);
const only = (given: Given = {}, facts: AgentFacts = agent) => {
  const [state] = rescoreOutcomes([step(given)], facts, catalogue, labelOf);
  if (!state) throw new Error('A step gave no state.');
  return state;
};

describe('a step at which calls end badly', () => {
  test('after a signal whose cause is established is a fix, where the signal mostly was', () => {
    expect(only({ causes: [lead('tool_failed', 'timeout', 9)] })).toMatchObject({
      title: 'Calls end badly at Payment after: Title of tool_failed',
      section: 'fix',
      sectionNote: null,
      confirmed: true,
      severity: 'high',
      lane: 'integrations',
      causeCode: 'tool_failed/timeout',
      causeLabel: 'Cause timeout',
      causeDetail: 'Its evidence is present on 9 of 12 calls.',
      causeEstablished: true,
      target: { kind: 'tool', id: 'book', label: 'book of tool_failed' },
      recommendation: 'Change book of tool_failed because of timeout.',
      volume: 9,
      rate: 9 / 200,
      failedOutcomeShare: 1,
      impact: 'high',
      confidence: 9 / 12,
      outcome: { code: 'outcome.integrations', countOnly: false },
    });
  });

  test('says of the signal by how much more often calls end badly after it', () => {
    expect(only({ causes: [lead('tool_failed', 'timeout', 9)] }).likelyCause).toMatch(
      /^Cause timeout\. Its evidence is present on 9 of 12 calls that show it and ended badly here\. 80 % of 15 calls with it ended badly here, against 9\.4 % of the other 85: 8\.5 times as often \(4\.\d times to 1\d times\)\.$/,
    );
  });

  test('after a signal without an established cause says what was observed, and hints at none', () => {
    const state = only({ causes: [lead('tool_failed', 'timeout', 7)] });
    expect(state).toMatchObject({
      section: 'not_established',
      causeCode: null,
      causeLabel: null,
      causeDetail: null,
      causeEstablished: false,
      target: STEP,
      volume: 12,
      recommendation: 'Look at Payment.',
    });
    expect(state.likelyCause).toMatch(
      /^Cause not established\. Observed: "Title of tool_failed" comes before the end: 80 % of 15 calls/,
    );
  });

  test('whose fix belongs to another says so', () => {
    const { section, sectionNote } = only({ causes: [lead('tool_failed', 'http_5xx', 12)] });
    expect([section, sectionNote]).toEqual([
      'fix',
      expect.stringContaining('belongs to whoever runs the failing service'),
    ]);
  });

  test('after what is better done otherwise is an improvement of the lane flow, with what it should move', () => {
    const codes = [{ code: 'monologue', calls: 15, bad: 12 }];
    const state = only({ codes, causes: [lead('monologue', '', 12, PROMPT)] });
    expect(state).toMatchObject({
      section: 'improve',
      lane: 'flow',
      klass: 'content',
      causeCode: 'monologue/monologue',
      causeLabel: 'Title of monologue',
      outcome: { code: 'outcome.flow' },
      recommendation: 'Look at prompt of monologue.',
    });
    expect(state.sectionNote).toMatch(
      /^Look at prompt of monologue, which should move "ended badly": 80 % of 15 calls/,
    );
  });

  test('whose cause lies elsewhere names what has to change there', () => {
    const { target, recommendation } = only({ causes: [lead('tool_failed', 'no_such_field:save', 12)] });
    expect(target).toEqual({ kind: 'tool', id: 'save', label: 'save of tool_failed' });
    expect(recommendation).toBe('Change save of tool_failed because of no_such_field.');
  });

  test('of a code that the catalogue no longer has is named by the code', () => {
    expect(only({ codes: [{ code: 'gone', calls: 15, bad: 12 }] })).toMatchObject({
      title: 'Calls end badly at Payment after: gone',
      severity: 'low',
      recommendation: 'Read the calls that show it, at Payment.',
    });
  });

  test.each([
    ['high', 'tool_failed', 40, 'high'],
    ['high where the fault is critical', 'claimed', 12, 'high'],
    ['medium where the agent has many calls', 'tool_failed', 5, 'medium', 2000],
  ])('weighs %s', (_, code, bad, impact, all = 200) => {
    const codes = [{ code, calls: bad, bad }];
    const facts = agentFacts([{ version: 1, calls: all }]);
    expect(only({ calls: bad * 10, bad, codes }, facts).impact).toBe(impact);
  });

  test('weighs by how many more of its calls end badly, and never by less than what is sure of itself', () => {
    const { priorityParts: named } = only({ codes: [{ code: 'gone', calls: 15, bad: 12 }] });
    expect(named.harmDifference).toBeCloseTo(12 / 15 - 8 / 85, 10);
    expect(named.harm).toBe(named.harmDifferenceLower);
    expect(named.harmDifferenceLower).toBeGreaterThan(named.harmFloor);
    const { priorityParts: grave } = only({ codes: [{ code: 'claimed', calls: 15, bad: 12 }] });
    expect(grave.harm).toBe(grave.harmFloor);
    expect(grave.harmDifferenceLower).toBeLessThan(grave.harmFloor);
    const { priorityParts: counted } = only({ codes: [] });
    expect(counted).toMatchObject({ harmDifference: 0, harmDifferenceLower: 0, harm: counted.harmFloor });
  });
});

describe('a step without a signal that stands behind it is a count', () => {
  test('hidden, of the least severity, with nothing to do', () => {
    expect(only({ codes: [] })).toMatchObject({
      title: 'Calls that end badly at Payment',
      klass: 'flow',
      lane: 'flow',
      severity: 'low',
      confirmed: false,
      withdrawn: false,
      section: 'hidden',
      target: STEP,
      recommendation: null,
      causeCode: null,
      causeLabel: null,
      causeDetail: null,
      causeEstablished: false,
      volume: 20,
      rate: 0.1,
      failedOutcomeShare: 1,
      outcome: { code: COUNT_CODE, countOnly: true },
      likelyCause: 'Cause not established. Observed: Calls that end badly at Payment, on 20 of 100.',
    });
  });

  test.each([
    [
      'few ended badly',
      { calls: 100, bad: 4, codes: [] },
      'Count only: 4 calls of 100 that reached this step ended badly here; at least 5 that did and 5 that did not are needed to look for a reason.',
    ],
    ['nearly all did', { calls: 24, bad: 20, codes: [] }, /needed to look for a reason\.$/],
    ['nothing was noticed', { codes: [] }, /ended badly here; nothing was noticed on them before the end\.$/],
    ['five and five are enough', { calls: 10, bad: 5, codes: [] }, /nothing was noticed on them before the end\.$/],
    [
      'what was noticed is as common on the others',
      { codes: [{ code: 'tool_failed', calls: 50, bad: 10 }] },
      /nothing that was noticed before the end is clearly more common among them\.$/,
    ],
    ['no call shows it any more', { bad: 0, codes: [] }, 'Withdrawn: no analysed call shows it any more.'],
  ] as [string, Given, string | RegExp][])('it says where %s', (_, given, note) => {
    expect(only(given).sectionNote).toEqual(typeof note === 'string' ? note : expect.stringMatching(note));
  });

  test('that no call shows any more is withdrawn, and nothing of it is a share', () => {
    expect(only({ bad: 0, codes: [] })).toMatchObject({
      withdrawn: true,
      volume: 0,
      rate: 0,
      failedOutcomeShare: 0,
      confidence: 0,
      impact: 'low',
    });
  });
});

describe('of all that ended badly', () => {
  const sums = (unresolved: number, abandoned: number, noContact: number) =>
    step().versions.map((version) => ({ ...version, unresolved, abandoned, noContact }));

  test('the symptoms are how they ended, the commonest first, without those that none did', () => {
    const { symptoms } = only({ over: { versions: sums(4, 16, 0) } });
    expect(symptoms).toEqual([
      { code: 'abandoned', label: 'Abandoned', count: 16 },
      { code: 'unresolved', label: 'Unresolved', count: 4 },
    ]);
    expect(only({ over: { versions: sums(0, 0, 1) } }).symptoms).toEqual([
      { code: 'no_contact', label: 'No contact', count: 1 },
    ]);
  });

  test.each([
    ['four of five', 5, 4, 'billing'],
    ['less than four of five', 10, 7, null],
    ['all of four, which are too few', 4, 4, null],
  ])('%s calls of one intent: %i, %i', (_, bad, calls, expected) => {
    const topIntent = { slug: 'billing', calls };
    expect(only({ bad, over: { topIntent } }).intentSlug).toBe(expected);
  });

  test('calls on which the caller said nothing stand in no version', () => {
    const versions = step().versions.flatMap((one) => [
      { ...one, version: 1, spoke: 0 },
      { ...one, version: 2, spoke: 7 },
    ]);
    expect(only({ over: { versions } }).callsByVersion).toEqual([[2, 7]]);
  });
});

describe('which signal names a step', () => {
  const candidatesOf = (given: Given): readonly Candidate[] => {
    const { issueId, step: table } = step(given);
    return nominate([{ issueId, ...table }]).candidates.get(issueId) ?? [];
  };
  const two = [
    { code: 'claimed', calls: 15, bad: 14 },
    { code: 'tool_failed', calls: 15, bad: 12 },
  ];
  const memoryOf = (over: Partial<GroupMemory> = {}) => groupFacts({ code: 'tool_failed', memory: over }).memory;
  const name = (given: Given, memory = memoryOf()) =>
    nameOutcome(candidatesOf(given), readLeads(given.causes ?? []), memory, entryOf);

  test('the surest whose cause is established, before a surer one without', () => {
    expect(name({ codes: two, causes: [lead('tool_failed', 'timeout', 9)] })?.entry.code).toBe('tool_failed');
    expect(name({ codes: two, causes: [] })?.entry.code).toBe('claimed');
  });

  test('nothing that few of the calls show, however clearly it comes before the end', () => {
    const many = { calls: 1_000, bad: 100 };
    const name = (bad: number) =>
      candidatesOf({ ...many, codes: [{ code: 'claimed', calls: bad, bad }] })[0]?.nominated;
    expect([2, 4, 19, 20].map(name)).toEqual([false, false, false, true]);
    const few = (bad: number) => candidatesOf({ codes: [{ code: 'claimed', calls: bad, bad }] })[0]?.nominated;
    expect([4, 5].map(few)).toEqual([false, true]);
  });

  test('nothing that is not nominated', () => {
    expect(name({ codes: [{ code: 'tool_failed', calls: 50, bad: 10 }] })).toBeNull();
  });

  test.each([
    ['two thirds of the calls', 12, 8, true],
    ['less than two thirds', 12, 7, false],
    ['two calls, which are too few', 2, 2, false],
  ])('a cause is established on %s', (_, bad, calls, expected) => {
    const candidates = candidatesOf({}).map((candidate) => ({ ...candidate, with: { k: bad, n: 15 } }));
    const leads = readLeads([lead('tool_failed', 'timeout', calls)]);
    const named = nameOutcome(candidates, leads, memoryOf(), entryOf);
    expect(named?.cause !== null).toBe(expected);
  });

  test('one that was established on an issue that somebody works on stays so down to half of the calls, and only that one', () => {
    const established = { causeCode: storedCause('tool_failed', 'timeout'), causeEstablished: true };
    const before = memoryOf({ ...established, confirmed: true, status: 'investigating' });
    const half = { causes: [lead('tool_failed', 'timeout', 6)] };
    expect(name(half, before)?.cause).toMatchObject({ code: 'timeout', calls: 6, of: 12 });
    expect(name({ causes: [lead('tool_failed', 'timeout', 5)] }, before)?.cause).toBeNull();
    expect(name(half, { ...before, causeEstablished: false })?.cause).toBeNull();
    expect(name(half, { ...before, status: 'discovered' })?.cause).toBeNull();
    expect(name(half, { ...before, causeCode: storedCause('tool_failed', 'http_5xx') })?.cause).toBeNull();
  });

  test('the commonest of its causes counts, and of two as common that which comes first by name', () => {
    const causes = [lead('tool_failed', 'http_5xx', 8), lead('tool_failed', 'timeout', 9)];
    expect(name({ causes })?.cause?.code).toBe('timeout');
    const alike = [lead('tool_failed', 'timeout', 9), lead('tool_failed', 'http_5xx', 9)];
    expect(name({ causes: alike })?.cause?.code).toBe('http_5xx');
    expect(name({ causes: alike.toReversed() })?.cause?.code).toBe('http_5xx');
  });

  test('leads of another code say nothing of it', () => {
    expect(name({ causes: [lead('monologue', '', 12)] })?.cause).toBeNull();
  });

  test('without a cause the place counts where two thirds of the calls agree on one', () => {
    expect(name({ causes: [lead('tool_failed', '', 8)] })).toMatchObject({ cause: null, place: { id: 'book' } });
    expect(name({ causes: [lead('tool_failed', '', 7)] })).toMatchObject({ cause: null, place: null });
  });
});

describe('steps whose calls fail of one cause at one place', () => {
  const other: Place = { kind: 'node', id: 'delivery', label: 'Delivery' };
  const causes = (calls: number) => [lead('tool_failed', 'timeout', calls)];
  const fold = (given: Given[]) => rescoreOutcomes(given.map(step), agent, catalogue, labelOf);

  test('are one issue: the larger stands for both', () => {
    const [small, large] = fold([{ causes: causes(9) }, { causes: causes(10), place: other }]);
    expect(large).toMatchObject({ section: 'fix', downstreamOfId: null });
    expect(small).toMatchObject({
      section: 'hidden',
      downstreamOfId: large?.issueId,
      sectionNote: 'Shown with "Calls end badly at Delivery after: Title of tool_failed": the same change fixes both.',
    });
  });

  test('of two as large one leads, whatever their order', () => {
    const given = [{ causes: causes(9) }, { causes: causes(9), place: other }];
    const leads = (states: ReturnType<typeof fold>) =>
      states.filter(({ downstreamOfId }) => downstreamOfId === null).map(({ issueId }) => issueId);
    expect(leads(fold(given))).toHaveLength(1);
    expect(leads(fold(given))).toEqual(leads(fold(given.toReversed())));
  });

  test('stay apart where cause or place differs, or no cause is established', () => {
    const apart = (one: Given, two: Given) =>
      fold([one, { ...two, place: other }]).map(({ downstreamOfId }) => downstreamOfId);
    expect(apart({ causes: causes(9) }, { causes: [lead('tool_failed', 'http_5xx', 10)] })).toEqual([null, null]);
    const elsewhere = [lead('tool_failed', 'timeout', 10, { kind: 'tool', id: 'find' })];
    expect(apart({ causes: causes(9) }, { causes: elsewhere })).toEqual([null, null]);
    expect(apart({}, {})).toEqual([null, null]);
  });
});

describe('how it came about', () => {
  test('the figures of the signal, of at most five that competed, and the number of tests', () => {
    const codes = ['tool_failed', 'a', 'b', 'c', 'd', 'e', 'f'].map((code, at) => ({ code, calls: 15, bad: 12 - at }));
    expect(only({ codes }).outcome?.diagnosis).toMatchObject({
      step: { calls: 100, endedBadlyHere: 20 },
      tests: 7,
      signal: {
        code: 'tool_failed',
        title: 'Title of tool_failed',
        nominated: true,
        withSignal: { calls: 15, endedBadlyHere: 12 },
        withoutSignal: { calls: 85, endedBadlyHere: 8 },
        comparedWith: 'calls that reached the step',
      },
      competing: ['a', 'b', 'c', 'd', 'e'].map((code) => ({ code, title: code })),
    });
  });

  test('figures have six digits, so that the last bits of a sum write no row again', () => {
    expect(only().outcome?.diagnosis).toMatchObject({ signal: { lift: { value: 8.5 } } });
  });

  test('a count has no signal, and says what was compared', () => {
    expect(only({ codes: [{ code: 'tool_failed', calls: 50, bad: 10 }] }).outcome?.diagnosis).toMatchObject({
      signal: null,
      competing: [{ code: 'tool_failed', nominated: false }],
    });
  });

  test('a signal from elsewhere is compared with the calls that reached its place', () => {
    const routes = [{ code: 'tool_failed', place: BOOK, with: { k: 18, n: 20 }, without: { k: 2, n: 200 } }];
    const state = only({ codes: [], over: { step: { calls: 25, bad: 20, codes: [], routes } } });
    expect(state.likelyCause).toContain('against 1.0 % of the other 200 that reached book: 90 times as often');
    expect(state.outcome?.diagnosis).toMatchObject({ signal: { comparedWith: 'calls that reached book' } });
  });
});
