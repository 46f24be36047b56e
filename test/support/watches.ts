import { finishBacktest, insertBacktest, openBacktest, storeWindow } from '../../src/db/watches/backtests.ts';
import { insertWatch, type NewWatch, setWatchState } from '../../src/db/watches/watches.ts';
import type { World } from './world.ts';

type Owner = Pick<NewWatch, 'workspaceId' | 'agentId'>;

/** A watch as a person writes it. */
export const writtenWatch = (owner: Owner, set: Partial<NewWatch> = {}): NewWatch => ({
  ...owner,
  name: 'Goodbyes',
  lane: 'speaking',
  origin: 'person',
  scopeText: 'All calls',
  expectationText: 'Say goodbye',
  form: { scope: { kind: 'all_calls' }, expectation: { kind: 'says', text: 'goodbye' }, polarity: 'must' },
  createdBy: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e72',
  ...set,
});

/** A watch in review whose backtest flagged one call. @returns its id. */
export async function makeWatch(world: Pick<World, 'database'>, owner: Owner, callId: string): Promise<string> {
  const em = world.database.within(owner.workspaceId);
  const made = writtenWatch(owner);
  const watchId = await insertWatch(em, made);
  const key = { agentId: owner.agentId, watchId, revision: 1 };
  await insertBacktest(em, { ...key, workspaceId: owner.workspaceId, createdBy: made.createdBy });
  await setWatchState(em, watchId, 'backtesting');
  await openBacktest(em, key, made.form.scope);
  const verdict = { watchId, held: false, byOutcome: false, turn: 1, quote: 'Bye.', because: 'It was not said.' };
  const considered = [{ id: callId, sortAt: '2026-03-02T09:15:04.120Z' }];
  const judged = [{ callId, verdicts: [verdict] }];
  await storeWindow(em, key, { after: null, considered, judged, notComputable: 0 });
  await finishBacktest(em, key);
  return watchId;
}
