import { does } from '../../acts/act.ts';
import { sentenceTextAt } from '../../acts/sentences.ts';
import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import { firstFrom, usesBetween } from '../../calls/stretch.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import { cutWords } from '../../text.ts';
import { readLeaves } from '../../values/json-values.ts';
import type { Detector } from '../catalogue-entry.ts';
import { failureHandling } from '../claim-causes.ts';
import { CLAIMED_AFTER_FAILURE } from '../entries/claims.ts';
import { firstMissing, missingPhrases, missingVerdicts } from '../needs.ts';
import { placeAt, toolPlace } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** The agent says that it is done although the tool's last result was an error, or a refusal. */
export const claimedAfterFailure: Detector = {
  entry: CLAIMED_AFTER_FAILURE,
  detect(reading) {
    const missing = firstMissing(missingVerdicts(reading), missingPhrases(reading));
    if (missing !== null) return missing;
    const claimed = reading
      .claims()
      .filter((claim) => claim.verdict === 'after_failure' || claim.verdict === 'contradicted')
      .map((claim) => ({
        turnIndex: claim.turn,
        quote: claim.text,
        detail: `The agent says so, but the last result of "${claim.use?.name ?? 'the tool'}" was ${claim.verdict === 'after_failure' ? 'an error' : 'a refusal'}: ${(claim.use?.message ?? 'no message').slice(0, 160)}`,
        place: claim.use === null ? placeAt(reading, claim.turn) : toolPlace(claim.use),
        confidence: claim.verdict === 'after_failure' ? 0.8 : 0.6,
        facts: { kind: claim.kind, ...failureHandling(reading.configuration, claim.use) },
      }));
    const known = new Set(claimed.map(({ turnIndex }) => turnIndex));
    const told = reading.tools
      .flatMap((use) => toldDone(reading, use))
      .filter(({ turnIndex }) => !known.has(turnIndex));
    return [...claimed, ...told].sort((a, b) => a.turnIndex - b.turnIndex);
  },
};

/** A write or a hand-over failed, and the very next words are that it is done. */
function toldDone(reading: CallReading, use: ToolUse): Detection[] {
  const { resultTurn } = use;
  if (resultTurn === null || use.effect === 'read' || use.effect === 'end') return [];
  if (use.ok !== false && !(use.refusal && use.effect === 'transfer')) return [];
  const turn = reading.spoken[firstFrom(reading.spoken, resultTurn + 1)];
  if (turn?.role !== 'agent' || does(turn, 'cannot', 'apologises')) return [];
  if (!does(turn, 'claims_done') && !speaksAsDone(turn, use)) return [];
  const tried = usesBetween(reading.tools, resultTurn, turn.index).some(
    (one) => one.ok !== false && !one.refusal && one.resultTurn !== null,
  );
  if (tried) return [];
  const done = turn.acts.find(({ kind }) => kind === 'claims_done');
  if (sentenceTextAt(turn, done?.from ?? 0).endsWith('?')) return [];
  return [
    {
      turnIndex: turn.index,
      quote: done === undefined ? quoteTurn(turn) : turn.turn.text.slice(done.from, done.to),
      detail: `The agent says so, but the last result of "${use.name}" was an error: ${(use.message ?? 'no message').slice(0, 160)}`,
      place: toolPlace(use),
      confidence: 0.8,
      facts: { kind: 'done', ...failureHandling(reading.configuration, use) },
    },
  ];
}

/** No word of trouble, of another way or of a next try: what was asked for is told as what will be. */
function speaksAsDone(turn: SpokenTurn, use: ToolUse): boolean {
  if (use.effect === 'transfer' || turn.asks) return false;
  if (does(turn, 'holds', 'hands_over', 'calls_back', 'offers', 'asks_again', 'asks_value')) return false;
  if (namesDeed(turn, use)) return true;
  const asked = readLeaves(use.args).map(({ value }) => String(value).toLowerCase());
  const numbers = turn.values.flatMap((value) => value.forms);
  return asked.some((value) => numbers.includes(value) || cutWords(value).words.some((word) => isSaid(turn, word)));
}

/** "Is renewed", after `renew_pass`: a form of the tool's verb that is not the verb itself. */
function namesDeed(turn: SpokenTurn, use: ToolUse): boolean {
  return use.nameWords.some(
    (verb) => verb.length >= WORD_AT_LEAST && turn.words.some((word) => word !== verb && word.startsWith(verb)),
  );
}

function isSaid(turn: SpokenTurn, word: string): boolean {
  return word.length >= WORD_AT_LEAST && turn.words.includes(word);
}

const WORD_AT_LEAST = 4;
