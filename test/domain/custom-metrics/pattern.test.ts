import { expect, test } from 'vitest';
import { readToolUses } from '../../../src/domain/calls/tool-uses.ts';
import { isDrawn } from '../../../src/domain/custom-metrics/draw.ts';
import { differenceOfValues, figureOfValues } from '../../../src/domain/custom-metrics/figures.ts';
import { evaluatePattern, type Pattern, type PatternCall } from '../../../src/domain/custom-metrics/pattern.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

const apology: Pattern = {
  after: { on: 'tool_failed', tool: 'book' },
  expect: { on: 'said', by: 'agent', text: 'sorry' },
  within: { turns: 2 },
};

function looked(lines: readonly Line[], given: Given = {}, more: Partial<PatternCall> = {}): PatternCall {
  const { call, configuration } = scripted(lines, given);
  const tools = readToolUses(call, configuration?.tools ?? []);
  return { call, tools, knowsTools: tools.length > 0, signals: [], notComputable: [], ...more };
}

const failed: Line[] = [
  { c: 'Book a table.' },
  { call: 'book' },
  { result: 'book', body: { error: 'down' }, ok: false },
];

test('holds where each one is followed in time, and shows the first', () => {
  const value = evaluatePattern(apology, looked([...failed, { a: 'Sorry, that did not work.' }]));
  expect(value).toMatchObject({ state: 'value', number: 1, turn: 2, quote: 'book' });
});

test('does not hold at the first that is not followed', () => {
  const twice = looked([...failed, { a: 'I am sorry.' }, ...failed, { a: 'One moment.' }]);
  const [never, late] = [
    evaluatePattern(apology, twice),
    evaluatePattern(apology, looked([...failed, { a: 'Well.' }, { c: 'Yes?' }, { a: 'Sorry.' }])),
  ];
  expect(never).toMatchObject({ state: 'value', number: 0, turn: 6, because: 'It never followed.' });
  expect(late).toMatchObject({ state: 'value', number: 0, turn: 2, because: 'It followed too late.' });
});

test('what stands before counts as nothing, and a call without the first event is not what it is about', () => {
  expect(evaluatePattern(apology, looked([{ a: 'Sorry?' }, ...failed]))).toMatchObject({ number: 0 });
  const worked: Line[] = [{ call: 'book' }, { result: 'book', body: {}, ok: true }];
  expect(evaluatePattern(apology, looked(worked))).toMatchObject({ state: 'not_applicable' });
});

test('counts seconds from the end of one turn to the start of the other, and knows nothing without times', () => {
  const greeting: Pattern = {
    after: { on: 'said', by: 'caller', text: 'hello' },
    expect: { on: 'said', by: 'agent', text: 'welcome' },
    within: { seconds: 2 },
  };
  const at = (startS: number): Line[] => [
    { c: 'Hello?', at: [0, 1] },
    { a: 'Welcome.', at: [startS, startS + 1] },
  ];
  expect(evaluatePattern(greeting, looked(at(3)))).toMatchObject({ number: 1 });
  expect(evaluatePattern(greeting, looked(at(3.5)))).toMatchObject({ number: 0, quote: 'Hello' });
  expect(evaluatePattern(greeting, looked(at(2), { timing: 'approx' }))).toMatchObject({ state: 'unknown' });
  const untimed = looked([{ c: 'Hello?' }, { a: 'Welcome.' }]);
  expect(evaluatePattern(greeting, untimed)).toMatchObject({
    state: 'unknown',
    because: 'The record does not say when these turns were.',
  });
  expect(evaluatePattern(greeting, looked([{ c: 'Hello?' }, { a: 'Yes.' }]))).toMatchObject({ number: 0 });
});

