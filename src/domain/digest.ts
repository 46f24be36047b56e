/** SHA-256 (FIPS 180-4) in plain arithmetic: workflows and the domain have no crypto module, and a key must not collide. */
export function sha256Hex(text: string): string {
  const message = padded(utf8(text));
  const state = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < message.length; offset += 64) compress(state, schedule, message, offset);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** The fractional bits of the first primes' roots: square roots for the start, cube roots for the rounds. */
const PRIMES = firstPrimes(64);
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

function compress(state: Uint32Array, schedule: Uint32Array, message: Uint8Array, offset: number): void {
  const at = (words: Uint32Array, index: number) => words[index] ?? 0;
  for (let t = 0; t < 16; t += 1) {
    const byte = (shift: number) => message[offset + t * 4 + shift] ?? 0;
    schedule[t] = (byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3);
  }
  for (let t = 16; t < 64; t += 1) {
    const early = at(schedule, t - 15);
    const late = at(schedule, t - 2);
    const small0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const small1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[t] = at(schedule, t - 16) + small0 + at(schedule, t - 7) + small1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + at(ROUNDS, t) + at(schedule, t)) >>> 0;
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = at(state, index) + word;
  });
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function padded(bytes: number[]): Uint8Array {
  const message = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  message.set(bytes);
  message[bytes.length] = 0x80;
  const bits = bytes.length * 8;
  const view = new DataView(message.buffer);
  view.setUint32(message.length - 8, Math.floor(bits / 2 ** 32));
  view.setUint32(message.length - 4, bits >>> 0);
  return message;
}

function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0xfffd;
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
}
