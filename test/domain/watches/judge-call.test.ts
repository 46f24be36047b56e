import { describe, expect, test } from 'vitest';
import type { CriterionAnswer } from '../../../src/domain/runs/attempt.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import { isAbout, judgeCall, judgedByModel } from '../../../src/domain/watches/judge-call.ts';
import type { WatchForm } from '../../../src/domain/watches/watch.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

const BOOKED: Line[] = [
  { a: 'Northern Water, how can I help?' },
  { c: 'I want a visit on Friday.' },
  { call: 'book', args: { day: 'Friday' } },
  { result: 'book', body: { ok: true }, ok: true },
  { a: 'You are booked for Friday. Goodbye.' },
];
const call = (lines: Line[] = BOOKED, over: Given = {}) => readCall(scripted(lines, over));
const form = (over: Partial<WatchForm>): WatchForm => ({
  scope: { kind: 'all_calls' },
  polarity: 'must',
  expectation: { kind: 'tool_called', tool: 'book' },
  ...over,
});
const judge = (over: Partial<WatchForm>, reading = call()) => judgeCall(reading, [{ watchId: 'w', form: form(over) }]);

describe('what watches say of one call', () => {
  test('each its own, held or broken, with what shows it', () => {
    const watches = [
      { watchId: 'books', form: form({}) },
      { watchId: 'never books', form: form({ polarity: 'must_not' }) },
      { watchId: 'sends', form: form({ expectation: { kind: 'tool_called', tool: 'send' } }) },
    ];
    expect(judgeCall(call(), watches)).toEqual({
      verdicts: [
        { watchId: 'books', held: true, byOutcome: false, turn: 2, quote: 'book', because: 'The agent called book.' },
        expect.objectContaining({ watchId: 'never books', held: false, turn: 2 }),
        expect.objectContaining({ watchId: 'sends', held: false }),
      ],
      notComputable: [],
    });
  });

  test('nothing where the call is outside of what one is about', () => {
    expect(judge({ scope: { kind: 'tool_called', tool: 'send' } })).toEqual({ verdicts: [], notComputable: [] });
  });

  test('that it can’t be told, where the record does not show it', () => {
    const words = call(BOOKED.filter((line) => 'a' in line || 'c' in line));
    expect(judge({}, words)).toEqual({ verdicts: [], notComputable: ['w'] });
  });

  test.each([
    ['an intent', { kind: 'intent', intent: 'billing' }],
    ['an outcome', { kind: 'outcome', outcome: 'abandoned' }],
  ] as const)('as if it were of %s that storing has still to settle', (_, scope) => {
    expect(judge({ scope }).verdicts).toMatchObject([{ held: true }]);
  });
});

describe('a call whose words can’t tell how it ended', () => {
  const unread = () =>
    call([
      { a: 'Goedemorgen, dit is het waterbedrijf, wat kan ik voor u doen?' },
      { c: 'Ik wil graag met een mens spreken, dat is voor mij belangrijk.' },
    ]);
  const ends = { expectation: { kind: 'outcome', outcome: 'resolved' } } as const;

  test('is left to its outcome, once something has settled it', () => {
    expect(unread().outcome().outcome).toBeNull();
    expect(judge(ends, unread())).toEqual({
      verdicts: [
        {
          watchId: 'w',
          held: false,
          byOutcome: true,
          turn: 0,
          quote: '',
          because: 'How the call ended is not settled.',
        },
      ],
      notComputable: [],
    });
  });
});

describe('what a model says of a call', () => {
  const said = (met: boolean | null, over: Partial<CriterionAnswer> = {}): CriterionAnswer => ({
    met,
    turn: 1,
    quote: 'a visit',
    because: 'The caller said so.',
    ...over,
  });
  const by = (polarity: WatchForm['polarity'], answer: CriterionAnswer) =>
    judgedByModel(
      { watchId: 'w', form: form({ polarity, expectation: { kind: 'judged', text: 'Is kind.' } }) },
      call(),
      answer,
    );

  test.each([
    ['must', true, true],
    ['must', false, false],
    ['must_not', true, false],
    ['must_not', false, true],
  ] as const)('%s, met %s: held %s', (polarity, met, held) => {
    expect(by(polarity, said(met)).verdicts).toEqual([
      { watchId: 'w', held, byOutcome: false, turn: 1, quote: 'a visit', because: 'The caller said so.' },
    ]);
  });

  test('undecided, the call can’t show it', () => {
    expect(by('must', said(null))).toEqual({ verdicts: [], notComputable: ['w'] });
  });

  test('without a place stands at the end, with no quote', () => {
    expect(by('must', said(true, { turn: null, quote: null })).verdicts).toMatchObject([{ turn: 4, quote: '' }]);
  });
});

describe('a model is asked about', () => {
  test.each([
    ['every call that somebody spoke on', { kind: 'all_calls' }, true],
    ['those that came to the tool', { kind: 'tool_called', tool: 'book' }, true],
    ['no others', { kind: 'tool_called', tool: 'send' }, false],
    ['none that can’t show whether they did', { kind: 'step_reached', step: 'payment' }, false],
  ] as const)('%s', (_, scope, expected) => {
    expect(isAbout(form({ scope }), call())).toBe(expected);
  });
});
