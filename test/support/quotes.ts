import { sql } from 'kysely';
import { expect } from 'vitest';
import type { EntityManager } from '../../src/db/database.ts';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';

/** Every quote stored for an agent is a part of the turn that it cites: on a tool turn, of the result's text. @returns how many were read. */
export async function expectQuotesInTheirTurns(em: EntityManager, agentId: string): Promise<number> {
  const { rows } = await sql<{ code: string; turn_index: number; quote: string; call: NormalisedCall }>`
    select s.code, s.turn_index, s.quote, t.call from call_signals s join transcripts t on t.call_id = s.call_id
    where s.agent_id = ${agentId}`.execute(em.getKysely());
  const strays = rows.filter(({ turn_index, quote, call }) => {
    const turn = call.turns[turn_index];
    if (!turn) return !(quote === '' && turn_index === 0);
    const body = turn.toolResult?.body;
    const result = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    return !turn.text.includes(quote) && !result.includes(quote);
  });
  expect(
    strays.map(({ code, turn_index, quote, call }) => ({ call: call.providerCallId, code, turn_index, quote })),
  ).toEqual([]);
  return rows.length;
}
