import { Problem } from './problem.ts';

/** Times of lists in one zone, which their heads name. */
export interface Clock {
  /** A head of a column: `Start (UTC)`. */
  head(text: string): string;
  zone: string;
  /** `2026-03-02 09:15` */
  minute(iso: string): string;
}

export const TIME_ZONE = 'EARSHOT_TIME_ZONE';
const LOCAL = 'local';

/** @throws Problem where `EARSHOT_TIME_ZONE` names no zone. */
export function openClock(env: NodeJS.ProcessEnv = process.env): Clock {
  const wanted = env[TIME_ZONE] ?? 'UTC';
  const timeZone = wanted === LOCAL ? new Intl.DateTimeFormat().resolvedOptions().timeZone : wanted;
  let format: Intl.DateTimeFormat;
  try {
    // The Swedish way of writing times is that of ISO 8601.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  } catch {
    throw new Problem(
      `${TIME_ZONE} is ${wanted}: give a zone such as Europe/Berlin, UTC, or ${LOCAL} for this computer's.`,
    );
  }
  return {
    zone: timeZone,
    head: (text) => `${text} (${timeZone})`,
    minute: (iso) => format.format(new Date(iso)),
  };
}

/** A time by itself: `2026-03-02 09:15 UTC` */
export function stamp(iso: string): string {
  const { minute, zone } = openClock();
  return `${minute(iso)} ${zone}`;
}
