import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type Discovered, discoverIntents } from '../../domain/calls/intent-discovery.ts';
import { SAMPLE_CALLS } from '../../domain/calls/intent-model.ts';
import { assignIntents, type CallIntents, countCalls } from '../../domain/calls/intents.ts';
import { type KnownIntent, OTHER } from '../../domain/calls/known-intent.ts';
import { newId } from '../../ids.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import { finishMerges } from './finish-merges.ts';
import { type IntentRow, MOVED_AT_ONCE, type MovedCall, moveCalls } from './move-intents.ts';

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** Vectors of texts in their order, and what is to be said where none could be made. */
export type Embed = (
  texts: readonly string[],
) => Promise<{ vectors: (number[] | null)[] | null; model: string; note: string | null }>;

export interface SettledIntents {
  /** True where intents were looked for anew. */
  discovered: boolean;
  moved: number;
}

/** A call that has waited for longer is held back by the plan and not on its way. */
const ON_THEIR_WAY_MINUTES = 60;
/** Looked for anew when the calls, or those that fit nowhere, have grown by so much. */
const GROWTH = 1.25;
const UNPLACED_GROWTH = 1.5;
const UNPLACED_LEAST = 20;
/** A fixed random start: the same calls give the same intents. */
const SEED = 20_261_121;

/**
 * Brings an agent's intents up to date: finishes merges that people asked for, and where enough calls have come looks for
 * intents among a sample of them, then gives the calls that fit nowhere the intents that came out. May be broken off and
 * begun again at any point. One run at a time an agent: its coordinator sees to that.
 */
export async function settleIntents(em: EntityManager, owner: Owner, embed: Embed | null): Promise<SettledIntents> {
  let moved = await finishMerges(em, owner);
  const due = await readDue(em, owner.agentId);
  if (due === null) return { discovered: false, moved };
  const known = await readKnown(em, owner.agentId);
  const sample = await readSample(em, owner.agentId, due.settled);
  const embedded = embed === null ? null : await embed(sample.map(({ requests }) => requests.slice(0, 3).join(' ')));
  const found = discoverIntents(
    known,
    sample.map((call, at) => ({ ...call, callId: call.id, vector: embedded?.vectors?.[at] ?? null })),
    { settled: due.settled, seed: SEED },
  );
  await writeFound(em, owner, found);
  moved += await moveAll(em, owner, sample, found.intents, found.byCall);
  moved += await placeOthers(em, owner, found.intents, new Set(sample.map(({ id }) => id)));
  moved += await finishMerges(em, owner);
  const model = embedded?.vectors ? embedded.model : null;
  await noteDiscovery(em, owner, { calls: due.calls, model, note: embedded?.note ?? null });
  return { discovered: true, moved };
}

/**
 * Null where nothing is to be looked for; `settled`: from now on no call that has an intent gets another one. While more
 * calls are on their way intents are looked for now and then, so that there are some; when all are there they are looked
 * for among all, and only then can the agent settle. So it makes no difference in which batches the calls came.
 */
async function readDue(em: EntityManager, agentId: string): Promise<{ calls: number; settled: boolean } | null> {
  const { rows } = await sql<{
    calls: number;
    unplaced: number;
    last_calls: number;
    last_unplaced: number;
    coming: boolean;
  }>`
    select a.call_count as calls, coalesce(o.calls, 0) as unplaced, coalesce(d.calls, 0) as last_calls,
      coalesce(d.unplaced, 0) as last_unplaced,
      exists (select 1 from calls c where c.agent_id = a.id and c.state = 'waiting' and (c.state <> 'analysed' or c.reanalyse)
        and c.created_at > now() - make_interval(mins => ${ON_THEIR_WAY_MINUTES})) as coming
    from agents a
    left join intents o on o.agent_id = a.id and o.kind = 'intent' and o.slug = ${OTHER}
    left join intent_discoveries d on d.agent_id = a.id
    where a.id = ${agentId}`.execute(em.getKysely());
  const [row] = rows;
  if (row === undefined || row.calls === 0) return null;
  const { calls } = row;
  const grown = calls > row.last_calls && calls >= row.last_calls * GROWTH;
  const settled = row.last_calls >= SAMPLE_CALLS;
  if (settled) {
    const unplaced = row.unplaced >= UNPLACED_LEAST && row.unplaced >= row.last_unplaced * UNPLACED_GROWTH;
    return unplaced || grown ? { calls, settled } : null;
  }
  const due = row.coming ? grown && calls < SAMPLE_CALLS : calls !== row.last_calls;
  return due ? { calls, settled } : null;
}

