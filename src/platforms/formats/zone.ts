/**
 * The instant of a clock time without a zone, such as `2026-11-10T15:30:00`, in a zone. Of an hour that comes twice the
 * first is taken. NaN where the time or the zone is none.
 */
export function instantIn(zone: string, local: string): number {
  const asUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
  const format = formatOf(zone);
  if (Number.isNaN(asUtc) || format === null) return Number.NaN;
  // The offset at the time itself: that of a first guess may be the one before or after the clocks change.
  const first = asUtc - offsetMs(format, asUtc);
  const second = asUtc - offsetMs(format, first);
  return offsetMs(format, second) === asUtc - second ? second : first;
}

export const isZone = (zone: string): boolean => formatOf(zone) !== null;

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const parts = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...parts });
  } catch {
    return null;
  }
}

function offsetMs(format: Intl.DateTimeFormat, atMs: number): number {
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}
