import { randomFillSync } from 'node:crypto';

let lastMs = 0;
let sequence = 0;
const random = new Uint8Array(8);

/** A UUIDv7 (RFC 9562): sorts by the time it was made, and by order within one process and millisecond. */
export function newId(): string {
  const nowMs = Date.now();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = 0;
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      lastMs += 1;
      sequence = 0;
    }
  }
  randomFillSync(random);
  const order = (0x7000 | sequence).toString(16);
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const tail = Buffer.from(random).toString('hex');
  return `${timeOf(lastMs)}-${order}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** Sorts before every id that was made at that time or later, and after those from before it; it is nobody's. */
export const idBoundAt = (ms: number): string => `${timeOf(ms)}-7000-8000-000000000000`;

function timeOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
