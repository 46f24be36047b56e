import type { CoordinatorProgress, OpenImport } from '../../src/temporal/agent-coordinator.ts';
import { importWorkflowId } from '../../src/temporal/import-calls.ts';
import { clock } from '../shared/clock.ts';
import { pollAtMs, type Standing, type Step } from './lanes.ts';

/** What a coordinator does or waits for, as a whole and lane by lane. */
export function progressOf(standing: Standing, doing: Step['do']): CoordinatorProgress {
  const { open, queue } = standing;
  const lanes = {
    live: liveWords(standing, doing),
    backfill: open.backfill ? openWords(open.backfill) : 'nothing to do',
  };
  const importId = (open.backfill ?? open.live)?.importId ?? null;
  return { ...headline(standing, doing), importId, queued: queue.length, lanes };
}

/** What an operator reads on the page of a coordinator. */
export function coordinatorDetails({ waitsFor, lanes, queued }: CoordinatorProgress, trouble: string | null): string {
  const both = lanes ? [`- Live calls: ${lanes.live}\n- Backfill: ${lanes.backfill}`] : [];
  const waiting = queued > 0 ? [`${queued} imports are waiting their turn.`] : [];
  return [`**${waitsFor}**`, ...both, ...waiting, ...(trouble === null ? [] : [trouble])].join('\n\n');
}

function headline(standing: Standing, doing: Step['do']): Pick<CoordinatorProgress, 'state' | 'waitsFor'> {
  const { open, paused } = standing;
  if (paused) return { state: 'paused', waitsFor: 'Paused by a person: send the signal `goOn` to go on' };
  if (doing === 'group') return { state: 'grouping', waitsFor: 'Groups the signals into issues' };
  if (doing === 'analyse') return { state: 'analysing', waitsFor: 'Analyses calls that waited for the allowance' };
  if (open.live !== null || open.backfill !== null) return { state: 'importing', waitsFor: 'Imports calls' };
  return { state: 'idle', waitsFor: idleWords(standing) };
}

function idleWords(standing: Standing): string {
  const { heldUntilMs, nowMs } = standing;
  const held = heldUntilMs === null ? '' : `; calls wait for the allowance until ${clock(heldUntilMs, nowMs)}`;
  return `Waits for ${nextLiveCalls(standing)}${held}`;
}

function nextLiveCalls(standing: Standing): string {
  const atMs = pollAtMs(standing);
  if (atMs !== null) return `the next poll at ${clock(atMs, standing.nowMs)}`;
  return standing.polledByAccount ? 'what the poller of its account finds' : 'records to be uploaded';
}

function liveWords(standing: Standing, doing: Step['do']): string {
  if (standing.open.live) return openWords(standing.open.live);
  if (doing === 'poll') return 'asks the platform for new calls';
  return standing.paused ? 'paused' : `waits for ${nextLiveCalls(standing)}`;
}

function openWords({ importId, attempt, waitsFor, counts }: OpenImport): string {
  const name = importWorkflowId(importId, attempt);
  if (waitsFor !== null) return `${name} ${waitsFor}`;
  return counts === null
    ? `${name} imports calls`
    : `${name} imports calls, ${counts.stored} stored and ${counts.analysed} analysed at the last poll`;
}