test('takes signals from what the analysis found', () => {
  const after = { on: 'signal', code: 'dead_air' } as const;
  const pattern: Pattern = { ...apology, after, within: { turns: 1 } };
  const lines: Line[] = [{ c: 'Hello?' }, { a: 'Sorry for the wait.' }];
  const signals = [{ code: 'dead_air', turn: 0 }];
  expect(evaluatePattern(pattern, looked(lines, {}, { signals }))).toMatchObject({ number: 1, quote: 'Hello?' });
  expect(evaluatePattern(pattern, looked(lines))).toMatchObject({ state: 'not_applicable' });
  expect(evaluatePattern(pattern, looked(lines, {}, { notComputable: ['dead_air'] }))).toMatchObject({
    state: 'unknown',
    because: "dead_air can't be computed on this call.",
  });
});

test.each<[string, PatternCall, string]>([
  ['a transcript that is cut', looked(failed, { partial: true }), 'The transcript of this call is not complete.'],
  [
    'a side that was not recorded',
    looked(failed, { notRecorded: ['agent'] }),
    'What the agent said was not recorded in full.',
  ],
  ['missing words', looked([...failed, { missing: 'agent' }]), 'What the agent said was not recorded in full.'],
  [
    'no word of tools',
    looked([{ a: 'Hi.' }]),
    'The record of this call holds no tool calls, and the tools of the agent are not known.',
  ],
])('says that it is not known: %s', (_, call, because) => {
  expect(evaluatePattern(apology, call)).toMatchObject({ state: 'unknown', because });
});

test('a greater share of calls holds every call of a smaller one', () => {
  const ids = Array.from({ length: 2_000 }, (_, at) => `019d2a77-40a0-7d55-8c1e-${String(at).padStart(12, '0')}`);
  const [some, more] = [0.2, 0.5].map((share) => ids.filter((id) => isDrawn(id, share)));
  expect((some ?? []).every((id) => more?.includes(id))).toBe(true);
  expect((some?.length ?? 0) / ids.length).toBeCloseTo(0.2, 1);
  expect((more?.length ?? 0) / ids.length).toBeCloseTo(0.5, 1);
  expect(ids.every((id) => isDrawn(id, 1))).toBe(true);
});

test('figures have an interval where there are enough values, and none for labels', () => {
  const ten = { n: 10, sum: 20, squares: 58 };
  expect(figureOfValues('number', ten)).toEqual({
    value: 2,
    interval: { lower: expect.closeTo(2 - 0.8765, 3), upper: expect.closeTo(2 + 0.8765, 3) },
  });
  expect(figureOfValues('yes_no', { n: 10, sum: 5, squares: 5 }).interval).toEqual({
    lower: expect.closeTo(0.2366, 3),
    upper: expect.closeTo(0.7634, 3),
  });
  expect(figureOfValues('number', { n: 1, sum: 2, squares: 4 })).toEqual({ value: 2, interval: null });
  expect(figureOfValues('number', { n: 0, sum: 0, squares: 0 })).toEqual({ value: null, interval: null });
  expect(figureOfValues('label', { n: 3, sum: 0, squares: 0 })).toEqual({ value: null, interval: null });
  expect(differenceOfValues('number', ten, { n: 1, sum: 2, squares: 4 })).toBeNull();
  expect(differenceOfValues('number', ten, { n: 10, sum: 10, squares: 18 })?.difference).toBe(1);
});

test('reads a call of thousands of turns once', () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, at): Line => (at % 2 === 0 ? { c: 'no' } : { a: at === 19_999 ? 'maybe' : 'yes' }),
  );
  const answered: Pattern = {
    after: { on: 'said', by: 'caller', text: 'no' },
    expect: { on: 'said', by: 'agent', text: 'yes' },
    within: { turns: 1 },
  };
  expect(evaluatePattern(answered, looked(lines))).toMatchObject({
    number: 0,
    turn: 19_998,
    because: 'It never followed.',
  });
  expect(evaluatePattern(answered, looked([{ c: 'no '.repeat(70_000) }, ...lines]))).toMatchObject({
    state: 'unknown',
  });
});
