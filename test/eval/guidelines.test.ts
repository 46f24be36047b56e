import { expect, test } from 'vitest';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import { createFileReader } from '../../src/platforms/file/reader.ts';
import type { Analysed } from './analysed.ts';
import { guidelineLines } from './metrics/guidelines.ts';

const LINES = [
  { id: 'phase_1', text: 'Greet the caller: say your name and ask how you can help.' },
  { id: 'phase_2', text: 'Find the booking: ask for the reference and the last name.' },
  { id: 'universal:tone', text: 'Keep a friendly tone in every turn.' },
];
const [GREET, FIND, TONE] = LINES.map(({ text }) => text);

/** Agent on even turns; turns 2 and 6 break a line, 0 and 4 are clean. */
function dialogue(found: readonly [code: string, turn: number, line?: string][]): Analysed {
  const turns = Array.from({ length: 7 }, (_, at) => ({
    role: at % 2 === 0 ? 'agent' : 'caller',
    text: `Turn ${at}.`,
  }));
  const call = createFileReader(() => 0).normalise({ id: 'd1', turns });
  const analysis = analyseCall({ call, configuration: null }, {});
  const signals = found.map(([code, turnIndex, line]) => ({
    code,
    klass: 'content' as const,
    lane: 'flow' as const,
    confidence: 1,
    turnIndex,
    quote: '',
    cause: null,
    ...(line === undefined ? {} : { proof: [{ in: 'prompt' as const, index: 1, quote: line }] }),
  }));
  const labels = {
    lines: LINES,
    faults: [
      { code: 'instruction_not_followed', turn: 2, lineId: 'phase_1' },
      { code: 'step_skipped', turn: 6, lineId: 'phase_2' },
    ],
    cleanTurns: [{ turn: 0 }, { turn: 4 }],
  };
  const analysed: Analysed['analysis'] = { ...analysis, signals };
  return {
    id: 'd1',
    record: {},
    labels,
    group: 'g',
    part: 'make',
    places: null,
    call,
    configuration: null,
    analysis: analysed,
  };
}

function figures(...dialogues: Analysed[]): Record<string, number | null> {
  return Object.fromEntries(guidelineLines('set', dialogues).map(({ figure, ours }) => [figure, ours]));
}

test('a dialogue is right where each broken turn is found by its line and no clean one is marked', () => {
  const right = dialogue([
    ['instruction_not_followed', 2, GREET],
    ['step_skipped', 6, 'ask for the reference'],
  ]);
  expect(figures(right)).toEqual({
    'clean turns right': 1,
    'violations found': 1,
    'violations found on the exact turn': 1,
    'whole dialogue right': 1,
    'guideline line right, where given': 1,
  });
  expect(figures(right, dialogue([]))).toMatchObject({
    'clean turns right': 1,
    'violations found': 0.5,
    'whole dialogue right': 0.5,
  });
});

test('a finding on a turn of the caller speaks of the broken turn beside it', () => {
  expect(figures(dialogue([['instruction_not_followed', 3, GREET]]))).toMatchObject({
    'clean turns right': 1,
    'violations found': 0.5,
    'violations found on the exact turn': 0,
  });
});

test('clean turns that are marked, and lines that are other ones, are wrong', () => {
  expect(
    figures(
      dialogue([
        ['instruction_not_followed', 4, FIND],
        ['instruction_not_followed', 2, FIND],
      ]),
    ),
  ).toMatchObject({ 'clean turns right': 0.5, 'violations found': 0.5, 'guideline line right, where given': 0 });
});

test('what names no line of the guideline, or one that nobody labelled, is no answer', () => {
  const beside = dialogue([
    ['fact_fabricated', 2],
    ['instruction_not_followed', 4, TONE],
  ]);
  expect(figures(beside)).toMatchObject({ 'clean turns right': 1, 'violations found': 0 });
  expect(figures(dialogue([['fact_fabricated', 2, GREET]]))).toMatchObject({ 'violations found': 0.5 });
});
