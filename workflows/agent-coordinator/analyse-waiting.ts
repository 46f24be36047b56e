import { analysis, control } from '../shared/activity-calls.ts';
import type { CoordinatorState } from './messages.ts';

const CALLS_AT_ONCE = 500;
const WINDOW = 100;
/** Rounds before the coordinator looks at its other work, and at the length of its history. */
const ROUNDS = 20;
/** A clock of ours may be ahead of the database's, which decides: asked too early, the coordinator asks again. */
const AFTER_THE_TURN_MS = 1_000;
const SHORTEST_GAP_MS = 5_000;

/**
 * Calls that the plan's allowance held back, oldest first, one window after the other. Leaves in the coordinator when the next
 * ones may be tried, and whether there is more to do now.
 * @param isCalled whether the coordinator has something else to do
 */
export async function analyseWaiting(
  agent: { workspaceId: string; agentId: string },
  state: Pick<CoordinatorState, 'analyseWanted' | 'heldUntilMs' | 'wantRegroup'>,
  isCalled: () => boolean,
): Promise<void> {
  const { workspaceId, agentId } = agent;
  const tried = new Set<string>();
  state.analyseWanted = false;
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = await control.waitingCalls({ workspaceId, agentId, importId: null, limit: CALLS_AT_ONCE });
    noteHeld(state, left.held?.until ?? null);
    const callIds = [...left.own, ...left.others].filter((id) => !tried.has(id));
    if (callIds.length === 0) return;
    for (const id of callIds) tried.add(id);
    for (let at = 0; at < callIds.length; at += WINDOW) {
      const window = callIds.slice(at, at + WINDOW);
      const { analysed } = await analysis(`${window.length} calls`).analyseCalls({
        workspaceId,
        agentId,
        callIds: window,
      });
      if (analysed > 0) state.wantRegroup('incremental');
    }
    if (isCalled()) break;
  }
  state.analyseWanted = true;
}

/** @param until when the allowance turns (ISO 8601); null where it holds nothing back */
export function noteHeld(state: Pick<CoordinatorState, 'heldUntilMs'>, until: string | null): void {
  state.heldUntilMs =
    until === null ? null : Math.max(Date.parse(until) + AFTER_THE_TURN_MS, Date.now() + SHORTEST_GAP_MS);
}
