/** How long a `Retry-After` asks to wait, in milliseconds: seconds, or a date beside the given time; null where it is neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  // As many digits as milliseconds take without losing any.
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - nowMs;
  return Number.isFinite(waitMs) && waitMs >= 0 ? waitMs : null;
}
