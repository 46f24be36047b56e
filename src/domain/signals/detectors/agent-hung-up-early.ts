import { does } from '../../acts/act.ts';
import { sentencesOf } from '../../acts/sentences.ts';
import { type SpokenTurn, says } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import { talkWords } from '../../words/talk-words.ts';
import type { Detector } from '../catalogue-entry.ts';
import { AGENT_HUNG_UP_EARLY } from '../entries/flow.ts';
import { firstMissing, limit, missingEnder, missingPhrases } from '../needs.ts';
import { endsAsking, isCutOff, isOpenQuestion, isYesOrNo, sharesMatter } from '../open-questions.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The agent ended the call while the caller was still in it. */
export const agentHungUpEarly: Detector = {
  entry: AGENT_HUNG_UP_EARLY,
  detect(reading, _input, thresholds) {
    const last = reading.spoken.at(-1);
    // Who says goodbye into a question has ended the call, whatever the record knows.
    const known = last?.role === 'agent' && isCutShort(reading, last) ? null : missingEnder(reading);
    const missing = firstMissing(known, missingPhrases(reading));
    if (missing !== null) return missing;
    if (!['agent', 'unknown'].includes(reading.call.ending.endedBy) || !reading.callerSpoke || last === undefined)
      return [];
    if (reading.outcome().outcome === 'transferred' || last.order < 1) return [];
    const why = early(reading, last, limit(thresholds, 'afterCallerMs'));
    if (why === null) return [];
    return [
      {
        turnIndex: last.index,
        quote: quoteTurn(last),
        detail: why,
        place: placeAt(reading, last.index),
        confidence: 0.8,
        facts: { ownQuestion: last.role === 'agent' },
      },
    ];
  },
};

/** Words that ask to stay on the line. */
const STAYS = /\b(?:hold|hang) on\b|\bwait\b|\bnot (?:done|finished)\b/i;
const LAST_WORD = 3;

function early(reading: CallReading, last: SpokenTurn, afterCallerMs: number): string | null {
  if (last.role === 'agent') {
    if (isCutShort(reading, last)) return 'The agent takes its leave in the middle of what the caller asks.';
    const answered = reading.caller.slice(-1).some((turn) => isDone(turn));
    return last.asks && !says(last, 'goodbye') && !answered
      ? 'The agent ended the call with its own question open.'
      : null;
  }
  if (isDone(last) && !STAYS.test(last.turn.text)) return null;
  const before = reading.spoken[last.order - 1];
  // The agent had taken its leave, and the caller only answers it.
  if (does(before, 'closes') && !last.asks && last.words.length <= LAST_WORD && !STAYS.test(last.turn.text))
    return null;
  const { endMs } = last.turn;
  const { durationMs } = reading.call;
  if (reading.timing !== null && endMs !== null && durationMs > 0 && durationMs - endMs > afterCallerMs) return null;
  return 'The agent ended the call right after the caller had spoken, without an answer.';
}

/** The caller had just asked, or had not come to an end, and the last words of the agent are a goodbye that takes up none of it. */
function isCutShort(reading: CallReading, last: SpokenTurn): boolean {
  const before = reading.spoken[last.order - 1];
  if (before?.role !== 'caller' || !does(last, 'closes') || isDone(before) || last.values.length > 0) return false;
  const wants =
    isCutOff(reading, before) ||
    hasMore(before) ||
    (endsAsking(reading, before) && isOnlyCourtesy(last)) ||
    (isOpenQuestion(reading, before) && !isYesOrNo(reading, last));
  return wants && !sharesMatter(reading, before, last) && !does(last, 'cannot', 'hands_over', 'calls_back');
}

/** "And just one more thing"; not "if I have another question". */
function hasMore(turn: SpokenTurn): boolean {
  return turn.hits.some(
    ({ list, from, to }) =>
      list === 'has_more' &&
      !turn.words.slice(Math.max(0, from - WORDS_BEFORE), to).some((word) => NO_MORE.has(word)) &&
      !turn.words.includes('answered'),
  );
}

const WORDS_BEFORE = 4;
const NO_MORE = talkWords('unreal');

/** Every sentence is a thanks, a wish or a goodbye, or a word like "great". */
function isOnlyCourtesy(turn: SpokenTurn): boolean {
  return sentencesOf(turn).every(
    ({ from, to }) =>
      to - from <= 1 || turn.hits.some((hit) => COURTESIES.has(hit.list) && hit.from >= from && hit.to <= to),
  );
}

const COURTESIES = new Set(['closing', 'goodbye', 'offers_more']);

function isDone(turn: SpokenTurn): boolean {
  return ['goodbye', 'no_more', 'thanks', 'no', 'gives_up', 'goes_elsewhere', 'opt_out'].some((list) =>
    says(turn, list),
  );
}
