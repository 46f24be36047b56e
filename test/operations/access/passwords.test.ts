import { expect, test } from 'vitest';
import { checkPassword, hashPassword } from '../../../src/operations/access/passwords.ts';
import { keptCheaply } from '../../support/cheap-password.ts';

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
