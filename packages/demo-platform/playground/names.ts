import { WEEKDAYS } from '../people.ts';

const SOUNDS =
  /\b(?:um+|uh+|er+|erm|hmm*|mm|well|so|okay|ok|right|yes|yeah|yep|sure|oh|ah|listen|look|alright|actually|hi|hello|hey|thanks|thank you|please|you know what|let me (?:see|think)|if i may|of course|certainly)\b[,.!]?\s*/gi;
const BEFORE_A_NAME =
  /\b(?:my (?:full |first and last )?name(?: is|'s)|(?:the )?name is|name:|this is|that(?:'s| is| would be)|it(?:'s| is)|i'm|i am|you want)\s+/gi;
const NO_NAME = new Set([
  ...'i im id ill ive my the a an it its is and born on in at for to of date birth dob birthday name no not can could would want need like good morning afternoon evening great perfect fine calling from all that this what when here there you your we he she they was were been be have has do does did spell'.split(
    ' ',
  ),
  ...'january february march april may june july august september october november december'.split(' '),
  ...WEEKDAYS.map((day) => day.toLowerCase()),
]);

/** A full name. @param asked the caller was asked for it, so that words alone may be one. */
export function readName(text: string, asked: boolean): string | null {
  const plain = text.replace(SOUNDS, ' ').replace(/\s+/g, ' ').trim();
  const behind = [...plain.matchAll(BEFORE_A_NAME)].map((match) => plain.slice(match.index + match[0].length));
  if (!asked)
    return (
      behind
        .filter((part) => /^\p{Lu}[\p{L}'’-]+ \p{Lu}/u.test(part))
        .map(nameAt)
        .find((name) => name !== null) ?? null
    );
  const whole = [...behind, plain, ...plain.split(/[,;.]\s*/)].map((part) => nameAt(part));
  return whole.find((name) => name !== null) ?? singleName(plain);
}

/** Two to four words that can be a name, at the beginning of a text. */
function nameAt(text: string): string | null {
  const words = /^[\p{L}'’-]+(?: [\p{L}'’-]+){0,3}/u.exec(text)?.[0].split(' ') ?? [];
  const end = words.findIndex((word) => NO_NAME.has(word.toLowerCase().replace(/[^a-z]/g, '')));
  const name = end < 0 ? words : words.slice(0, end);
  return name.length >= 2 && name.every((word) => word.length > 1) ? name.map(capital).join(' ') : null;
}

const singleName = (text: string) => /^(\p{Lu}[\p{L}'’-]+)[.!]?$/u.exec(text)?.[1] ?? null;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