async function readKnown(em: EntityManager, agentId: string): Promise<KnownIntent[]> {
  const { rows } = await sql<KnownIntent>`
    select kind, slug, label, terms, calls, parent_slug as parent, kept_at is not null as kept
    from intents where agent_id = ${agentId} and kind <> 'persona' and merged_into_id is null
    order by kept desc, calls desc, slug`.execute(em.getKysely());
  return rows;
}

interface SampledCall {
  id: string;
  requests: string[];
  intent: string | null;
  persona: string | null;
}

const REQUESTS = sql`coalesce((select jsonb_agg(r ->> 'text' order by n)
  from jsonb_array_elements(a.analysis -> 'requests') with ordinality as e(r, n)), '[]')`;

/**
 * The newest calls, and once the agent has settled as many of the newest that fit nowhere. In the order of the platform's
 * call ids, so that it doesn't matter in which order calls were imported.
 */
async function readSample(em: EntityManager, agentId: string, settled: boolean): Promise<SampledCall[]> {
  const half = settled ? SAMPLE_CALLS / 2 : SAMPLE_CALLS;
  const newest = (where: typeof REQUESTS, limit: number) => sql`(
    select id, provider_call_id, intent_slug, persona_slug from calls
    where agent_id = ${agentId} and state = 'analysed' ${where} order by sort_at desc, provider_call_id desc limit ${limit})`;
  const { rows } = await sql<SampledCall>`
    with sampled as (
      ${newest(sql``, half)} union ${newest(sql`and intent_slug = ${OTHER}`, settled ? SAMPLE_CALLS / 2 : 0)}
    )
    select s.id, s.intent_slug as intent, s.persona_slug as persona, ${REQUESTS} as requests
    from sampled s join call_analyses a on a.call_id = s.id order by s.provider_call_id`.execute(em.getKysely());
  return rows;
}

/**
 * New intents in, terms that were learnt, and slugs that dissolved standing for others, until a group bears their name
 * again; what a person merged stays merged. Names are never touched: they may be a person's.
 */
async function writeFound(em: EntityManager, { workspaceId, agentId }: Owner, found: Discovered): Promise<void> {
  const rows = found.intents.map((one) => ({ ...one, parent: one.parent ?? null, id: newId() }));
  const gone = found.dissolved.map((one) => ({ ...one, id: newId() }));
  await em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    await sql`
      insert into intents (id, workspace_id, agent_id, kind, slug, label, terms, parent_slug)
      select id, ${workspaceId}, ${agentId}, kind, slug, label, terms, parent
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(id uuid, kind text, slug text, label text, terms jsonb, parent text)
      on conflict (agent_id, kind, slug) do update set terms = excluded.terms, updated_at = now(),
          merged_into_id = case when exists (select from intent_changes c where c.intent_id = intents.id and c.kind = 'merged')
            then intents.merged_into_id end
        where intents.terms <> excluded.terms`.execute(tx.getKysely());
    await sql`
      with gone as (
        select i.id, i.slug, m.id as into_id, m.slug as into_slug, r.id as change_id
        from jsonb_to_recordset(${JSON.stringify(gone)}::jsonb) as r(slug text, "into" text, id uuid)
        join intents i on i.agent_id = ${agentId} and i.kind = 'intent' and i.slug = r.slug
        join intents m on m.agent_id = ${agentId} and m.kind = 'intent' and m.slug = r."into"
        where i.kept_at is null and i.merged_into_id is null
      ), noted as (
        insert into intent_changes (id, workspace_id, agent_id, intent_id, kind, from_text, to_text)
        select change_id, ${workspaceId}, ${agentId}, id, 'dissolved', slug, into_slug from gone
      )
      update intents i set merged_into_id = g.into_id, terms = '{}', updated_at = now()
      from gone g where i.agent_id = ${agentId} and (i.id = g.id or i.merged_into_id = g.id)`.execute(tx.getKysely());
  });
}

