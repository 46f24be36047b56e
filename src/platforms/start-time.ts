const EARLIEST_MS = Date.UTC(2020, 0, 1);
const DAY_MS = 86_400_000;

/**
 * A clock time in milliseconds as ISO 8601, or null with a warning where it can't be right: before 2020 (most often
 * seconds read as milliseconds) or more than a day ahead.
 */
export function clockTime(
  timeMs: number | null,
  { what, nowMs, warnings, earliestMs = EARLIEST_MS }: ClockTimeOptions,
): string | null {
  if (timeMs === null) return null;
  if (timeMs >= earliestMs && timeMs <= nowMs + DAY_MS) return new Date(timeMs).toISOString();
  const where = timeMs < earliestMs ? `lies before ${new Date(earliestMs).getUTCFullYear()}` : 'lies in the future';
  warnings.push(`The ${what} time ${timeMs} ${where} and was left out.`);
  return null;
}

export interface ClockTimeOptions {
  what: 'start' | 'end';
  nowMs: number;
  warnings: string[];
  earliestMs?: number;
}
