import { describe, expect, test } from 'vitest';
import { readLeads } from '../../../src/domain/issues/outcome-cause.ts';
import {
  leadKey,
  outcomeEvidence,
  type PlaceName,
  readLeadKey,
  readSteps,
  type StepCall,
} from '../../../src/domain/issues/outcome-step.ts';
import { routesTo } from '../../../src/domain/issues/routes.ts';
import type { GroupedSignal } from '../../../src/domain/issues/signals-to-issues.ts';
import { groupFacts } from './world.ts';

const node = (id: string): PlaceName => ({ kind: 'node', id });
const tool = (id: string): PlaceName => ({ kind: 'tool', id });
const START = { kind: 'agent', id: 'start' } as const;
const any = () => true;

const stepCall = (over: Partial<StepCall>): StepCall => ({
  endStep: START,
  places: [],
  turns: 10,
  signals: [],
  ...over,
});
const signal = (code: string, turnIndex: number, over: Partial<GroupedSignal> = {}): GroupedSignal => ({
  code,
  turnIndex,
  confidence: 1,
  place: tool('book'),
  causeCode: null,
  ...over,
});

describe('what a call reached', () => {
  test.each([
    [
      'on an agent with steps: the steps, and no tool',
      node('bye'),
      [node('hi'), tool('book')],
      [node('hi'), node('bye')],
    ],
    ['a step that it came by twice counts once', node('hi'), [node('hi'), node('hi')], [node('hi')]],
    ['the step of the end counts, also where nothing else told of it', node('bye'), [], [node('bye')]],
    [
      'without steps: the start and the tools, and neither the prompt nor the platform',
      tool('book'),
      [tool('find'), { kind: 'prompt', id: 'prompt' }, { kind: 'platform', id: 'platform' }, tool('book')],
      [START, tool('find'), tool('book')],
    ],
    ['a call that nothing happened on ends where it began', START, [], [START]],
  ] as [string, PlaceName, PlaceName[], PlaceName[]][])('%s', (_, endStep, places, expected) => {
    const { end, reached } = readSteps(stepCall({ endStep, places }), any);
    expect(end).toEqual(endStep);
    expect(reached).toEqual(expected);
  });
});

describe('what was noticed early', () => {
  const codes = (signals: GroupedSignal[], turns = 10, mayLead: (code: string) => boolean = any) =>
    readSteps(stepCall({ signals, turns }), mayLead).codes;

  test('a signal of the last two turns tells of the ending, one before them may have led to it', () => {
    expect(codes([signal('a', 7), signal('b', 8), signal('c', 9)])).toEqual(['a']);
  });

  test('each code stands once, in the order of the names', () => {
    expect(codes([signal('z', 1), signal('a', 2), signal('z', 3)])).toEqual(['a', 'z']);
  });

  test('a code that can lead to nothing is left out', () => {
    expect(codes([signal('hung_up', 1), signal('a', 1)], 10, (code) => code !== 'hung_up')).toEqual(['a']);
  });
});

describe('the evidence that a bad call gives to its step', () => {
  test('is at its last turn, as sure as the outcome is, with the causes of what was noticed early', () => {
    const signals = [
      signal('tool_failed', 1, { causeCode: 'timeout' }),
      signal('tool_failed', 2, { causeCode: 'timeout' }),
      signal('monologue', 3),
      signal('tool_failed', 9, { causeCode: 'http_5xx' }),
    ];
    const evidence = outcomeEvidence('issue', { ...stepCall({ signals }), outcomeConfidence: 0.7346 }, any);
    expect(evidence).toEqual({
      issueId: 'issue',
      own: true,
      firstTurn: 9,
      confidenceMilli: 735,
      causes: [
        leadKey({ code: 'monologue', causeCode: '', place: tool('book') }),
        leadKey({ code: 'tool_failed', causeCode: 'timeout', place: tool('book') }),
      ],
      atEnd: true,
    });
  });

  test('of a call without a turn is at the first', () => {
    const evidence = outcomeEvidence('issue', { ...stepCall({ turns: 0 }), outcomeConfidence: 1 }, any);
    expect(evidence).toMatchObject({ firstTurn: 0, confidenceMilli: 1000, causes: [] });
  });
});

