import { randomFillSync } from 'node:crypto';

let lastMs = 0;
let sequence = 0;
const random = new Uint8Array(8);

/** A UUIDv7 (RFC 9562): sorts by the time it was made, and by order within one process and millisecond. */
export function newId(nowMs: number = Date.now()): string {
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
  const time = lastMs.toString(16).padStart(12, '0');
  const order = (0x7000 | sequence).toString(16);
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const tail = Buffer.from(random).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-${order}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}
