import type { SpokenTurn } from '../acts/spoken-turn.ts';
import { says } from '../acts/spoken-turn.ts';
import { cutText } from '../text.ts';
import { requestLanguage } from '../words/request-languages.ts';
import { isUnreached } from './answered.ts';
import type { CallBase } from './call-base.ts';
import { asksWithMatter, hasMatter } from './request-terms.ts';
import { missingSide } from './side-record.ts';

export interface Request {
  turn: number;
  text: string;
}

const REQUESTS_AT_MOST = 10;
const TEXT_AT_MOST = 300;

/**
 * The caller's requests in order, in their own words. A request says what is wanted ("I need to …", "can you …");
 * where there are no lists of such words for the language, what asks and has matter stands for it, and where nobody
 * asks, the first turn that has matter: a greeting is no request.
 */
export function readRequests(reading: CallBase): Request[] {
  const { caller } = reading;
  const told = caller.filter(isRequest);
  const turns = told.length > 0 ? told : caller.filter((turn) => asksWithoutLists(turn, reading));
  if (turns.length > 0) return turns.slice(0, REQUESTS_AT_MOST).map(toRequest);
  const first =
    caller.find(({ turn, content }) => content.length >= 2 && hasMatter(turn.text)) ??
    caller.find((turn) => turn.content.length >= 2) ??
    caller.find((turn) => turn.content.length > 0);
  return first === undefined ? [] : [toRequest(first)];
}

/** A short call may be too short to tell its language, so each turn is looked at by itself. */
function asksWithoutLists({ turn, words }: SpokenTurn, { phrasesMissing }: CallBase): boolean {
  return (phrasesMissing !== null || requestLanguage(words) !== 'en') && asksWithMatter(turn.text);
}

/** What the caller wanted, as they said it first. */
export function objectiveOf(requests: readonly Request[], { sides, answered }: CallBase): string {
  const missing = missingSide(sides, 'caller');
  return (
    requests[0]?.text ??
    missing ??
    (isUnreached(answered) ? answered.text : null) ??
    (sides.caller.state === 'words' ? 'The caller made no request.' : 'Nobody spoke.')
  );
}

export function isRequest(turn: SpokenTurn): boolean {
  if (says(turn, 'request_strong')) return turn.content.length >= 1 && !isClosing(turn);
  return says(turn, 'request') && turn.content.length >= 2 && !isClosing(turn);
}

/** "No thank you, that is all, goodbye": a turn that ends the talk asks for nothing. */
function isClosing(turn: SpokenTurn): boolean {
  return says(turn, 'goodbye') || says(turn, 'no_more');
}

function toRequest(turn: SpokenTurn): Request {
  return { turn: turn.index, text: cutText(turn.turn.text.trim(), TEXT_AT_MOST) };
}
