import type { Outcome } from '../vocabulary.ts';

export type Decision = {
  outcome: Outcome | null;
  confidence: number;
  rule: string;
  turns: (number | null)[];
  text: string;
};
