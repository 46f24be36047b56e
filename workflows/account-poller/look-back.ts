import type { AccountLook, LookBack } from '../../src/temporal/account-poller.ts';
import type { PollerState } from './messages.ts';

const EVERY_MS = { day: 3_600_000, reach: 86_400_000 } as const;

/** Which look back a look of the account brings along: one that is under way, else one whose time has come. */
export function nextLookBack(
  { lookBack, lastDayMs, lastReachMs }: Pick<PollerState, 'lookBack' | 'lastDayMs' | 'lastReachMs'>,
  nowMs: number,
): LookBack | null {
  if (lookBack) return lookBack;
  if (nowMs - lastReachMs >= EVERY_MS.reach) return { depth: 'reach', at: null };
  return nowMs - lastDayMs >= EVERY_MS.day ? { depth: 'day', at: null } : null;
}

/** A look that failed brings the same one along again. */
export function takeLookBack(
  state: PollerState,
  { look, lookBack, startedMs }: { look: AccountLook | null; lookBack: LookBack | null; startedMs: number },
): void {
  const isGood = look !== null && look.wait === null && look.refused === null;
  if (lookBack === null || !isGood) return;
  const at = look.lookedBack?.at ?? null;
  state.lookBack = at === null ? null : { ...lookBack, at };
  if (at !== null) return;
  state.lastDayMs = startedMs;
  if (lookBack.depth === 'reach') state.lastReachMs = startedMs;
}
