import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../acts/talk.ts';
import { type Given, type Line, scripted } from './scripted-call.ts';

/** Codes of signals with their turns. */
function codesOf(lines: readonly (string | Line)[], given: Given = {}): string[] {
  const call = scripted(
    lines.map((line) => (typeof line === 'string' ? asLine(line) : line)),
    given,
  );
  return analyseCall(call, {}).signals.map(({ code, turnIndex }) => `${code} ${turnIndex}`);
}

describe('a number that is read back', () => {
  test.each([
    ['en', 'c: my locker number is eight three one seven two', 'a: Eight three one two seven. Which day?', 'c: monday'],
    ['en', 'c: the plate is R T one nine K W S', 'a: R T one nine K W F, noted. Which wash?', 'c: the quick one'],
    [
      'de',
      'c: null sieben eins vier vier drei zwo acht',
      'a: Null sieben eins, vier drei vier, zwei acht.',
      'c: Montag',
    ],
    ['es', 'c: seis uno uno ocho dos siete', 'a: Seis uno uno, ocho siete dos. ¿Qué día?', 'c: el lunes'],
    ['fr', 'c: zéro sept quarante-deux dix-huit', 'a: Zéro sept vingt-quatre dix-huit. Quel jour ?', 'c: lundi'],
  ])(
    'with figures in another order or one of them another is read back wrongly (%s)',
    (language, given, read, next) => {
      expect(codesOf(['a: Hallo.', given, read, next], { language })).toContain('readback_mismatch 2');
    },
  );

  test.each([
    ['as it was said', 'a: Eight three one seven two. Which day?', 'c: monday'],
    ['by its end', 'a: The one ending in one seven two. Which day?', 'c: monday'],
    ['with a yes to a figure that was misheard', 'a: Eight three one nine two?', "c: yes that's right"],
    ['as another number altogether', 'a: Our own number is five five nine four six.', 'c: okay'],
  ])('%s is read back rightly', (_, read, next) => {
    const lines = ['a: Hartley.', 'c: my locker number is eight three one seven two', read, next];
    expect(codesOf(lines)).not.toContain('readback_mismatch 2');
  });

  test.each(['no', 'not exactly'])('is read back wrongly where the caller says "%s"', (answer) => {
    const lines = ['a: Hartley.', 'c: my locker number is eight three one seven two', 'a: Eight three one nine two?'];
    expect(codesOf([...lines, `c: ${answer}`])).toContain('readback_mismatch 2');
  });

  test('in another order is no mishearing, whatever is answered to the question behind it', () => {
    const lines = [
      'a: Hartley.',
      'c: it is eight three one seven two',
      'a: Eight three one two seven. Go on?',
      'c: yes',
    ];
    expect(codesOf(lines)).toContain('readback_mismatch 2');
  });

  test('and that a look-up had given is no read-back', () => {
    const lines = [
      'c: my locker number is eight three one seven two',
      { call: 'find_locker', args: { member: 'Cole' } },
      { result: 'find_locker', body: { locker: '83127' }, ok: true },
      'a: Yours is eight three one two seven.',
      'c: oh',
    ];
    expect(codesOf(lines)).not.toContain('readback_mismatch 3');
  });

  test('and repaired in one breath is what stands', () => {
    const lines = ['a: Hartley.', 'c: L D four nine double K no sorry nine K P', 'a: L D four nine K P.', 'c: hm'];
    expect(codesOf(lines)).not.toContain('readback_mismatch 2');
  });
});

test('a write that says another day than the one put right did not take it over', () => {
  const booked = (time: string) =>
    codesOf([
      'a: Kiln Pottery, hello.',
      'c: the glazing class on the fifteenth please',
      'a: Glazing on the twelfth.',
      'c: no the fifteenth',
      'a: Sure.',
      { call: 'book_class', args: { class: 'GL1' } },
      { result: 'book_class', body: { status: 'booked', time }, ok: true },
    ]);
  expect(booked('2027-03-12T18:00')).toContain('correction_not_applied 5');
  expect(booked('2027-03-15T18:00')).not.toContain('correction_not_applied 5');
});

describe('a name that is spelled back', () => {
  const back = (said: string, read: string, then = 'c: the small one') =>
    codesOf(['a: Your name?', said, read, then]).filter((code) => code.startsWith('readback_mismatch'));

  test('with other letters is read back wrongly', () => {
    expect(back('c: no f f o u l k e s', 'a: Fowlkes, F O W L K E S. Which pen?')).toEqual(['readback_mismatch 2']);
  });

  test.each([
    ['with the same letters', 'c: f f o u l k e s', 'a: F, F, O, U, L, K, E, S. Which pen?'],
    ['with a double one', 'c: P U double L A N', "a: P, U, double L, A, N. I can't say more."],
    ['in part', 'c: f f o u l k e s', 'a: O U L K E S at the end. Which pen?'],
    ['as another name altogether', 'c: f f o u l k e s', 'a: And T I G G Y is the cat. Which pen?'],
    ['and confirmed', 'c: f f o u l k e s', 'a: F O W L K E S, right?', 'c: yes'],
  ])('%s is not', (_, said, read, then?: string) => {
    expect(back(said, read, then)).toEqual([]);
  });

  test('is none where the caller has put the code right since', () => {
    const lines = [
      'a: The plate?',
      'c: S H six eight Y X eight',
      'a: S H 6 8 Y X 8?',
      'c: no no the last is a letter. A',
    ];
    expect(codesOf([...lines, 'a: Ah, S H 6 8 Y X A. And your name?', 'c: Jo'])).not.toContain('readback_mismatch 4');
  });
});

test('of two names that are spelled back the one with a letter less is read back wrongly', () => {
  const lines = ['a: Your name?', 'c: s i o b h a n and k o w a l c z y k'];
  const read = (last: string) => codesOf([...lines, `a: S, I, O, B, H, A, N and ${last}, did I get it?`, 'c: hm']);
  expect(read('K, O, W, A, L, C, Y, K')).toContain('readback_mismatch 2');
  expect(read('K, O, W, A, L, C, Z, Y, K')).not.toContain('readback_mismatch 2');
});
