import { sql } from 'kysely';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import { type CallField, fieldsOf, foldValue, timeOf } from '../../domain/calls/call-fields.ts';
import { wordOfAgent, wordVector } from '../../domain/calls/said-words.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, asId, listed } from '../expressions.ts';

/** What the fields of a call are searched by. */
export interface SearchedCall {
  words: string;
  fields: { name: string; text: string; number: number | null }[];
}

/** A field that is a tag: no field that came beside a call is called so. */
export const TAG = '#tag';

export function searchedCall(call: NormalisedCall): SearchedCall {
  return storable({ words: wordVector(call.turns), fields: fieldsOf(call).map(rowOf) });
}

const rowOf = ({ name, kind, value }: CallField) => ({
  name,
  text: foldValue(value),
  number: kind === 'number' ? Number(value) : kind === 'time' ? timeOf(String(value).trim()) : null,
});

const FIELD = { callId: 'uuid', name: 'text', text: 'text', number: 'float8' } as const;
const WORDS = { callId: 'uuid', words: 'text' } as const;

/** Brings what calls are found by to their records, within a transaction. What stands already is not written again. */
export async function writeSearch(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  calls: readonly { callId: string; searched: SearchedCall }[],
): Promise<void> {
  if (calls.length === 0) return;
  const callIds = calls.map(({ callId }) => callId);
  const fields = calls.flatMap(({ callId, searched }) => searched.fields.map((field) => ({ callId, ...field })));
  const words = calls.map(({ callId, searched }) => ({
    callId,
    words: `${searched.words} ${wordOfAgent(agentId)}`,
  }));
  await sql`
    with given as materialized (select * from ${listed(fields, FIELD)}),
    gone as (
      delete from call_fields f where f.call_id = ${anyId(callIds)} and f.name <> ${TAG} and not exists (
        select from given g where g.call_id = f.call_id and g.name = f.name and g.text = f.text)
    ),
    added as (
      insert into call_fields (call_id, workspace_id, agent_id, name, text, number)
      select g.call_id, ${asId(workspaceId)}, ${asId(agentId)}, g.name, g.text, g.number from given g
      on conflict do nothing
    )
    insert into call_words as w (call_id, workspace_id, agent_id, words)
    select listed.call_id, ${asId(workspaceId)}, ${asId(agentId)}, listed.words::tsvector from ${listed(words, WORDS)}
    on conflict (call_id) do update set words = excluded.words where w.words <> excluded.words`.execute(db(em));
}

/** Makes these the tags of a call. */
export async function writeTags(
  em: EntityManager,
  { workspaceId, agentId, callId }: { workspaceId: string; agentId: string; callId: string },
  tags: readonly string[],
): Promise<void> {
  await sql`
    with gone as (
      delete from call_fields where call_id = ${callId} and name = ${TAG} and text <> all(${tags}::text[])
    )
    insert into call_fields (call_id, workspace_id, agent_id, name, text)
    select ${asId(callId)}, ${asId(workspaceId)}, ${asId(agentId)}, ${TAG}, tag.text from unnest(${tags}::text[]) as tag(text)
    on conflict do nothing`.execute(db(em));
}
