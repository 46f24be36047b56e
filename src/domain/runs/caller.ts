import type { CallerSpec, TestSpec } from '../tests/spec.ts';
import { isWorded, OWN_CALLER, type PlayedCall } from './attempt.ts';
import type { PlayedStep } from './played-steps.ts';

/** What comes next in a simulated call, told from what was played alone, so that it goes on the same after a break. */
export type NextMove =
  | { do: 'agent answers'; said: string | null }
  /** The caller's words are known: they stand in the test. */
  | { do: 'caller says'; text: string; hangsUp: boolean }
  /** What the caller says stands in the test, and a model says it in the manner of the persona. */
  | { do: 'caller words'; line: string }
  /** A model plays the caller. */
  | { do: 'caller is asked' }
  | { do: 'end'; endedBy: NonNullable<PlayedCall['endedBy']> };

/** What a scripted caller ends with when the agent has not ended the call by then. */
const SCRIPTED_GOODBYE = 'Thank you, goodbye.';
/** An agent that answers nothing so often in a row is given up on. */
const SILENT_AT_MOST = 2;

/** @param persona who plays the caller */
export function nextMove(spec: TestSpec, steps: readonly PlayedStep[], persona: string = OWN_CALLER): NextMove {
  const last = steps.at(-1);
  if (last === undefined) return { do: 'agent answers', said: null };
  if (last.ended !== null) return { do: 'end', endedBy: last.ended };
  if (last.by === 'caller') return { do: 'agent answers', said: saidIn(last) };
  if (silentAtTheEnd(steps) >= SILENT_AT_MOST) return { do: 'end', endedBy: 'caller' };
  const move = callersMove(spec, steps.filter(({ by }) => by === 'caller').length);
  return move.do === 'caller says' && !move.hangsUp && isWorded(persona, spec)
    ? { do: 'caller words', line: move.text }
    : move;
}

function callersMove({ caller, maxTurns }: TestSpec, spoken: number): NextMove {
  const script = scriptOf(caller);
  if (script !== null && spoken >= script.length) {
    // The goodbye is no turn of the test's: a script that uses up all turns ends without it.
    return spoken < maxTurns
      ? { do: 'caller says', text: SCRIPTED_GOODBYE, hangsUp: true }
      : { do: 'end', endedBy: 'caller' };
  }
  if (spoken >= maxTurns) return { do: 'end', endedBy: 'limit' };
  const line = script?.[spoken] ?? (spoken === 0 && caller.opening.trim() !== '' ? caller.opening : null);
  return line === null ? { do: 'caller is asked' } : { do: 'caller says', text: line, hangsUp: false };
}

/** Everything that a scripted caller says before its goodbye; null for one that a model plays. */
export const scriptOf = ({ opening, script }: CallerSpec): string[] | null =>
  script === null ? null : [opening, ...script].filter((line) => line.trim() !== '');

const saidIn = ({ turns }: PlayedStep): string => turns.map(({ text }) => text).join(' ');

/** Answers to the caller in which nothing is said, counted back from the end; an opening may well be silent. */
function silentAtTheEnd(steps: readonly PlayedStep[]): number {
  const answers = steps.filter(({ by, step }) => by === 'agent' && step > 0);
  const spokenAt = answers.findLastIndex(({ turns }) => turns.some(({ text }) => text.trim() !== ''));
  return answers.length - 1 - spokenAt;
}
