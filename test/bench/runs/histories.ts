import proto from '@temporalio/proto';
import { cellsWorkflowId, runWorkflowId } from '../../../src/temporal/run-tests.ts';
import type { RunWorld } from './world.ts';

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

export interface SeenHistory {
  workflowId: string;
  events: number;
  activities: number;
  /** Largest event with all that it carries. */
  largestBytes: number;
  /** From its start to its end, milliseconds. */
  wholeMs: number;
  /** From the order to play its first cells to the answer of its last activity, milliseconds; 0 without one. */
  attemptsMs: number;
}

/** Histories of a run's workflow and of those that play its cells, read from the server afterwards. */
export async function historiesOf(world: RunWorld, runId: string, parts: number): Promise<SeenHistory[]> {
  const children = Array.from({ length: parts }, (_, part) => cellsWorkflowId({ runId }, part));
  const seen: SeenHistory[] = [];
  for (const workflowId of [runWorkflowId(runId), ...children]) seen.push(await historyOf(world, workflowId));
  return seen;
}

export async function historyOf({ temporal }: RunWorld, workflowId: string): Promise<SeenHistory> {
  const { events } = await temporal.gateway.client.workflow.getHandle(workflowId).fetchHistory();
  const all = events ?? [];
  const ordered = all.filter((event) => event.activityTaskScheduledEventAttributes);
  const played = ordered.find(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'playWindow',
  );
  const answered = all.findLast((event) => event.activityTaskCompletedEventAttributes);
  const between = (from: HistoryEvent | undefined, to: HistoryEvent | undefined) =>
    from && to ? timeOf(to) - timeOf(from) : 0;
  return {
    workflowId,
    events: all.length,
    activities: ordered.length,
    largestBytes: Math.max(0, ...all.map(sizeOf)),
    wholeMs: between(all[0], all.at(-1)),
    attemptsMs: between(played, answered),
  };
}

const sizeOf = (event: HistoryEvent) => proto.temporal.api.history.v1.HistoryEvent.encode(event).finish().length;

/** @returns milliseconds since 1970. */
function timeOf({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6;
}
