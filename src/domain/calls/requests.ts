import type { CallBase } from './read-turns.ts';
import type { SpokenTurn } from './spoken-turn.ts';
import { says } from './spoken-turn.ts';
import { cutText } from './text.ts';

export interface Request {
  turn: number;
  text: string;
}

const REQUESTS_AT_MOST = 10;
const TEXT_AT_MOST = 300;

/**
 * The caller's requests in order, in their own words. A request says what is wanted ("I need to …", "can you …");
 * where no turn does, the first turn that carries matter stands for it.
 */
export function readRequests(reading: CallBase): Request[] {
  const turns = reading.caller.filter(isRequest).slice(0, REQUESTS_AT_MOST);
  if (turns.length === 0) {
    const first =
      reading.caller.find((turn) => turn.content.length >= 2) ?? reading.caller.find((turn) => turn.content.length > 0);
    return first === undefined ? [] : [toRequest(first)];
  }
  return turns.map(toRequest);
}

/** What the caller wanted, as they said it first. */
export function objectiveOf(requests: readonly Request[], callerSpoke: boolean): string {
  return requests[0]?.text ?? (callerSpoke ? 'The caller made no request.' : 'Nobody spoke.');
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