describe('a lead as it is counted', () => {
  test.each([
    ['with its cause', { code: 'tool_failed', causeCode: 'timeout', place: tool('book') }],
    ['without a cause', { code: 'monologue', causeCode: '', place: START }],
    ['at a place whose name holds the separator', { code: 'a', causeCode: 'b', place: node('x\u001fy\u001f') }],
  ])('%s is read as it was written', (_, lead) => {
    expect(readLeadKey(leadKey(lead))).toEqual(lead);
  });

  test.each(['', 'tool_failed', 'tool_failed\u001ftimeout', 'tool_failed\u001ftimeout\u001fmoon\u001fx'])(
    '%j is none',
    (key) => {
      expect(readLeadKey(key)).toBeNull();
    },
  );

  test('a count keeps what can be read, with its calls', () => {
    const key = leadKey({ code: 'a', causeCode: '', place: tool('book') });
    expect(
      readLeads([
        { code: key, calls: 4 },
        { code: 'http_5xx', calls: 9 },
      ]),
    ).toEqual([{ code: 'a', causeCode: '', place: tool('book'), calls: 4 }]);
  });
});

describe('what leads to a step from elsewhere', () => {
  const book = { kind: 'tool', id: 'book', label: 'book' } as const;
  const away = { kind: 'node', id: 'away', label: 'Away' } as const;
  const lead = (code: string, causeCode: string, place: PlaceName, calls: number) => ({
    code: leadKey({ code, causeCode, place }),
    calls,
  });
  const outcome = (causes: { code: string; calls: number }[], place: typeof book | typeof away = away) =>
    groupFacts({ code: 'outcome.flow', place, causes });
  const failing = groupFacts({ code: 'tool_failed', place: book, own: { 1: 20 } });
  const routes = (over: {
    causes?: { code: string; calls: number }[];
    bad?: number;
    reached?: number;
    at?: typeof book | typeof away;
    groups?: ReturnType<typeof groupFacts>[];
  }) =>
    routesTo(
      outcome(over.causes ?? [lead('tool_failed', 'timeout', tool('book'), 8)], over.at),
      over.bad ?? 10,
      over.groups ?? [failing],
      () => over.reached ?? 100,
    );

  test('is laid beside the calls that reached its place without it', () => {
    expect(routes({})).toEqual([{ code: 'tool_failed', place: book, with: { k: 8, n: 20 }, without: { k: 2, n: 80 } }]);
  });

  test('of several causes at one place the calls are added, and are no more than ended badly or show it', () => {
    const causes = [lead('tool_failed', 'timeout', tool('book'), 8), lead('tool_failed', 'http_5xx', tool('book'), 5)];
    expect(routes({ causes, bad: 30 })).toMatchObject([{ with: { k: 13 }, without: { k: 17 } }]);
    expect(routes({ causes, bad: 9 })).toMatchObject([{ with: { k: 9 }, without: { k: 0 } }]);
    const few = groupFacts({ code: 'tool_failed', place: book, own: { 1: 6 } });
    expect(routes({ causes, bad: 30, groups: [few] })).toMatchObject([{ with: { k: 6, n: 6 } }]);
  });

  test('groups of one code at one place, split by their cause, count together', () => {
    const split = groupFacts({ code: 'tool_failed', place: book, own: { 1: 5 }, splitCause: 'timeout' });
    expect(routes({ groups: [failing, split] })).toMatchObject([{ with: { k: 8, n: 25 }, without: { n: 75 } }]);
  });

  test('more than reached the place are none', () => {
    expect(routes({ reached: 21 })).toMatchObject([{ without: { k: 1, n: 1 } }]);
    expect(routes({ reached: 12 })).toMatchObject([{ without: { k: 0, n: 0 } }]);
  });

  test.each([
    ['what was noticed at the step itself', { at: book }],
    ['a code that no group has', { groups: [] }],
    ['nothing early', { causes: [] }],
    [
      'what is said of the prompt, which holds for calls that never came near the step',
      {
        causes: [lead('monologue', '', { kind: 'prompt', id: 'prompt' }, 8)],
        groups: [groupFacts({ code: 'monologue', place: { kind: 'prompt', id: 'prompt', label: 'the prompt' } })],
      },
    ],
  ])('%s is no way to it', (_, over) => {
    expect(routes(over)).toEqual([]);
  });

  test('a step of the same name, and a tool of the same kind, are places of their own', () => {
    const causes = [lead('tool_failed', '', tool('book'), 8)];
    const step = { kind: 'node', id: 'book', label: 'Book' } as const;
    expect(routesTo(groupFacts({ code: 'outcome.flow', place: step, causes }), 10, [failing], () => 100)).toHaveLength(
      1,
    );
    const other = { kind: 'tool', id: 'find', label: 'find' } as const;
    expect(routesTo(groupFacts({ code: 'outcome.flow', place: other, causes }), 10, [failing], () => 100)).toHaveLength(
      1,
    );
  });
});
