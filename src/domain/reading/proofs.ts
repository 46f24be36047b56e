import type { ProofCheck } from './proof-form.ts';
import { phraseMissing, phraseSaid, promptLine } from './prove-text.ts';
import { beforeVerification, failedResult, noToolSuccess, personRequests } from './prove-tools.ts';
import { callerWords, ending, machine, other, ownWords, repeated, state, twoTurns, unanswered } from './prove-turns.ts';
import { alreadyTold, callerValue, correction, noSource, resultValue, unusedResult } from './prove-values.ts';
import type { ProofForm } from './reader-codes.ts';

export interface FormOfProof {
  /** False where the finding's own quote can be all that there is. */
  needsProof: boolean;
  check: ProofCheck;
}

const beside = (check: ProofCheck): FormOfProof => ({ needsProof: true, check });
const alone = (check: ProofCheck): FormOfProof => ({ needsProof: false, check });

/** What each form of proof asks of the record. */
export const PROOFS: Readonly<Record<ProofForm, FormOfProof>> = {
  correction: beside(correction),
  caller_value: beside(callerValue),
  already_told: beside(alreadyTold),
  unanswered: beside(unanswered),
  no_tool_success: beside(noToolSuccess),
  failed_result: beside(failedResult),
  result_value: beside(resultValue),
  unused_result: beside(unusedResult),
  prompt_line: beside(promptLine),
  phrase_missing: beside(phraseMissing),
  phrase_said: beside(phraseSaid),
  no_source: alone(noSource),
  two_turns: beside(twoTurns),
  machine: beside(machine),
  person_requests: beside(personRequests),
  before_verification: beside(beforeVerification),
  state: beside(state),
  caller_words: alone(callerWords),
  repeated: beside(repeated),
  ending: beside(ending),
  own_words: alone(ownWords),
  other: beside(other),
};
