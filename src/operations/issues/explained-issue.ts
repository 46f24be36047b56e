import type { AgentView } from '../../db/agents/read-agents.ts';
import type { HistoryEntry } from '../../db/issues/read-issue-evidence.ts';
import type { IssueView } from '../../db/issues/read-issues.ts';
import type { ResolutionView } from '../../db/issues/read-lifecycle.ts';
import type { LabelCount } from '../../db/labels/signal-labels.ts';
import type { Compared, ValueCount } from '../../domain/issues/differences.ts';
import type { Spike } from '../../domain/issues/spike.ts';

/** Everything that an explanation is made of. */
export interface ExplainedIssue {
  issue: IssueView;
  agent: AgentView;
  /** Calls on which it stands on a model's reading alone. */
  callsByModel: number;
  causes: { code: string; label: string; calls: number }[];
  endings: { affected: { calls: number; bad: number }; all: { calls: number; bad: number } };
  history: HistoryEntry[];
  compared: { all: Compared; counts: ValueCount[] };
  resolution: ResolutionView;
  spike: Spike | null;
  /** Labels of people on the signals behind it. */
  labels: LabelCount;
}

/** What the rank was computed over. The grouping writes it with the rank, so that both always belong together. */
export function computableBase({ priorityParts, evidenceCalls }: IssueView): number {
  const { computableCalls } = priorityParts;
  return typeof computableCalls === 'number' ? computableCalls : evidenceCalls;
}
