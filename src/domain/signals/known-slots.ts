import { does } from '../acts/act.ts';
import { type SpokenTurn, says } from '../acts/spoken-turn.ts';
import { compare } from '../values/same-value.ts';
import type { ActValue } from '../values/value.ts';
import { talkWords } from '../words/talk-words.ts';
import { STOP, VALUE } from '../words/word-bits.ts';
import type { CallReading } from './reading.ts';

/** Which values answer a question for a slot. Slots that are not here are answered by words alone. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  birth_date: ['date'],
  date: ['date', 'day_from_now'],
  time: ['time'],
  size: ['size'],
  email: ['email'],
  phone: ['code'],
  account: ['code'],
  reference: ['code'],
  postcode: ['code'],
  reading: ['code'],
  pin: ['code'],
  'count:people': ['count:people', 'count:adults'],
  'count:nights': ['count:nights'],
};

/**
 * What an agent asks for was known already: the answer only says once more what the caller had said.
 *
 * @returns the turn in which it became known.
 */
export function knownSlot(reading: CallReading, asked: SpokenTurn, slot: string): number | null {
  const answer = reading.spoken[asked.order + 1];
  return answer?.role === 'caller' ? sameValue(reading, asked, answer, slot) : null;
}

function sameValue(reading: CallReading, asked: SpokenTurn, answer: SpokenTurn, slot: string): number | null {
  const slots = ANSWERS[slot] ?? [];
  const given = answer.values.filter((value) => slots.includes(value.slot) && !value.denied && isTelling(value));
  if (given.length === 0) return null;
  const before = callerBefore(reading, asked).find((one) =>
    one.values.some(
      (value) =>
        !value.denied &&
        given.some(
          (again) => value.slot === again.slot && compare(value, again) === 'same' && !isOfAYear(value, again),
        ),
    ),
  );
  return before?.index ?? null;
}

/** A birth date that was a Tuesday does not say that "Tuesday" is wanted. */
function isOfAYear(a: ActValue, b: ActValue): boolean {
  const isDay = ({ forms }: ActValue) => forms.every((form) => form.startsWith('weekday-'));
  const hasYear = ({ forms }: ActValue) => forms.some((form) => /^\d{4}-/.test(form));
  return (isDay(a) && hasYear(b)) || (isDay(b) && hasYear(a));
}

/** What the caller has said lately, newest last; a call of thousands of turns is not walked for each question. */
function callerBefore(reading: CallReading, asked: SpokenTurn): readonly SpokenTurn[] {
  return reading.spoken
    .slice(Math.max(0, asked.order - TURNS_BACK), asked.order)
    .filter((one) => one.role === 'caller');
}

const TURNS_BACK = 60;

/** A short row of figures may be said of two things. */
function isTelling(value: ActValue): boolean {
  return value.slot !== 'code' || (value.forms.at(-1) ?? '').length >= CODE_AT_LEAST;
}

const CODE_AT_LEAST = 4;

/** Of several names, "which one" is rightly asked. */
function listsSeveral(turn: SpokenTurn, name: string | undefined): boolean {
  if (name === undefined) return false;
  const at = turn.words.findIndex((word) => word.replace(/['\u2019]s$/, '') === name);
  return [at - 1, at + 1].some((beside) => LISTS.has(turn.words[beside] ?? ''));
}

const LISTS = talkWords('lists');

/** The turn in which the caller had said nearly all that this answer holds, in the same order: "four and nine", "ten till one". */
export function saidBefore(reading: CallReading, answer: SpokenTurn): number | null {
  const asked = reading.spoken[answer.order - 1];
  if (asked === undefined || answer.words.length > SAID_WORDS_AT_MOST) return null;
  const telling = tellingWords(answer).filter((word) => !asked.words.includes(word));
  if (telling.length < RUN_AT_LEAST) return null;
  const earlier = callerBefore(reading, asked).find(
    (one) => longestRun(telling, tellingWords(one)) >= Math.max(RUN_AT_LEAST, telling.length * NEARLY_ALL),
  );
  return earlier?.index ?? null;
}

const SAID_WORDS_AT_MOST = 12;
const RUN_AT_LEAST = 2;
const NEARLY_ALL = 0.6;

/** One word is the whole answer, or the caller adds that it was said, and it stands in what they came with. */
export function saidAlone(reading: CallReading, answer: SpokenTurn): number | null {
  const asked = reading.spoken[answer.order - 1];
  const isObvious = says(answer, 'takes_as_said') && answer.words.length <= WORDS_OF_THE_OBVIOUS;
  if (asked === undefined || answer.asks || (does(answer, 'denies') && !isObvious)) return null;
  const [word = '', ...more] = tellingWords(answer).filter((one) => !asked.words.includes(one));
  const isAlone = more.length === 0 && answer.words.length <= WORDS_OF_ONE && !does(answer, 'corrects');
  if (word.length < LETTERS_AT_LEAST || !(isAlone || isObvious || SAYS_SO.some((list) => says(answer, list))))
    return null;
  const known = callerBefore(reading, asked).find((one) => tellingWords(one).includes(word));
  // Two of a kind stand beside each other there: which one is rightly asked.
  return known === undefined || (!isObvious && listsSeveral(known, word)) ? null : known.index;
}

const SAYS_SO = ['already_told', 'said_before'];
const LETTERS_AT_LEAST = 3;
const WORDS_OF_ONE = 3;
/** "With my sister, of course". */
const WORDS_OF_THE_OBVIOUS = 6;

/** Values and words of matter; not those that only say that it was told. */
function tellingWords(turn: SpokenTurn): string[] {
  const saying = turn.hits.filter(({ list }) => list === 'said_before' || list === 'already_told');
  return turn.words.filter((_, at) => {
    const bits = turn.bits[at] ?? 0;
    return ((bits & VALUE) !== 0 || (bits & STOP) === 0) && !saying.some(({ from, to }) => at >= from && at < to);
  });
}

/** How many words stand in both rows one after the other. */
function longestRun(a: readonly string[], b: readonly string[]): number {
  let longest = 0;
  for (const start of a.keys()) {
    for (const other of b.keys()) {
      let length = 0;
      while (a[start + length] !== undefined && a[start + length] === b[other + length]) length += 1;
      longest = Math.max(longest, length);
    }
  }
  return longest;
}
