import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { withHashSlot } from './hash-slots.ts';

// 2^15 × 8 × 128 bytes are 32 MiB a try: what OWASP's table asks for beside parallelism 3.
const COST = { N: 32_768, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 32;

/** @throws Failure `rate_limited` @returns `scrypt$N$r$p$salt$hash`, so that the cost can be raised without losing anyone. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Takes the same time whether or not there is a stored hash, so that the answer does not tell which addresses are known. */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  const [, n, r, p, salt, hash] = (stored ?? '').split('$');
  if (!salt || !hash) {
    await derive(password, Buffer.alloc(16), COST);
    return false;
  }
  const expected = Buffer.from(hash, 'base64url');
  const key = await derive(password, Buffer.from(salt, 'base64url'), {
    N: Number(n),
    r: Number(r),
    p: Number(p),
    maxmem: COST.maxmem,
  });
  return timingSafeEqual(key, expected);
}

const scrypted = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  // The same letters typed on different systems may arrive as different code points.
  return withHashSlot(() => scrypted(password.normalize('NFKC'), salt, KEY_BYTES, options));
}
