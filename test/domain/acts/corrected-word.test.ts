import { describe, expect, test } from 'vitest';
import { correctedWord } from '../../../src/domain/acts/corrected-word.ts';
import { readTurns } from '../../../src/domain/calls/read-turns.ts';
import { wordsOf } from '../../../src/domain/values/words-of.ts';
import { scripted } from '../signals/scripted-call.ts';

/** What the caller's turn says instead of a denied name, as `old -> new, by whom at which turn`. */
function corrected(said: string, heard: string | null = null, language = 'en'): string | null {
  const lines = heard === null ? [{ c: said }] : [{ a: heard }, { c: said }];
  const { spoken } = readTurns(scripted(lines, { language }));
  const lists = wordsOf(language);
  const turn = spoken.at(-1);
  if (turn === undefined || lists === null) throw new Error('Nothing can be read.');
  const found = correctedWord(turn, heard === null ? null : (spoken[0] ?? null), lists);
  if (found === null) return null;
  expect(found).toMatchObject({ turn: turn.index, slot: 'name', explicit: true, now: { denied: false } });
  expect(said.slice(found.now.from, found.now.to)).toBe(found.now.text);
  return `${found.old.text} -> ${found.now.text}, ${found.oldBy} at ${found.oldTurn}`;
}

describe('a name that is denied, with another one behind it', () => {
  test.each([
    ['en', 'it is on Elm Grove, not Grove, Elm Road'],
    ['de', 'das ist im Tulpenhof, nicht Tulpenhof, Nelkenhof'],
    ['fr', 'c’est au Tilleul, pas Tilleul, Platane'],
    ['es', 'es en Robledo, no Robledo, Pinar'],
  ])('is put right in one breath (%s): %s', (language, said) => {
    expect(corrected(said, null, language)).toMatch(/^\w+ -> \w+, caller at 0$/);
  });

  test('is given as it was said and as it is', () => {
    expect(corrected('it is on Elm Grove, not Grove, Elm Road')).toBe('Grove -> Road, caller at 0');
    expect(corrected('Quarry Lane er not Lane, Quarry Bank by the pond')).toBe('Lane -> Bank, caller at 0');
  });

  test('is the agent’s where the agent had said it', () => {
    expect(corrected('no, not Morley, Hartley', 'Thank you, Mr Morley.')).toBe('Morley -> Hartley, agent at 0');
    expect(corrected('Morley, no, not Morley, Hartley', 'Mr Morley?')).toBe('Morley -> Hartley, agent at 0');
  });

  test('is replaced by the fourth word behind it, and by none further on', () => {
    expect(corrected('on Elm Grove, not Grove, it is the Road')).toBe('Grove -> Road, caller at 0');
    expect(corrected('on Elm Grove, not Grove, it is really the Road')).toBeNull();
  });

  test('may be the second that is denied', () => {
    expect(corrected('not bad at all, Elm Grove, well not Grove, Elm Road')).toBe('Grove -> Road, caller at 0');
  });
});

describe('nothing is put right', () => {
  test.each([
    ['nobody had said the name', 'it is not Grove, Elm Road'],
    ['no name follows', 'on Elm Grove, not Grove, the other one'],
    ['the same name follows', 'on Elm Grove, not Grove, Grove'],
    ['what follows had been said before', 'on Elm Grove, not Grove, Elm'],
    ['a common word is denied', 'I am here, not Here, Berlin'],
    ['no name is denied', 'the grove, not grove, Road'],
    ['what follows is no name', 'on Elm Grove, not Grove, road'],
    ['nothing is denied', 'on Elm Grove, Grove, Elm Road'],
    ['the denial is the last word', 'on Elm Grove, not'],
    ['only initials are written', 'on E G, not G, R'],
  ])('where %s: "%s"', (_, said) => {
    expect(corrected(said)).toBeNull();
  });

  test('where the agent had said what follows', () => {
    expect(corrected('no, not Morley, Hartley', 'Is that Mr Morley or Hartley?')).toBeNull();
  });
});
