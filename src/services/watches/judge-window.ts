import type { EntityManager } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';
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
import type { JudgedCall, WatchToJudge } from '../../domain/watches/judge-call.ts';

export interface WindowJudged {
  candidates: number;
  considered: number;
  inScope: number;
  flagged: number;
  /** `stopped`: somebody cancelled it or edited the watch. `model`: code can't decide it, a model is to be asked. */
  state: 'more' | 'over' | 'paused' | 'stopped' | 'model';
}

/** Who says whether a watch held on calls, and on how many of them. */
export interface WindowJudge {
  /** True for a model, which is asked what code can't decide. */
  isModel: boolean;
  /** Calls of one window: one transaction. */
  window: number;
  inScopeAtMost: number;
  consideredAtMost: number;
  judge(
    em: EntityManager,
    agentId: string,
    callIds: readonly string[],
    watch: WatchToJudge,
  ): Promise<ReadonlyMap<string, JudgedCall>>;
}

const BY_CODE: WindowJudge = {
  isModel: false,
  window: 500,
  inScopeAtMost: IN_SCOPE_AT_MOST,
  consideredAtMost: CONSIDERED_AT_MOST,
  judge: (em, agentId, callIds, watch) => judgeStored(em, agentId, callIds, [watch]),
};

const NOTHING = { candidates: 0, considered: 0, inScope: 0, flagged: 0 };

/** Judges the next window of a backtest, newest calls first, from where the record says that it stands. */
export async function judgeWindowOf(em: EntityManager, key: BacktestKey, by = BY_CODE): Promise<WindowJudged> {
  const form = await findForm(em, key);
  if (form === null) return { ...NOTHING, state: 'stopped' };
  const before = await openBacktest(em, key, form.scope);
  if (before?.status !== 'running') return standsNow(before);
  if (form.expectation.kind === 'judged' && !by.isModel) return { ...figuresOf(before), state: 'model' };
  const found = await nextCandidates(em, before, form.scope, by.window);
  const ids = found.map(({ id }) => id);
  const judged = await by.judge(em, key.agentId, ids, { watchId: key.watchId, form });
  const window = windowOf(found, judged, by.inScopeAtMost - before.inScope);
  const isStored = await storeWindow(em, key, { after: before.cursorId, ...window });
  const after = await findBacktest(em, key);
  if (!isStored || after === null) return standsNow(after);
  const isOver =
    found.length < by.window || after.inScope >= by.inScopeAtMost || after.considered >= by.consideredAtMost;
  return isOver ? { ...figuresOf(after), state: 'over' } : standsNow(after);
}

/** Told to pause and to go on between two looks, it is queued again: the next look opens it. */
function standsNow(standing: Row<'backtests'> | null): WindowJudged {
  if (standing === null) return { ...NOTHING, state: 'stopped' };
  const { status } = standing;
  const isOpen = status === 'queued' || status === 'running';
  return { ...figuresOf(standing), state: isOpen ? 'more' : status === 'paused' ? 'paused' : 'stopped' };
}

function figuresOf({ candidates, considered, inScope, flagged }: Omit<WindowJudged, 'state'>) {
  return { candidates, considered, inScope, flagged };
}

/** The calls up to the one with which there are enough in scope. */
function windowOf(
  found: readonly Candidate[],
  judged: ReadonlyMap<string, JudgedCall>,
  wanted: number,
): Omit<Window, 'after'> {
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