async function moveAll(
  em: EntityManager,
  owner: Owner,
  calls: readonly SampledCall[],
  intents: readonly KnownIntent[],
  byCall: ReadonlyMap<string, CallIntents>,
): Promise<number> {
  const rows = rowsFor(intents, byCall);
  const moved = calls.flatMap(({ id, persona }): MovedCall[] => {
    const slugs = byCall.get(id);
    return slugs === undefined ? [] : [{ ...slugs, id, persona }];
  });
  for (let at = 0; at < moved.length; at += MOVED_AT_ONCE) {
    await moveCalls(em, owner, moved.slice(at, at + MOVED_AT_ONCE), rows);
  }
  return moved.length;
}

function rowsFor(intents: readonly KnownIntent[], byCall: ReadonlyMap<string, CallIntents>): IntentRow[] {
  const all = intents.map((one) => ({ ...one }));
  countCalls(all, byCall);
  return all.map(({ kind, slug, label, parent }) => ({ kind, slug, label, parent: parent ?? null }));
}

/** Calls outside the sample that fit nowhere get another chance, page by page. */
async function placeOthers(
  em: EntityManager,
  owner: Owner,
  intents: readonly KnownIntent[],
  sampled: ReadonlySet<string>,
): Promise<number> {
  let moved = 0;
  let after: { sort_at: string; id: string } | null = null;
  for (;;) {
    const page: (SampledCall & { sort_at: string })[] = await readOthers(em, owner.agentId, after);
    const calls = page.filter(({ id }) => !sampled.has(id));
    const { byCall } = assignIntents(
      intents,
      calls.map(({ id, requests }) => ({ callId: id, requests })),
    );
    const placed = calls.filter(({ id }) => byCall.get(id)?.intent !== OTHER);
    moved += await moveAll(em, owner, placed, intents, byCall);
    after = page.at(-1) ?? null;
    if (page.length < MOVED_AT_ONCE) return moved;
  }
}

async function readOthers(
  em: EntityManager,
  agentId: string,
  after: { sort_at: string; id: string } | null,
): Promise<(SampledCall & { sort_at: string })[]> {
  const behind =
    after === null ? sql`` : sql`and (c.sort_at, c.id) < (${after.sort_at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<SampledCall & { sort_at: string }>`
    select c.id, c.sort_at::text as sort_at, c.intent_slug as intent, c.persona_slug as persona, ${REQUESTS} as requests
    from calls c join call_analyses a on a.call_id = c.id
    where c.agent_id = ${agentId} and c.state = 'analysed' and c.intent_slug = ${OTHER} ${behind}
    order by c.sort_at desc, c.id desc limit ${MOVED_AT_ONCE}`.execute(em.getKysely());
  return rows;
}

async function noteDiscovery(
  em: EntityManager,
  { workspaceId, agentId }: Owner,
  said: { calls: number; model: string | null; note: string | null },
): Promise<void> {
  await sql`
    insert into intent_discoveries (agent_id, workspace_id, calls, unplaced, embedding_model, note)
    select ${agentId}, ${workspaceId}, ${said.calls}, coalesce((select calls from intents
      where agent_id = ${agentId} and kind = 'intent' and slug = ${OTHER}), 0), ${said.model}, ${said.note}
    on conflict (agent_id) do update set calls = excluded.calls, unplaced = excluded.unplaced,
      embedding_model = excluded.embedding_model, note = excluded.note, discovered_at = now()`.execute(em.getKysely());
}
