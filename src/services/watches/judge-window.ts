import type { EntityManager } from '../../db/database.ts';
import {
  type BacktestKey,
  type Candidate,
  CONSIDERED_AT_MOST,
  findBacktest,
  IN_SCOPE_AT_MOST,
  nextCandidates,
  openBacktest,
  storeWindow,
  type Window,
} from '../../db/watches/backtests.ts';
import { judgeStored } from '../../db/watches/live.ts';
import { findForm } from '../../db/watches/watches.ts';
import type { JudgedCall } from '../../domain/watches/judge-call.ts';

export interface WindowJudged {
  candidates: number;
  considered: number;
  inScope: number;
  flagged: number;
  /** `stopped`: somebody cancelled it or edited the watch. */
  state: 'more' | 'over' | 'paused' | 'stopped';
}

/** Calls of one window: one transaction. */
const WINDOW = 100;
const NOTHING = { candidates: 0, considered: 0, inScope: 0, flagged: 0 };

/** Judges the next window of a backtest, newest calls first, from where the record says that it stands. */
export async function judgeWindowOf(em: EntityManager, key: BacktestKey): Promise<WindowJudged> {
  const form = await findForm(em, key);
  if (form === null) return { ...NOTHING, state: 'stopped' };
  await openBacktest(em, key, form.scope);
  const before = await findBacktest(em, key);
  if (before?.status === 'paused') return { ...figuresOf(before), state: 'paused' };
  if (before?.status !== 'running') return { ...NOTHING, state: 'stopped' };
  const found = await nextCandidates(em, before, form.scope, WINDOW);
  const ids = found.map(({ id }) => id);
  const judged = await judgeStored(em, key.agentId, ids, [{ watchId: key.watchId, form }]);
  const window = windowOf(found, judged, IN_SCOPE_AT_MOST - before.inScope);
  const isStored = await storeWindow(em, key, window);
  const after = await findBacktest(em, key);
  if (!isStored || after === null) return { ...figuresOf(after ?? before), state: 'stopped' };
  const isOver = found.length < WINDOW || after.inScope >= IN_SCOPE_AT_MOST || after.considered >= CONSIDERED_AT_MOST;
  return { ...figuresOf(after), state: isOver ? 'over' : 'more' };
}

function figuresOf({ candidates, considered, inScope, flagged }: Omit<WindowJudged, 'state'>) {
  return { candidates, considered, inScope, flagged };
}

/** The calls up to the one with which there are enough in scope. */
function windowOf(found: readonly Candidate[], judged: ReadonlyMap<string, JudgedCall>, wanted: number): Window {
  const window: { considered: Candidate[]; judged: Window['judged'][number][]; notComputable: number } = {
    considered: [],
    judged: [],
    notComputable: 0,
  };
  for (const candidate of found) {
    if (window.judged.length >= wanted) break;
    window.considered.push(candidate);
    const { verdicts = [], notComputable = [] } = judged.get(candidate.id) ?? {};
    window.notComputable += notComputable.length;
    if (verdicts.length > 0) window.judged.push({ callId: candidate.id, verdicts });
  }
  return window;
}
