import { NUMBER_WORDS, STOP_WORDS } from '../acts/lists/en/words.ts';
import { type SpokenTurn, says } from '../calls/spoken-turn.ts';
import { cutWords } from '../calls/text.ts';

/** What an agent can ask for that has a shape of its own: the phrase list by which the question is known. */
export type AskedKind = 'postcode' | 'full_name' | 'email' | 'phone';

const KINDS: readonly AskedKind[] = ['postcode', 'full_name', 'email', 'phone'];

export const KIND_WORDS: Record<AskedKind, string> = {
  postcode: 'postcode',
  full_name: 'full name',
  email: 'e-mail address',
  phone: 'phone number',
};

/** What a question of the agent asks for; null where it is none of these, or several at once. */
export function askedKind(turn: SpokenTurn): AskedKind | null {
  const asked = KINDS.filter((kind) => says(turn, `asks_${kind}`));
  return asked.length === 1 ? (asked[0] ?? null) : null;
}

export interface AnswerReading {
  /** True where the written answer has the shape of what was asked for. */
  fits: boolean;
  /** The value without spaces, marks and words around it; equal for equal values. */
  value: string;
}

/** Reads a written answer: does it have the shape of what was asked for, and which value is it. */
export function readAnswer(kind: AskedKind, text: string): AnswerReading {
  switch (kind) {
    case 'postcode':
      return readPostcode(text);
    case 'full_name':
      return readName(text);
    case 'email':
      return {
        fits: /@|\b(?:at|arroba|arobase)\b.{1,60}\b(?:dot|point|punkt|punto)\b/i.test(text.slice(0, 200)),
        value: bare(text),
      };
    case 'phone':
      return readPhone(text);
    default: {
      const never: never = kind;
      throw new Error(`Unknown kind ${String(never)}.`);
    }
  }
}

/** Letters then digits as in Britain, letter and digit in turns as in Canada, or four to six digits. */
const POSTCODE = /^(?:[a-z]{1,2}\d[a-z\d]?\d[a-z]{2}|[a-z]\d[a-z]\d[a-z]\d|\d{4,6}|\d{9}|\d{4}[a-z]{2})$/;
const AROUND = new Set(
  "yes yeah sure um uh so the my is it it's its that that's zip post code postcode name full ok okay".split(' '),
);

function readPostcode(text: string): AnswerReading {
  const words = withoutBeginning(wordsOf(text));
  const whole = words.map(inFigures).join('');
  if (POSTCODE.test(whole)) return { fits: true, value: whole };
  // Something said to somebody else may stand before it: what counts is the row of letters and figures at the end.
  const row = words.slice(words.findLastIndex((word) => inFigures(word).length > 1 && !/\d/.test(word)) + 1);
  const value = row.map(inFigures).join('');
  return POSTCODE.test(value) && row.length > 1 ? { fits: true, value } : { fits: false, value: whole };
}

/** Two words of more than one letter that are no filler; letters one by one are a spelling, not the name as a whole. */
function readName(text: string): AnswerReading {
  // What follows the next pause is another matter: "Yes, Marta Holm, and I am on flight 12".
  const clause = text.split(/[,;.]/).find((part) => withoutBeginning(wordsOf(part)).length > 0) ?? '';
  const words = withoutBeginning(wordsOf(clause));
  const long = words.filter((word) => word.length > 1 && !STOP_WORDS.has(word) && !/\d/.test(word));
  const spelled = words.some((word) => word.length === 1) || words.every((word) => LETTERS.has(word));
  return { fits: long.length >= 2 && !spelled && !/\d/.test(clause), value: words.join('').replace(/[^\p{L}]/gu, '') };
}

/** "Yes, it's", "my postcode is": what people say before the value. */
function withoutBeginning(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !AROUND.has(word));
  return start < 0 ? [] : words.slice(start);
}

const PHONE_DIGITS = 7;

function readPhone(text: string): AnswerReading {
  const value = wordsOf(text).map(inFigures).join('').replace(/\D/g, '');
  return { fits: value.length >= PHONE_DIGITS, value };
}

const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');
const LETTERS = new Map(
  'alpha alfa bravo charlie delta echo foxtrot golf hotel india indigo juliet juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey whisky xray yankee zulu'
    .split(' ')
    .map((word) => [word, word.charAt(0)]),
);

function inFigures(word: string): string {
  if (word === 'oh') return '0';
  const digit = NUMBER_WORDS.has(word) ? DIGITS.indexOf(word) : -1;
  return digit >= 0 ? String(digit) : (LETTERS.get(word) ?? word);
}

function wordsOf(text: string): string[] {
  return cutWords(text.slice(0, ANSWER_AT_MOST).replace(/\bx[ -]ray\b/gi, 'xray')).words;
}

/** Longer answers tell a story; what is asked for stands at their beginning, or not at all. */
const ANSWER_AT_MOST = 300;

function bare(text: string): string {
  return text
    .slice(0, ANSWER_AT_MOST)
    .toLowerCase()
    .replace(/[^\p{L}\d]/gu, '');
}
