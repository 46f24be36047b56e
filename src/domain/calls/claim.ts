import type { ClaimVerdict } from '../vocabulary.ts';

export interface Claim {
  turn: number;
  text: string;
  kind: string;
  /** Turn of the tool result that decides the verdict; null when there is none. */
  backedBy: number | null;
  verdict: ClaimVerdict;
}
