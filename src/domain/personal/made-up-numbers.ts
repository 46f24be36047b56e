import type { Random } from '../random.ts';
import { isCard, isIban, withCardCheck, withIbanCheck } from './checksums.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const TRIES = 40;

/**
 * Another number or code of the same shape: as many digits and letters in the same places; a card and an account number
 * keep their check digits right, and a telephone number of North America is one of those kept for fiction.
 * @param taken those that stand for others already.
 */
export function madeUpNumber(chars: string, random: Random, taken: ReadonlySet<string>): string {
  let made = chars;
  for (let tries = 0; tries < TRIES && (made === chars || taken.has(made)); tries += 1) made = draw(chars, random);
  return made;
}

function draw(chars: string, random: Random): string {
  if (isCard(chars)) return withCardCheck(chars.charAt(0) + anyLike(chars.slice(1, -1), random));
  if (isIban(chars)) return withIbanCheck(chars.slice(0, 4) + anyLike(chars.slice(4), random));
  const american = /^(1?)[2-9]\d\d[2-9]\d{6}$/.exec(chars);
  if (american) return `${american[1] ?? ''}${area(random)}55501${anyLike('00', random)}`;
  const zeros = /^0{0,2}/.exec(chars)?.[0].length ?? 0;
  return chars.slice(0, zeros) + anyLike(chars.slice(zeros), random, zeros === 0);
}

const area = (random: Random) => `${2 + Math.floor(random.next() * 8)}${Math.floor(random.next() * 9)}${digit(random)}`;

const digit = (random: Random) => String(Math.floor(random.next() * 10));

function anyLike(chars: string, random: Random, noZeroFirst = false): string {
  return [...chars]
    .map((char, at) => {
      if (!/\d/.test(char)) return LETTERS.charAt(Math.floor(random.next() * LETTERS.length));
      return noZeroFirst && at === 0 ? String(1 + Math.floor(random.next() * 9)) : digit(random);
    })
    .join('');
}
