import { createHmac, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Vault } from '../../secrets.ts';
import { withHashSlot } from './hash-slots.ts';

type Salts = Pick<Vault, 'hashingKey'>;

// 2^15 × 8 × 128 bytes are 32 MiB a try: what OWASP's table asks for beside parallelism 3.
const COST = { N: 32_768, r: 8, p: 3 };
const KEY_BYTES = 32;
const MAX_MEMORY = 64 * 1024 * 1024;
/** Salts that one check derives at most: that of the address, and those of accounts from before it had one. */
const SALTS_AT_MOST = 3;

/**
 * Accounts of one address share a salt, so that a password is checked against all of them by one derivation, however many
 * others made.
 * @throws Failure `rate_limited` @returns `scrypt$N$r$p$salt$hash`, so that the cost can be raised without losing anyone.
 */
export async function hashPassword(salts: Salts, email: string, password: string): Promise<string> {
  const head = headFor(salts, email);
  return `${head}$${(await derive(password, head)).toString('base64url')}`;
}

/**
 * Which of the hashes that are kept at an address the password is of. Takes the same time where there are none, so that
 * the answer does not tell which addresses are known. @throws Failure `rate_limited`
 */
export async function matchingHashes(
  salts: Salts,
  email: string,
  password: string,
  kept: readonly string[],
): Promise<string[]> {
  const heads = new Set(kept.map((hash) => hash.slice(0, hash.lastIndexOf('$'))));
  if (heads.size === 0) heads.add(headFor(salts, email));
  const matching: string[] = [];
  for (const head of [...heads].slice(0, SALTS_AT_MOST)) {
    const key = await derive(password, head);
    matching.push(...kept.filter((hash) => hash.startsWith(`${head}$`) && isKey(hash.slice(head.length + 1), key)));
  }
  return matching;
}

function headFor({ hashingKey }: Salts, email: string): string {
  const salt = createHmac('sha256', hashingKey).update(`password/1 ${email}`).digest('base64url').slice(0, 22);
  return ['scrypt', COST.N, COST.r, COST.p, salt].join('$');
}

function isKey(text: string, key: Buffer): boolean {
  const expected = Buffer.from(text, 'base64url');
  return expected.length === key.length && timingSafeEqual(key, expected);
}

const scrypted = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

function derive(password: string, head: string): Promise<Buffer> {
  const [, N, r, p, salt = ''] = head.split('$');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: MAX_MEMORY };
  // The same letters typed on different systems may arrive as different code points.
  return withHashSlot(() => scrypted(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), KEY_BYTES, options));
}
