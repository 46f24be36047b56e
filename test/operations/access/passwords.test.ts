import { randomBytes, scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkPassword, hashPassword } from '../../../src/operations/access/passwords.ts';

/** A password as it was kept when tries cost less: what waits in turn is told without a quarter of a minute of hashing. */
function keptCheaply(password: string): string {
  const [N, r, p] = [1_024, 8, 1];
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

test('a flood of sign-ins waits in turn, and what comes on top is refused at once', async () => {
  const stored = keptCheaply('a long enough password');
  const answers = await Promise.allSettled(Array.from({ length: 60 }, () => checkPassword('another', stored)));
  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(refused).toHaveLength(60 - 52);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
  expect(await checkPassword('a long enough password', stored)).toBe(true);
});

test('fifteen right ones at once pass', async () => {
  const stored = await hashPassword('a long enough password');
  const right = await Promise.all(Array.from({ length: 15 }, () => checkPassword('a long enough password', stored)));
  expect(right).toEqual(Array.from({ length: 15 }, () => true));
});
