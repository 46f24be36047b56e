import type {
  AnsweredFinding,
  AnsweredProof,
  ProvenFinding,
  ReaderAnswer,
} from '../../../src/domain/reading/answer.ts';

export type Proofs = AnsweredProof[];

/** A quote of a proof; of a turn unless said otherwise. */
export function cited(index: number | null, quote: string, source: AnsweredProof['in'] = 'turn'): AnsweredProof {
  return { in: source, index, quote };
}

export function finding(code: string, turn: number, quote: string, proof: Proofs = []): AnsweredFinding {
  return { code, turn, quote, proof, because: `As ${code} says.` };
}

/** A reader's answer that says nothing but what is given. */
export function answered(given: Partial<ReaderAnswer>): ReaderAnswer {
  return { requests: [], checked: '', findings: [], expectations: [], outcome: null, intent: '', ...given };
}

/** A proven finding without what is made from it. */
export const bare = ({ code, turn, quote, proof }: ProvenFinding) => ({ code, turn, quote, proof });
