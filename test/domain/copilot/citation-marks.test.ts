import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMarkReader, markText, type TextPart } from '../../../src/domain/copilot/citation-marks.ts';

const ID = '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e6f';

function readAll(pieces: readonly string[]): TextPart[] {
  const reader = createMarkReader();
  return [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()];
}

/** Words as they are, marks as `<kind turn>`. */
const shown = (parts: readonly TextPart[]) =>
  parts.map((part) => ('text' in part ? part.text : `<${part.mark.kind} ${part.mark.turn}>`)).join('');

describe('marks in a text of a model', () => {
  test.each([
    ['no mark at all', 'no mark at all'],
    [`late [call:${ID}#12].`, 'late <call 12>.'],
    [`[issue:${ID.toUpperCase()}]`, '<issue null>'],
    [`both [call: ${ID}; watch:${ID}]`, 'both <call null><watch null>'],
    ['[see below] and [1]', '[see below] and [1]'],
    ['an invented one [call:latest] goes', 'an invented one  goes'],
    [`another kind [person:${ID}] is words`, `another kind [person:${ID}] is words`],
    ['our own number [^1] goes', 'our own number  goes'],
    ['open [call:0198', 'open '],
    ['open [but words', 'open [but words'],
    [`[[run:${ID}]]`, '[<run null>]'],
  ])('%j reads %j', (text, expected) => {
    expect(shown(readAll([text]))).toBe(expected);
  });

  test('it does not matter in which pieces a text comes', () => {
    const text = `It is so [call:${ID}#3], [call:invented] and [issue:${ID}]; [words] [^2] stay [run:${ID}`;
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(shown(readAll(pieces))).toBe(shown(readAll([text])));
      }),
    );
  });

  test('no piece ends within a surrogate pair, and half of one that stays so is not lost', () => {
    const reader = createMarkReader();
    const pieces = ['one \ud83d', '\ude00', ' two \ud83d'];
    expect(pieces.map((piece) => shown(reader.read(piece)))).toEqual(['one ', '\ud83d\ude00', ' two ']);
    expect(shown(reader.end())).toBe('\ud83d');
  });

  test('a bracket that never closes is not held back for ever', () => {
    const reader = createMarkReader();
    expect(shown(reader.read(`[${'x'.repeat(500)}`)).length).toBeGreaterThan(0);
  });

  test('a mark is written as it is read', () => {
    const mark = { kind: 'call' as const, id: ID, turn: 4 };
    expect(readAll([markText(mark)])).toEqual([{ mark }]);
  });
});
