import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../secrets.ts';

/** Whose fixtures answer. */
export interface FixtureOwner {
  workspaceId: string;
  agentId: string;
  attemptId: string;
}

/** Where a platform has the tools of one simulated call answered. Whoever has the address learns the test's fixtures, no more. */
export function fixtureAddress(vault: Vault, publicUrl: string, owner: FixtureOwner): string {
  return `${publicUrl}/fixtures/${named(owner)}.${markOf(vault, owner)}`;
}

/** @returns whose address it is; null where we did not make it. */
export function readFixtureToken(vault: Vault, token: string): FixtureOwner | null {
  const [workspaceId = '', agentId = '', attemptId = '', mark = ''] = token.split('.');
  const owner = { workspaceId, agentId, attemptId };
  const expected = Buffer.from(markOf(vault, owner));
  const given = Buffer.from(mark);
  return given.length === expected.length && timingSafeEqual(given, expected) ? owner : null;
}

const named = ({ workspaceId, agentId, attemptId }: FixtureOwner) => `${workspaceId}.${agentId}.${attemptId}`;

const markOf = (vault: Vault, owner: FixtureOwner) =>
  createHmac('sha256', vault.derive('tool-fixtures/1')).update(named(owner)).digest('base64url');
