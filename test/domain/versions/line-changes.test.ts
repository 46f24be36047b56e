import { describe, expect, test } from 'vitest';
import { lineChanges } from '../../../src/domain/versions/line-changes.ts';

/** What changed, as `1:old -> 2:new` with the lines of each side; `-` where there is none. */
function told(before: readonly string[], after: readonly string[]): string[] {
  const side = (one: { line: number; text: string } | null) => (one === null ? '-' : `${one.line}:${one.text}`);
  return lineChanges(before.join('\n'), after.join('\n')).map((one) => `${side(one.before)} -> ${side(one.after)}`);
}

describe('lines of a text', () => {
  test.each<[string, string[], string[], string[]]>([
    ['that are the same', ['a', 'b'], ['a', 'b'], []],
    ['that differ in space at their ends', ['a ', 'b'], ['a', 'b\t'], []],
    ['with blank ones between', ['a', 'b'], ['a', '', '  ', 'b', ''], []],
    ['that differ in space at their beginnings', ['  a'], ['a'], ['1:  a -> 1:a']],
    ['one of them rewritten', ['a', 'b', 'c'], ['a', 'x', 'c'], ['2:b -> 2:x']],
    ['a new one behind blank ones', ['a'], ['a', '', '', 'b'], ['- -> 4:b']],
    ['a new one at the top', ['a', 'b'], ['x', 'a', 'b'], ['- -> 1:x']],
    ['one less', ['a', 'b', 'c'], ['a', 'c'], ['2:b -> -']],
    ['all gone', ['a', 'b'], [''], ['1:a -> -', '2:b -> -']],
    ['all new', [''], ['a', 'b'], ['- -> 1:a', '- -> 2:b']],
    ['as many rewritten as before, one by one', ['a', 'b'], ['x', 'y'], ['1:a -> 1:x', '2:b -> 2:y']],
    ['two changes apart', ['a', 'b', 'c'], ['x', 'b', 'y'], ['1:a -> 1:x', '3:c -> 3:y']],
    ['one moved down', ['a', 'b', 'c', 'd'], ['b', 'c', 'a', 'd'], ['1:a -> -', '- -> 3:a']],
    ['one doubled', ['a', 'b'], ['a', 'a', 'b'], ['- -> 2:a']],
    [
      'of which as many as can be stay',
      ['a', 'b', 'c', 'd'],
      ['c', 'a', 'b', 'x'],
      ['- -> 1:c', '3:c -> -', '4:d -> -', '- -> 4:x'],
    ],
    [
      'of which as many as can be stay, behind one that went',
      ['x', 'a', 'y', 'b', 'c'],
      ['b', 'a', 'b', 'c', 'y'],
      ['1:x -> 1:b', '3:y -> -', '- -> 5:y'],
    ],
    ['none at all', [''], [''], []],
  ])('%s', (_, before, after, changes) => {
    expect(told(before, after)).toEqual(changes);
  });
});

describe('where more lines came than went', () => {
  test('a line takes the place of the one most like it', () => {
    expect(told(['Ask for the name.'], ['Be kind.', 'Ask for the full name.', 'Be brief.'])).toEqual([
      '- -> 1:Be kind.',
      '1:Ask for the name. -> 2:Ask for the full name.',
      '- -> 3:Be brief.',
    ]);
    expect(told(['one two three', 'one two four'], ['one two four five'])).toEqual([
      '1:one two three -> -',
      '2:one two four -> 1:one two four five',
    ]);
  });

  test('no line takes two places', () => {
    expect(told(['Ask for the name.'], ['Ask for the full name.', 'Ask for the name twice.'])).toEqual([
      '1:Ask for the name. -> 1:Ask for the full name.',
      '- -> 2:Ask for the name twice.',
    ]);
  });

  test('words are the same in any case, and each counts once', () => {
    expect(told(['ASK the the NAME'], ['x', 'ask: the name!'])).toEqual([
      '- -> 1:x',
      '1:ASK the the NAME -> 2:ask: the name!',
    ]);
  });

  test.each([
    ['three of seven words', 'one two three four five', 'one two three six seven', true],
    ['two of five words', 'one two three', 'one two four five', false],
    ['no word', '---', '***', false],
  ])('lines that share %s are one: "%s", "%s": %s', (_, before, after, one) => {
    const rewritten = told([before], [after, 'zzz']).some((change) => change === `1:${before} -> 1:${after}`);
    expect(rewritten).toBe(one);
  });

  test('beyond ten thousand pairs lines are told as gone and come', () => {
    const old = Array.from({ length: 100 }, (_, at) => `rule ${at} holds`);
    const now = Array.from({ length: 101 }, (_, at) => `rule ${at} holds always`);
    expect(lineChanges(old.join('\n'), now.join('\n')).filter(({ before, after }) => before && after)).toEqual([]);
    const fewer = lineChanges(old.slice(1).join('\n'), now.join('\n'));
    expect(fewer.filter(({ before, after }) => before && after)).toHaveLength(99);
  });
});

test('texts that are compared together share what their tables may take', () => {
  const budget = { pairsLeft: 8 };
  // Ends that are equal cost nothing: of each text two lines by two are compared.
  const [before, after] = ['a\nb\nc\nz', 'a\nc\nx\nz'];
  expect(lineChanges(before, after, budget)).toHaveLength(2);
  expect(lineChanges(before, after, budget)).toHaveLength(2);
  expect(lineChanges(before, after, budget)).toEqual([
    { before: { line: 1, text: before }, after: { line: 1, text: after } },
  ]);
  expect(lineChanges(before, before, budget)).toEqual([]);
});

describe('a text beyond two thousand lines', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n');

  test('is compared as a whole', () => {
    const [before, after] = [lines(2001), `${lines(2001)} more`];
    expect(lineChanges(before, after)).toEqual([
      { before: { line: 1, text: before }, after: { line: 1, text: after } },
    ]);
    expect(lineChanges(before, before)).toEqual([]);
    expect(lineChanges('a', lines(2001))).toHaveLength(1);
  });

  test('is told by its lines up to there', () => {
    expect(lineChanges(lines(2000), `${lines(2000)} more`)).toEqual([
      { before: { line: 2000, text: 'line 1999' }, after: { line: 2000, text: 'line 1999 more' } },
    ]);
  });
});
