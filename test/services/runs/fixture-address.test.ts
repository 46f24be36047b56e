import { expect, test } from 'vitest';
import { createVault } from '../../../src/secrets.ts';
import { fixtureAddress, readFixtureToken } from '../../../src/services/runs/fixture-address.ts';

const vault = createVault('a secret of the tests, thirty-two characters and more');
const owner = { workspaceId: 'w', agentId: 'a', attemptId: 't' };
const tokenOf = (address: string) => address.split('/').at(-1) ?? '';

test('an address that we made names its attempt', () => {
  const address = fixtureAddress(vault, 'https://earshot.example.com', owner);
  expect(address).toMatch(/^https:\/\/earshot\.example\.com\/fixtures\/w\.a\.t\.[\w-]{43}$/);
  expect(readFixtureToken(vault, tokenOf(address))).toEqual(owner);
});

test.each([
  ['of another attempt', (token: string) => token.replace('w.a.t.', 'w.a.u.')],
  ['of another agent', (token: string) => token.replace('w.a.t.', 'w.b.t.')],
  ['without its mark', () => 'w.a.t.'],
  ['with a longer mark', (token: string) => `${token}A`],
  ['with another mark', (token: string) => token.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))],
  ['of nothing', () => ''],
])('one %s is nobody’s', (_, change) => {
  const token = change(tokenOf(fixtureAddress(vault, 'https://earshot.example.com', owner)));
  expect(readFixtureToken(vault, token)).toBeNull();
});

test('one made under another secret is nobody’s', () => {
  const other = createVault('another secret of the tests, as long as the first one is');
  expect(readFixtureToken(other, tokenOf(fixtureAddress(vault, '', owner)))).toBeNull();
});
