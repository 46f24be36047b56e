import { sql } from 'kysely';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import { SEARCHED_AT_MOST } from '../../domain/calls/said-words.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import { TAG } from './write-search.ts';

const NAMES_AT_MOST = 500;

/** Names of the fields that came beside an agent's calls, in order. */
export async function fieldNames(em: EntityManager, scope: ReadScope): Promise<string[]> {
  // From name to name along the index, however many calls have one.
  const { rows } = await sql<{ name: string }>`
    with recursive names (name) as (
      select min(f.name) from call_fields f where f.agent_id = ${anyAgent(scope)}
      union all
      select (select min(f.name) from call_fields f where f.agent_id = ${anyAgent(scope)} and f.name > n.name)
      from names n where n.name is not null
    )
    select name from names where name is not null and name <> ${TAG} limit ${NAMES_AT_MOST}`.execute(db(em));
  return rows.map(({ name }) => name);
}

/** A transcript in which words are looked for is read whole. */
const SEARCHED_BYTES = 4 * SEARCHED_AT_MOST;

/** What was said on calls, by their ids; those whose words are kept no longer, and the longest, are left out. */
export async function readTurns(
  em: EntityManager,
  scope: ReadScope,
  callIds: readonly string[],
): Promise<Map<string, NormalisedCall['turns']>> {
  if (callIds.length === 0) return new Map();
  const rows = await db(em)
    .selectFrom('transcripts')
    .where('callId', '=', anyId(callIds))
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .where(sql<boolean>`pg_column_size(call -> 'turns') <= ${SEARCHED_BYTES}`)
    .select(['callId', ({ ref }) => ref('call', '->').key('turns').as('turns')])
    .execute();
  return new Map(rows.map(({ callId, turns }) => [callId, turns]));
}

/** Tags of calls, by their ids, in order. */
export async function readTags(
  em: EntityManager,
  scope: ReadScope,
  callIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db(em)
    .selectFrom('call_fields')
    .where('callId', '=', anyId(callIds))
    .where('name', '=', TAG)
    .where('agentId', '=', anyAgent(scope))
    .select(['callId', 'text'])
    .orderBy('text')
    .execute();
  const byCall = Map.groupBy(rows, ({ callId }) => callId);
  return new Map([...byCall].map(([id, tags]) => [id, tags.map(({ text }) => text)]));
}
