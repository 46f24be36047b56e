import type { Turn } from '../calls/call.ts';
import type { Proof } from '../signals/signal.ts';
import { cutWords } from '../text.ts';
import type { DropReason } from './answer.ts';
import type { ProofContext } from './proof-context.ts';
import { lettersOf, UNSPACED } from './quotes.ts';

/** A finding whose quotes are exact parts of what they are quoted from. */
export interface FindingToProve {
  code: string;
  turn: number;
  quote: string;
  proof: readonly Proof[];
}

/**
 * @returns null where the proof holds. `proof_missing`: it is nothing of what the form asks for. `proof_does_not_hold`:
 * the record refutes it. What the record leaves open holds.
 */
export type ProofCheck = (finding: FindingToProve, context: ProofContext) => DropReason | null;

/** Of the proofs that are what the form asks for, one that the record does not refute is enough. */
export function anyOf<One>(asked: readonly One[], isRefuted: (one: One) => boolean): DropReason | null {
  if (asked.length === 0) return 'proof_missing';
  return asked.every(isRefuted) ? 'proof_does_not_hold' : null;
}

/** A proof at a turn, with the turn. */
export interface AtTurn {
  turn: Turn;
  quote: string;
}

/** The proofs that are quoted from other turns than the finding's own, also where a tool's text is cited as a turn. */
export function turnsOf({ turn, proof }: FindingToProve, { turnAt }: ProofContext): AtTurn[] {
  return proof.flatMap(({ in: source, index, quote }) => {
    const at = source === 'prompt' || index === null || index === turn ? undefined : turnAt.get(index);
    return at === undefined ? [] : [{ turn: at, quote }];
  });
}

/** What the caller said or keyed in. */
export const isCallers = ({ turn }: AtTurn): boolean => turn.role === 'caller' || turn.dtmf !== null;

/** What the agent said. */
export const isAgents = ({ turn, quote }: AtTurn): boolean =>
  turn.role === 'agent' && lettersOf(turn.text).includes(lettersOf(quote));

export const isToolText = ({ turn, quote }: AtTurn): boolean =>
  turn.toolResult !== null || (turn.toolCall !== null && !isAgents({ turn, quote }));

/** More than a name or a single word; in scripts without blanks, more than a few signs. */
export function isPhrase(text: string, words = 3): boolean {
  return cutWords(text).words.length >= words || (UNSPACED.test(text) && lettersOf(text).length >= words * 2);
}

/** Share of the pairs of neighboring letters that two texts have in common, in any script. */
export function likeness(a: string, b: string): number {
  const [one, other] = [pairsOf(a), pairsOf(b)];
  const both = [...one].filter((pair) => other.has(pair)).length;
  return (2 * both) / Math.max(1, one.size + other.size);
}

function pairsOf(text: string): Set<string> {
  const letters = lettersOf(text);
  return new Set(Array.from(letters, (_, at) => letters.slice(at, at + 2)).slice(0, -1));
}
