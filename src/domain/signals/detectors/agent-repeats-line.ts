import { does } from '../../acts/act.ts';
import { type SentenceRange, sentencesOf } from '../../acts/sentences.ts';
import { contentOf, type SpokenTurn, says } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import { usesBetween } from '../../calls/stretch.ts';
import { isAlike, jaccard } from '../../text.ts';
import { compare } from '../../values/same-value.ts';
import type { ActValue } from '../../values/value.ts';
import type { Detector } from '../catalogue-entry.ts';
import { AGENT_REPEATS_LINE } from '../entries/flow.ts';
import { limit } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';

const LINES_KEPT = 12;
const FEWEST_WORDS = 2;

/** The agent says nearly the same line three times. */
export const agentRepeatsLine: Detector = {
  entry: AGENT_REPEATS_LINE,
  detect(reading, _input, thresholds) {
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    const lines: Line[] = [];
    const found: SpokenTurn[][] = [];
    for (const turn of reading.agent) {
      if (wasAskedFor(reading, turn)) continue;
      for (const content of linesOf(turn)) {
        const line = lines.find((one) => isAlike(one.content, content, limit(thresholds, 'alike')));
        if (line === undefined) {
          lines.push({ content, turns: [turn], stuck: false, told: false });
          // Only recent lines are compared, so that a long call costs no more a turn than a short one.
          if (lines.length > LINES_KEPT) lines.shift();
          continue;
        }
        if (line.turns.at(-1) === turn) continue;
        // A question about the next thing, and a line after each of several deeds, come back because the talk goes on.
        line.stuck ||= !goesOn(reading, line.turns.at(-1) ?? turn, turn);
        line.turns.push(turn);
        if (line.turns.length >= limit(thresholds, 'times') && line.stuck && !line.told) {
          line.told = true;
          found.push(line.turns);
        }
      }
    }
    const told = new Set<SpokenTurn>();
    return found.flatMap((turns) =>
      // The first time was no repetition; the next ones up to the bound are.
      // Two lines of one turn are one repetition.
      onlyNew(turns.slice(1, limit(thresholds, 'times')), told).map((turn) => ({
        turnIndex: turn.index,
        quote: quoteTurn(turn),
        detail: `The agent said nearly the same line ${turns.length} times.`,
        place: placeAt(reading, turn.index),
        confidence: 0.8,
        facts: betweenFacts(reading, turns),
      })),
    );
  },
};

function onlyNew(turns: readonly SpokenTurn[], told: Set<SpokenTurn>): SpokenTurn[] {
  return turns.filter((turn) => !told.has(turn) && told.add(turn));
}

interface Line {
  content: readonly string[];
  turns: SpokenTurn[];
  /** Between two of the turns nothing came that would let the talk go on. */
  stuck: boolean;
  told: boolean;
}

/** What a turn says, sentence by sentence, courtesies and short words left out; the whole turn is a line too. */
function linesOf(turn: SpokenTurn): readonly (readonly string[])[] {
  const sentences = sentencesOf(turn).filter((one) => !isCourtesy(turn, one));
  const lines = sentences.map((one) =>
    contentOf(turn.words.slice(one.from, one.to), turn.bits.slice(one.from, one.to)),
  );
  return lines.filter((content) => content.length >= FEWEST_WORDS);
}

function isCourtesy(turn: SpokenTurn, { from, to }: SentenceRange): boolean {
  return turn.hits.some((hit) => COURTESIES.has(hit.list) && hit.from >= from && hit.to <= to);
}

const COURTESIES = new Set(['closing', 'offers_more', 'filler']);

/** Between the two a tool has done something, or the caller has told something new. */
function goesOn(reading: CallReading, before: SpokenTurn, turn: SpokenTurn): boolean {
  const uses = usesBetween(reading.tools, before.index, turn.index);
  if (uses.some((use) => use.resultTurn !== null && use.ok !== false && !use.refusal && use.effect !== 'transfer'))
    return true;
  const answers = reading.spoken.slice(before.order + 1, turn.order).filter((one) => one.role === 'caller');
  if (answers.some((one) => does(one, 'denies', 'corrects', 'complains', 'already_told', 'asks_for_person')))
    return false;
  // A sentence within other talk comes back because the talk goes on; a turn that is all the same does not.
  if (!isAlike(before.content, turn.content, WHOLE_TURN)) return true;
  return answers.length > 0 && answers.every((one) => one.newSlots > 0 && !isToldAgain(reading, one));
}

/** Nothing but values that the caller had given before, or a word of exasperation. */
function isToldAgain(reading: CallReading, turn: SpokenTurn): boolean {
  if (says(turn, 'exclaims') || says(turn, 'reproaches')) return true;
  const earlier = reading.spoken
    .slice(Math.max(0, turn.order - TURNS_BACK), turn.order)
    .filter(({ role }) => role === 'caller');
  const isKnown = (value: ActValue) =>
    earlier.some((one) => one.values.some((known) => compare(known, value) === 'same'));
  return turn.values.length > 0 && turn.values.every(isKnown);
}

const TURNS_BACK = 40;
const WHOLE_TURN = 0.8;

function wasAskedFor(reading: CallReading, turn: SpokenTurn): boolean {
  const before = reading.spoken[turn.order - 1];
  return before?.role === 'caller' && (says(before, 'hearing_check') || does(before, 'asks_again'));
}

function betweenFacts(reading: CallReading, turns: readonly SpokenTurn[]) {
  const first = turns[0]?.index ?? 0;
  const last = turns.at(-1)?.index ?? 0;
  const answers = turns.map((turn) => reading.spoken[turn.order + 1]).filter((one) => one?.role === 'caller');
  const sameAnswer =
    answers.length >= 2 && answers.slice(1).every((one) => jaccard(one?.words ?? [], answers[0]?.words ?? []) >= 0.6);
  return {
    sameAnswer,
    failures: reading.tools.filter(
      (use) => use.ok === false && (use.resultTurn ?? 0) > first && (use.resultTurn ?? 0) < last,
    ).length,
  };
}
