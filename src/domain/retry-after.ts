/** How long a `Retry-After` asks to wait, in milliseconds: seconds, or a date beside the given time; null where it is neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  // As many digits as milliseconds take without losing any.
  if (DECIMAL.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - nowMs;
  return Number.isFinite(waitMs) && waitMs >= 0 ? waitMs : null;
}

/** The same of an answer that may also hold `retry-after-ms`, as those of models' and voice platforms' APIs do. */
export function readRetryAfter(headers: Record<string, string>, nowMs: number): number | null {
  const exactMs = headers['retry-after-ms'];
  return exactMs !== undefined && DECIMAL.test(exactMs)
    ? Number(exactMs)
    : parseRetryAfter(headers['retry-after'], nowMs);
}

const DECIMAL = /^\d{1,12}(?:\.\d{1,6})?$/;
