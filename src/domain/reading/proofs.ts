import type { Proof } from '../signals/signal.ts';
import type { DropReason } from './answer.ts';
import type { ProofContext } from './proof-context.ts';
import type { ProofForm } from './reader-codes.ts';

/** A finding whose quotes are exact parts of what they are quoted from. */
export interface FindingToProve {
  code: string;
  turn: number;
  quote: string;
  proof: readonly Proof[];
}

export interface FormOfProof {
  /** False where the finding's own quote is all that there can be. */
  needsProof: boolean;
  /** @returns null where the proof holds, else why not. */
  check(finding: FindingToProve, context: ProofContext): DropReason | null;
}

/** What each form of proof asks of the record. */
export const PROOFS: Readonly<Record<ProofForm, FormOfProof>> = {
  correction: { needsProof: true, check: ({ turn, proof }, { turnAt }) => callerTurnBefore(turn, proof, turnAt) },
  caller_value: { needsProof: true, check: () => null },
  already_told: { needsProof: true, check: () => null },
  unanswered: { needsProof: true, check: () => null },
  no_tool_success: { needsProof: true, check: () => null },
  failed_result: { needsProof: true, check: () => null },
  result_value: { needsProof: true, check: () => null },
  unused_result: { needsProof: true, check: () => null },
  prompt_line: { needsProof: true, check: () => null },
  phrase_missing: { needsProof: true, check: () => null },
  phrase_said: { needsProof: true, check: () => null },
  no_source: { needsProof: false, check: () => null },
  two_turns: { needsProof: true, check: () => null },
  person_requests: { needsProof: true, check: () => null },
  before_verification: { needsProof: true, check: () => null },
  state: { needsProof: true, check: () => null },
  caller_words: { needsProof: false, check: () => null },
  repeated: { needsProof: true, check: () => null },
  ending: { needsProof: true, check: () => null },
  own_words: { needsProof: false, check: () => null },
  other: { needsProof: true, check: () => null },
};

function callerTurnBefore(turn: number, proof: readonly Proof[], turnAt: ProofContext['turnAt']): DropReason | null {
  const isThere = proof.some(
    (one) => one.in === 'turn' && one.index !== null && one.index < turn && turnAt.get(one.index)?.role === 'caller',
  );
  return isThere ? null : 'proof_does_not_hold';
}
