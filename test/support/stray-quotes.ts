import { sql } from 'kysely';
import type { EntityManager } from '../../src/db/database.ts';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';

export interface StrayQuote {
  call: string;
  code: string;
  turnIndex: number;
  quote: string;
}

/** Stored quotes of an agent that are no part of the turn that they cite (on a tool turn: of its result's text), and how many were read. */
export async function findStrayQuotes(
  em: EntityManager,
  agentId: string,
): Promise<{ read: number; strays: StrayQuote[] }> {
  const { rows } = await sql<StrayQuote & { record: NormalisedCall }>`
    select s.code, s.turn_index as "turnIndex", s.quote, t.call ->> 'providerCallId' as call, t.call as record
    from call_signals s join transcripts t on t.call_id = s.call_id where s.agent_id = ${agentId}`.execute(
    em.getKysely(),
  );
  const strays = rows.filter((row) => !holds(row.record, row));
  return { read: rows.length, strays: strays.map(({ record: _, ...stray }) => stray) };
}

function holds(call: NormalisedCall, { turnIndex, quote }: StrayQuote): boolean {
  const turn = call.turns[turnIndex];
  if (!turn) return quote === '' && turnIndex === 0;
  if (turn.text.includes(quote)) return true;
  const body = turn.toolResult?.body;
  const result = typeof body === 'string' ? body : JSON.stringify(body ?? null);
  return turn.toolResult !== null && result.includes(quote);
}
