import { randomBytes, scryptSync } from 'node:crypto';

/** A password as it was kept when tries cost less: a hundredth of the work of one that is kept today. */
export function keptCheaply(password: string): string {
  const [N, r, p] = [1_024, 8, 1];
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}
