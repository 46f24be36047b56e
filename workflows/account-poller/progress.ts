import { defineQuery, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { type AccountLook, POLLER_PROGRESS, type PollerProgress } from '../../src/temporal/account-poller.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { clock } from '../shared/clock.ts';
import { onQuery } from '../shared/handlers.ts';
import type { PollerState } from './messages.ts';
import { nextLookAtMs } from './next-look.ts';

/** Shows what the poller waits for in its query, its current details and its stage attribute. */
export function showPoller(state: PollerState): { now(): void } {
  let stage: PollerProgress['state'] = 'idle';
  onQuery(defineQuery<PollerProgress>(POLLER_PROGRESS), 'What it waits for, and what the last look came to.', () =>
    progressOf(state, Date.now()),
  );
  return {
    now() {
      const progress = progressOf(state, Date.now());
      if (progress.state !== stage) upsertSearchAttributes([attribute('EarshotStage', progress.state)]);
      stage = progress.state;
      setCurrentDetails(detailsOf(progress, state.trouble));
    },
  };
}

export function progressOf(state: PollerState, nowMs: number): PollerProgress {
  const lastLook = state.last && lookWords(state.last);
  if (state.paused)
    return { state: 'paused', waitsFor: 'Paused by a person: send the signal `goOn` to go on', lastLook };
  const atMs = nextLookAtMs(state, nowMs);
  if (atMs === null) return { state: 'idle', waitsFor: 'Looks only when it is told to', lastLook };
  const at = clock(atMs, nowMs);
  return state.waitUntilMs > nowMs
    ? { state: 'waiting', waitsFor: `Waits for the platform until ${at}`, lastLook }
    : { state: 'idle', waitsFor: `Waits for the next poll at ${at}`, lastLook };
}

function detailsOf({ waitsFor, lastLook }: PollerProgress, trouble: string | null): string {
  const help =
    'Signals: `poll` looks now, `pause` and `goOn`. Terminating it is safe: it is opened again within ten minutes.';
  return [`**${waitsFor}**`, lastLook, trouble, help].filter((part) => part !== null).join('\n\n');
}

/** Such as `The last look: 25 agents, 1 with news`. */
export function lookWords({ agents, news, apart, lookedBack }: AccountLook): string {
  const parts: [number, string][] = [
    [agents, agents === 1 ? 'agent' : 'agents'],
    [news, 'with news'],
    [apart, 'that look by themselves'],
    [lookedBack?.calls ?? 0, 'calls that were listed late'],
  ];
  const shown = parts.filter(([count], at) => at === 0 || count > 0).map(([count, what]) => `${count} ${what}`);
  return `The last look: ${shown.join(', ')}`;
}
