import { type ActValue, does } from '../acts/act.ts';
import { STOP, VALUE } from '../acts/lists/word-bits.ts';
import { compare } from '../acts/same-value.ts';
import { type SpokenTurn, says } from '../calls/spoken-turn.ts';
import { usesBetween } from '../calls/stretch.ts';
import { cutWords } from '../calls/text.ts';
import { argumentLeaves } from '../calls/use-leaves.ts';
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

/** Arguments that carry what belongs to the person who calls and stays the same through the call. */
const ARGUMENTS: Readonly<Record<string, RegExp>> = {
  // "course_name" and "street_name" are names of things.
  name: /^(?:(?:customer|guest|patient|client|caller|user|member|contact|holder|person|booking|reservation)s?_?)?(?:sur|last_?|first_?|full_?|family_?|given_?)?name$/i,
  email: /e?mail/i,
  postcode: /post_?(?:al_?)?code|zip/i,
  account: /account|member|customer_?(?:id|number)/i,
  birth_date: /birth|dob/i,
};

export interface KnownSlot {
  /** Where it became known. */
  turn: number;
  /** How one knows: the caller says the same once more, or a tool was called with it. */
  by: 'same_answer' | 'tool';
}

/** What an agent asks for was known already: the answer only says once more what the caller had said, or a tool had it. */
export function knownSlot(reading: CallReading, asked: SpokenTurn, slot: string): KnownSlot | null {
  const answer = reading.spoken[asked.order + 1];
  if (answer?.role === 'caller') {
    const first = slot === 'name' ? sameName(reading, asked, answer) : sameValue(reading, asked, answer, slot);
    if (first !== null) return { turn: first, by: 'same_answer' };
  }
  return usedBefore(reading, asked, slot);
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

/** A word that is no common word and not the agent's, said once more when the name is asked for: alone, or spelled beside. */
function sameName(reading: CallReading, asked: SpokenTurn, answer: SpokenTurn): number | null {
  const spelled = new Set(answer.values.flatMap((value) => (value.kind === 'spelling' ? value.forms : [])));
  const told = does(answer, 'already_told');
  const names = answer.words.filter(
    (word, at) =>
      (answer.bits[at] ?? 0) === 0 &&
      word.length >= NAME_AT_LEAST &&
      (told || answer.words.length <= NAME_WORDS_AT_MOST || spelled.has(word.toUpperCase())),
  );
  const before = callerBefore(reading, asked).find((one) => names.some((name) => one.words.includes(name)));
  return before?.index ?? null;
}

const NAME_WORDS_AT_MOST = 4;
const NAME_AT_LEAST = 4;

const USES_READ = 20;

function usedBefore(reading: CallReading, asked: SpokenTurn, slot: string): KnownSlot | null {
  const named = ARGUMENTS[slot];
  if (named === undefined) return null;
  const use = usesBetween(reading.tools, 0, asked.index)
    .slice(-USES_READ)
    .find(
      (one) =>
        one.callTurn !== null &&
        one.resultTurn !== null &&
        one.resultTurn < asked.index &&
        one.ok !== false &&
        !one.refusal &&
        argumentLeaves(one).some(
          (leaf) =>
            named.test(leaf.name) &&
            typeof leaf.value === 'string' &&
            leaf.value !== '' &&
            !isAnothers(reading, asked, leaf.value),
        ),
    );
  return use?.callTurn == null ? null : { turn: use.callTurn, by: 'tool' };
}

/** The answer tells something else than the tool had: it was asked of another person. */
function isAnothers(reading: CallReading, asked: SpokenTurn, value: string): boolean {
  const answer = reading.spoken[asked.order + 1];
  if (answer?.role !== 'caller' || does(answer, 'already_told')) return false;
  const known = cutWords(value).words;
  const tellsOther = answer.content.some((word) => !known.includes(word));
  return tellsOther && !answer.words.some((word) => known.includes(word) && word !== known.at(-1));
}

/** The answer to an open question says nothing but a name or a number that the caller had said before. */
export function knownAnswer(reading: CallReading, asked: SpokenTurn): number | null {
  const answer = reading.spoken[asked.order + 1];
  if (answer?.role !== 'caller' || answer.words.length > ANSWER_WORDS || answer.asks || does(answer, 'denies'))
    return null;
  const before = callerBefore(reading, asked);
  const names = namesIn(answer);
  const numbers = answer.values.filter(({ kind, denied }) => kind === 'number' && !denied);
  if (names.length + numbers.length !== 1) return null;
  const known = before.find((one) =>
    names.length === 1
      ? namesIn(one).some((name) => name === names[0])
      : numbers.some((number) => holdsNumber(one, number)),
  );
  return known === undefined || listsSeveral(known, names[0]) ? null : known.index;
}

const ANSWER_WORDS = 6;

/** Written with a capital where the other words of the turn are not, as recognisers write names. */
function namesIn(turn: SpokenTurn): string[] {
  const { text } = turn.turn;
  return turn.words.flatMap((word, at) => {
    const start = turn.starts[at] ?? 0;
    const isName =
      (turn.bits[at] ?? 0) === 0 && word.length >= NAME_AT_LEAST && /\p{Lu}\p{Ll}/u.test(text.slice(start, start + 2));
    return isName && !BEGINS.test(text.slice(0, start)) ? [word.replace(/['\u2019]s$/, '')] : [];
  });
}

/** After a full stop every word has a capital. */
const BEGINS = /[.?!]\s*$/;

/** A number of more than one figure: smaller ones are said of many things. */
function holdsNumber(turn: SpokenTurn, { forms }: ActValue): boolean {
  return turn.values.some(
    (value) =>
      value.kind === 'number' && !value.denied && value.forms.some((form) => form.length > 1 && forms.includes(form)),
  );
}

/** Of several names, "which one" is rightly asked. */
function listsSeveral(turn: SpokenTurn, name: string | undefined): boolean {
  if (name === undefined) return false;
  const at = turn.words.findIndex((word) => word.replace(/['\u2019]s$/, '') === name);
  return [at - 1, at + 1].some((beside) => LISTS.has(turn.words[beside] ?? ''));
}

const LISTS = new Set(['and', 'or', 'und', 'oder', 'y', 'o', 'et', 'ou']);

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
