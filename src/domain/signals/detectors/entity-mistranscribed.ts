import type { Turn } from '../../calls/call.ts';
import { type AskedKind, askedKind, KIND_WORDS, readAnswer } from '../asked-values.ts';
import type { Detector } from '../catalogue-entry.ts';
import { doubtfulValues } from '../doubtful-values.ts';
import { ENTITY_MISTRANSCRIBED } from '../entries/hearing.ts';
import { misheardNames } from '../misheard-names.ts';
import { missingPhrases } from '../needs.ts';
import { RECOGNISER } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** A name, a number or a date was written down that can not be what the caller said. */
export const entityMistranscribed: Detector = {
  entry: ENTITY_MISTRANSCRIBED,
  detect(reading) {
    if (reading.caller.length === 0) return { reason: 'The caller said nothing on this call.' };
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    const found = new Map<number, Detection>();
    const add = (detection: Detection) => {
      const known = found.get(detection.turnIndex);
      if (known === undefined || (known.candidate === true && detection.candidate !== true))
        found.set(detection.turnIndex, detection);
    };
    for (const [kind, answers] of answersByKind(reading)) for (const one of judge(kind, answers)) add(one);
    for (const { turn, quote, why } of [...doubtfulValues(reading.caller), ...misheardNames(reading)]) {
      add({ turnIndex: turn.index, quote, detail: why, place: RECOGNISER, confidence: 0.6 });
    }
    return [...found.values()];
  },
};

interface Answer {
  turn: Turn;
  fits: boolean;
  value: string;
  /** Other readings of the recogniser, as values. */
  others: string[];
}

/** What the caller answered each time that the agent asked for something with a shape of its own. */
function answersByKind(reading: CallReading): Map<AskedKind, Answer[]> {
  const byKind = new Map<AskedKind, Answer[]>();
  const { turns } = reading.call;
  for (const asked of reading.agent) {
    if (!asked.asks || !asked.hits.some((hit) => hit.list.startsWith('asks_'))) continue;
    const kind = askedKind(asked);
    const turn = turns[asked.index + 1];
    if (kind === null || turn?.role !== 'caller' || turn.text.length > ANSWER_AT_MOST || UNREADABLE.test(turn.text))
      continue;
    const answer = {
      turn,
      ...readAnswer(kind, turn.text),
      others: (turn.alternatives ?? []).slice(0, ALTERNATIVES_READ).map((text) => readAnswer(kind, text).value),
    };
    const known = byKind.get(kind);
    if (known === undefined) byKind.set(kind, [answer]);
    else known.push(answer);
  }
  return byKind;
}

/** A question in return, or a noise in the middle: what was said is not to be judged by what was written. */
const UNREADABLE = /\?|\[[^\]]{1,40}\]/;
const ANSWER_AT_MOST = 120;
const ALTERNATIVES_READ = 20;
const LETTERS_OF_A_NAME = 6;

function judge(kind: AskedKind, answers: readonly Answer[]): Detection[] {
  const what = KIND_WORDS[kind];
  const heard = answers.filter(
    (one) =>
      one.fits ||
      answers.some((two) => two !== one && two.value === one.value && one.value.length >= LETTERS_OF_A_NAME),
  );
  const times = new Map<string, number>();
  for (const { value } of heard) times.set(value, (times.get(value) ?? 0) + 1);
  const most = Math.max(0, ...times.values());
  return answers.flatMap((one): Detection[] => {
    const at = { turnIndex: one.turn.index, quote: one.turn.text.trim(), place: RECOGNISER };
    if (!heard.includes(one)) {
      const detail =
        one.turn.text.trim() === ''
          ? `Asked for a ${what}, the caller spoke and nothing was written down.`
          : `Asked for a ${what}, what was written has not the shape of one.`;
      // The caller may have answered something else.
      return [{ ...at, detail, confidence: 0.8, candidate: true }];
    }
    if (times.size < 2 || ((times.get(one.value) ?? 0) === most && most > 1)) return [];
    const others = heard.filter((two) => two.value !== one.value);
    const doubted = isDoubted(one, others);
    return [
      {
        ...at,
        detail: `Asked for the same ${what} again, another value was written: one of them is wrong.`,
        confidence: 0.6,
        candidate: most === 1 && !doubted,
      },
    ];
  });
}

/** The recogniser wavered here, and did not elsewhere think of what it wrote here. */
function isDoubted(one: Answer, others: readonly Answer[]): boolean {
  if (one.others.length === 0) return others.length > 1;
  const thoughtOfOther = others.some((two) => one.others.includes(two.value));
  const otherThoughtOfThis = others.some((two) => two.others.includes(one.value));
  return thoughtOfOther || !otherThoughtOfThis;
}
