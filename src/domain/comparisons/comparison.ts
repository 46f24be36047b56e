import type { Conclusion } from './conclusion.ts';
import type { IssueMove } from './issue-moves.ts';
import type { MoveDirection, Verdict } from './verdict.ts';

export interface ComparisonMetric {
  metric: string;
  label: string;
  unit: 'share' | 'ms';
  before: { value: number | null; n: number };
  after: { value: number | null; n: number };
  delta: number | null;
  better: 'higher' | 'lower' | 'neither';
  verdict: Verdict;
  direction: MoveDirection;
  /** In words, such as `5 points`. */
  minimum: string;
  notRead: number;
}

export interface ComparisonResult {
  conclusion: Conclusion;
  conclusionLabel: string;
  callsBefore: number;
  callsAfter: number;
  metrics: ComparisonMetric[];
  issueMoves: IssueMove[];
  narrative: string;
  rule: string;
  isRandomized: boolean;
}
