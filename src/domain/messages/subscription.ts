import type { MessageEvent, Severity, Weekday } from '../vocabulary.ts';

/** Of what a channel is told, and when. */
export interface Subscription {
  events: MessageEvent[];
  /** Issues below it are left out; null: none. What has no severity always passes. */
  minSeverity: Severity | null;
  /** Null: every agent of the workspace. */
  agentId: string | null;
  /** IANA name; its clocks are meant by the hours. */
  timeZone: string;
  quietHours: QuietHours | null;
  digest: Digest;
}

/** `HH:MM` by the clock, such as from `22:00` to `07:00`: what happens within waits until they end. */
export interface QuietHours {
  from: string;
  to: string;
}

export type Digest =
  | { every: 'immediate' }
  | { every: 'daily'; hour: number }
  | { every: 'weekly'; hour: number; day: Weekday };

export const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
