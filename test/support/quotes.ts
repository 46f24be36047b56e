import { expect } from 'vitest';
import type { EntityManager } from '../../src/db/database.ts';
import { findStrayQuotes } from './stray-quotes.ts';

/** Every quote stored for an agent is a part of the turn that it cites. @returns how many were read. */
export async function expectQuotesInTheirTurns(em: EntityManager, agentId: string): Promise<number> {
  const { read, strays } = await findStrayQuotes(em, agentId);
  expect(strays).toEqual([]);
  return read;
}
