import { type BacktestKey, endBacktest, finishBacktest } from '../../src/db/watches/backtests.ts';
import { judgeWindowOf, type WindowJudged } from '../../src/services/watches/judge-window.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

export interface BacktestRequest extends BacktestKey {
  workspaceId: string;
}

/** Every step takes up from what the record says, so that an attempt which comes twice, or after a crash, adds nothing. */
export function createBacktest({ database }: Pick<ActivityDeps, 'database'>) {
  return {
    async judgeWindow(request: BacktestRequest): Promise<WindowJudged> {
      return withHeartbeat(
        () => ({}),
        () => judgeWindowOf(database.within(request.workspaceId), request),
      );
    },
    async drawWatchSamples(request: BacktestRequest): Promise<{ finished: boolean }> {
      return { finished: await finishBacktest(database.within(request.workspaceId), request) };
    },
  };
}

/** How a backtest ends in the record without a result. */
export function createBacktestRecord({ database }: Pick<ActivityDeps, 'database'>) {
  return {
    async endBacktestEarly(request: BacktestRequest & { to: 'cancelled' | 'failed'; reason: string }): Promise<void> {
      await endBacktest(database.within(request.workspaceId), request, request.to, request.reason);
    },
  };
}
