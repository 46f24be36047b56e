import { WEEKDAYS } from '../vocabulary.ts';
import { localTime, momentOf } from './local-time.ts';
import { type Digest, minuteOf, type QuietHours, type Subscription } from './subscription.ts';

/** When a channel is to be told of what happens now, in milliseconds; null: at once. */
export function dueAt(
  { digest, quietHours, timeZone }: Pick<Subscription, 'digest' | 'quietHours' | 'timeZone'>,
  nowMs: number,
): number | null {
  if (digest.every !== 'immediate') return nextDigest(digest, timeZone, nowMs);
  return quietHours === null ? null : endOfQuiet(quietHours, timeZone, nowMs);
}

function nextDigest(digest: Exclude<Digest, { every: 'immediate' }>, timeZone: string, nowMs: number): number {
  const today = localTime(nowMs, timeZone);
  const minute = digest.hour * 60;
  const every = digest.every === 'daily' ? 1 : 7;
  const first = digest.every === 'daily' ? 0 : (WEEKDAYS.indexOf(digest.day) - WEEKDAYS.indexOf(today.weekday) + 7) % 7;
  const dueMs = momentOf({ day: today.day + first, minute }, timeZone);
  return dueMs > nowMs ? dueMs : momentOf({ day: today.day + first + every, minute }, timeZone);
}

/** Null outside of the quiet hours. */
function endOfQuiet({ from, to }: QuietHours, timeZone: string, nowMs: number): number | null {
  const [begins, ends] = [minuteOf(from), minuteOf(to)];
  const { day, minute } = localTime(nowMs, timeZone);
  const overMidnight = begins > ends;
  const isQuiet = overMidnight ? minute >= begins || minute < ends : minute >= begins && minute < ends;
  if (!isQuiet) return null;
  const dueMs = momentOf({ day: overMidnight && minute >= begins ? day + 1 : day, minute: ends }, timeZone);
  return dueMs > nowMs ? dueMs : null;
}
