import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Compares in the same time wherever the texts differ, and whatever their lengths. */
export function isSameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** HMAC-SHA256 over the parts in their order, in hexadecimal. */
export function hmacHex(secret: string, parts: readonly (string | Uint8Array)[]): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}

/** `t=1,v0=ab` as a map; null where a part has no name or a name comes twice. */
export function readSignatureParts(header: string | undefined): Map<string, string> | null {
  if (header === undefined || header.length > 1_000) return null;
  const parts = new Map<string, string>();
  for (const part of header.split(',')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at < 1 || parts.has(name)) return null;
    parts.set(name, part.slice(at + 1).trim());
  }
  return parts;
}

/** Whole digits only: a sign, a fraction or an exponent is no timestamp. */
export function readDigits(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Bounded on both sides: a timestamp from the future would keep a stolen delivery good for as long as it likes. */
export const isWithin = (timeMs: number, nowMs: number, toleranceMs: number) => Math.abs(nowMs - timeMs) <= toleranceMs;
