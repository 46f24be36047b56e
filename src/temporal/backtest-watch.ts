import type { SignalEntry, StartEntry } from './outbox-entry.ts';

/** A revision of a watch held against calls that are there already. */
export const BACKTEST_WATCH = 'backtestWatch';
export const backtestId = ({ watchId, revision }: Pick<BacktestInput, 'watchId' | 'revision'>) =>
  `backtest/${watchId}/${revision}`;

export interface BacktestInput {
  watchId: string;
  revision: number;
  workspaceId: string;
  agentId: string;
  agentName?: string;
}

/** Says that the record has changed: it was paused, is to go on, or was cancelled. */
export const BACKTEST_CHANGED = 'changed';
export const BACKTEST_PROGRESS = 'progress';

/** What the attribute `EarshotStage` of a backtest holds. */
export type BacktestStage = 'judging' | 'paused' | 'sampling' | 'ended';

export interface BacktestProgress {
  stage: BacktestStage;
  candidates: number;
  considered: number;
  inScope: number;
  flagged: number;
}

export function backtestEntry(input: BacktestInput): StartEntry<typeof BACKTEST_WATCH, BacktestInput> {
  return { kind: 'start', workflow: BACKTEST_WATCH, workflowId: backtestId(input), input };
}

export function backtestChangedEntry(
  of: Pick<BacktestInput, 'watchId' | 'revision'>,
): SignalEntry<typeof BACKTEST_WATCH> {
  return {
    kind: 'signal',
    workflow: BACKTEST_WATCH,
    workflowId: backtestId(of),
    signal: BACKTEST_CHANGED,
    signalArgs: [],
  };
}
