import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, matchingHashes } from '../../../src/operations/access/passwords.ts';
import { keptCheaply } from '../../support/cheap-password.ts';

const PASSWORD = 'a long enough password';
const salts = { hashingKey: randomBytes(32) };
const email = 'ann@example.com';

test('a flood of sign-ins waits in turn, and what comes on top is refused at once', async () => {
  const stored = keptCheaply(PASSWORD);
  const answers = await Promise.allSettled(
    Array.from({ length: 60 }, () => matchingHashes(salts, email, 'another', [stored])),
  );
  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(refused).toHaveLength(60 - 52);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
  expect(await matchingHashes(salts, email, PASSWORD, [stored])).toEqual([stored]);
});

test('fifteen right ones at once pass', async () => {
  const stored = await hashPassword(salts, email, PASSWORD);
  const right = await Promise.all(Array.from({ length: 15 }, () => matchingHashes(salts, email, PASSWORD, [stored])));
  expect(right).toEqual(Array.from({ length: 15 }, () => [stored]));
});

test('accounts of one address share a salt, and no others do', async () => {
  const headOf = (hash: string) => hash.slice(0, hash.lastIndexOf('$'));
  const [one, another, elsewhere] = await Promise.all([
    hashPassword(salts, email, PASSWORD),
    hashPassword(salts, email, 'another password'),
    hashPassword(salts, 'bob@example.com', PASSWORD),
  ]);
  expect(headOf(one)).toBe(headOf(another));
  expect(headOf(one)).not.toBe(headOf(elsewhere));
  expect(await matchingHashes(salts, email, 'another password', [one, another, keptCheaply(PASSWORD)])).toEqual([
    another,
  ]);
  expect(await matchingHashes(salts, email, PASSWORD, [])).toEqual([]);
});
