import type { Correction } from '../../acts/act.ts';
import { VALUE } from '../../acts/lists/lexicon.ts';
import { compare } from '../../acts/same-value.ts';
import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import { firstFrom } from '../../calls/stretch.ts';
import { hasDigit } from '../../calls/text.ts';
import { readLeaves } from '../../calls/values/json-values.ts';
import { readValues } from '../../calls/values/read-values.ts';
import { editDistance } from '../../edit-distance.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** The agent reads back a code, a long number or an e-mail address that differs from what the caller gave. */
export const readbackMismatch: Detector = {
  entry: entry({
    code: 'readback_mismatch',
    title: 'Value read back wrongly',
    klass: 'content',
    lane: 'hearing',
    severity: 'high',
    thresholds: { charactersApart: 3 },
    needs: ['words_of_the_talk'],
    isNot:
      'Another value that a look-up gave, a read-back that the caller confirms (then the transcript misheard, not the agent), or the last digits alone.',
    check:
      'Compare what the caller spelled with what was read back; let the agent repeat the value as it was written down.',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.caller.length === 0) return { reason: 'The caller said nothing on this call.' };
    const apart = limit(thresholds, 'charactersApart');
    const contradicted = reading.talk.corrections.flatMap((correction) => misread(reading, correction));
    const known = new Set(contradicted.map(({ turnIndex }) => turnIndex));
    const unlike = reading.caller.flatMap((turn) => {
      const answer = reading.spoken[turn.order + 1];
      if (answer?.role !== 'agent' || !mayHoldValue(turn) || !mayHoldValue(answer)) return [];
      const pair = mismatch(turn.turn.text, answer.turn.text, apart);
      if (pair === null || known.has(answer.index) || isLookedUp(reading, answer.index, pair.read)) return [];
      const reply = reading.spoken[answer.order + 1];
      if (reply?.role === 'caller' && says(reply, 'yes') && !denies(reply)) return [];
      return [
        {
          turnIndex: answer.index,
          quote: pair.quote,
          detail: `The caller gave "${pair.given}" at turn ${turn.index}, and "${pair.quote}" was read back.`,
          place: placeAt(reading, answer.index),
          confidence: 0.8,
          // Only the caller knows what they said: their no settles it.
          candidate: !denies(reply),
        },
      ];
    });
    return [...contradicted, ...unlike].sort((a, b) => a.turnIndex - b.turnIndex);
  },
};

/** The caller had said it before, the agent read another value back, and the caller put it right again. */
function misread(reading: CallReading, { turn, old, oldBy, oldTurn, now, explicit }: Correction): Detection[] {
  if (oldBy !== 'agent' || !explicit) return [];
  const end = firstFrom(reading.spoken, oldTurn);
  const earlier = reading.spoken.slice(Math.max(0, end - TURNS_BACK), end).filter((one) => one.role === 'caller');
  const before = earlier.find((one) => one.values.some((value) => !value.denied && compare(value, now) === 'same'));
  const saidOld = earlier.some((one) => one.values.some((value) => !value.denied && compare(value, old) === 'same'));
  if (before === undefined || saidOld) return [];
  return [
    {
      turnIndex: oldTurn,
      quote: old.text,
      detail: `The caller had said "${now.text}" at turn ${before.index}; the agent said "${old.text}", and the caller put it right at turn ${turn}.`,
      place: placeAt(reading, oldTurn),
      confidence: 0.8,
    },
  ];
}

const TURNS_BACK = 40;

/** Most turns hold no long value and are not read: no row of digits, number words and letters of their own. */
function mayHoldValue(turn: SpokenTurn): boolean {
  let row = 0;
  for (let at = 0; at < turn.words.length; at += 1) {
    const word = turn.words[at] ?? '';
    if (word === 'dot') return true;
    if (word.length === 1 || ((turn.bits[at] ?? 0) & VALUE) !== 0) row += 1;
    else if (hasDigit(word)) row += word.length;
    else if (!BETWEEN.has(word)) row = 0;
    if (row >= LONG_VALUE) return true;
  }
  return turn.turn.text.includes('@');
}

const BETWEEN = new Set('uh um dash hyphen slash double triple as in for'.split(' '));
/** Shorter ones are times, amounts and house numbers, which agents rightly answer with others. */
const LONG_VALUE = 5;

const denies = (turn: SpokenTurn | undefined) => says(turn, 'no') || says(turn, 'corrects');

interface Pair {
  given: string;
  /** In the form in which equal values are equal. */
  read: string;
  quote: string;
}

/** One value of a shape on each side, a few characters apart. Further apart it is another value. */
function mismatch(given: string, read: string, apart: number): Pair | null {
  for (const shape of [valuesOf, emailsOf]) {
    const [one, ...more] = shape(given);
    const [two, ...others] = shape(read);
    if (one === undefined || two === undefined || more.length + others.length > 0) continue;
    if (one.forms.some((form) => two.forms.includes(form))) continue;
    const [a, b] = [one.forms.at(-1) ?? '', two.forms.at(-1) ?? ''];
    // The end of it, or a part, is an honest short form.
    if (a.includes(b) || b.includes(a)) continue;
    const most = Math.min(apart, Math.floor(Math.max(a.length, b.length) / 3));
    if (editDistance(a, b, most) <= most) return { given: one.text, read: b, quote: two.text };
  }
  return null;
}

interface Shaped {
  text: string;
  forms: readonly string[];
}

function valuesOf(text: string): Shaped[] {
  return readValues(text)
    .filter(({ kind, forms }) => (kind === 'code' || kind === 'number') && (forms.at(-1) ?? '').length >= LONG_VALUE)
    .map(({ from, to, forms }) => ({ text: text.slice(from, to), forms }));
}

const EMAIL = /[a-z0-9][a-z0-9._+-]*(?:@| at )[a-z0-9-]+(?:(?:\.| dot )[a-z]{2,})+/gi;

function emailsOf(text: string): Shaped[] {
  return [...text.slice(0, TEXT_READ).matchAll(EMAIL)].map(([found]) => ({
    text: found,
    forms: [found.toLowerCase().replaceAll(' dot ', '.').replace(' at ', '@')],
  }));
}

const TEXT_READ = 1500;

/** A result that holds the value gave it: then nothing was read back. */
function isLookedUp(reading: CallReading, turn: number, value: string): boolean {
  return reading.tools.some(
    (use) =>
      use.resultTurn !== null &&
      use.resultTurn < turn &&
      readLeaves(use.body).some((leaf) =>
        String(leaf.value)
          .toUpperCase()
          .replace(/[^A-Z0-9@.]/g, '')
          .includes(value.toUpperCase()),
      ),
  );
}
