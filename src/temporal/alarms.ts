import type { SignalWithStartEntry, StartEntry } from './outbox-entry.ts';

/** One workflow an agent that has alarms: sleeps until the next window of one is over, and looks at it. */
export const ALARMS = 'alarmsOfAgent';
export const alarmsId = (agentId: string) => `alarms/${agentId}`;

export interface AlarmsInput {
  agentId: string;
  workspaceId: string;
}

/** `moved`: an alarm was made, changed or silenced. It has no content, so twice is as good as once. */
export const ALARM_SIGNALS = { moved: 'moved' } as const;
export const ALARMS_PROGRESS = 'progress';

const entryOf = (input: AlarmsInput) => ({ workflow: ALARMS, workflowId: alarmsId(input.agentId), input }) as const;

/** Wakes the workflow of an agent, or starts it. */
export const alarmsEntry = (input: AlarmsInput): SignalWithStartEntry<typeof ALARMS, AlarmsInput> => ({
  ...entryOf(input),
  kind: 'signalWithStart',
  signal: ALARM_SIGNALS.moved,
  signalArgs: [],
});

/** Starts it where it is missing. */
export const startAlarmsEntry = (input: AlarmsInput): StartEntry<typeof ALARMS, AlarmsInput> => ({
  ...entryOf(input),
  kind: 'start',
});

/** What one look came to, and when the next is due by the database's clock, in milliseconds; null where no alarm is on. */
export interface AlarmsLook {
  nowMs: number;
  nextMs: number | null;
  alarms: number;
  ringing: number;
}
