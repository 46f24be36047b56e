import type { EntityManager } from '@mikro-orm/postgresql';
import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely';
import { type Discovered, discoverIntents } from '../../domain/calls/intent-discovery.ts';
import { SAMPLE_CALLS } from '../../domain/calls/intent-model.ts';
import { assignIntents, type CallIntents, countCalls } from '../../domain/calls/intents.ts';
import { type KnownIntent, OTHER, RESERVED } from '../../domain/calls/known-intent.ts';
import { newId } from '../../ids.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import { isOpen } from '../calls/conditions.ts';
import { db } from '../db.ts';
import { ago, asId, given, json, now } from '../expressions.ts';
import type { NewRow, Tables } from '../tables.ts';
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
  const embedded =
    embed === null ? null : await embed(sample.map(({ requests, said }) => (said ?? requests).slice(0, 3).join(' ')));
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
 * for among all, and only then can the agent settle. So it makes no difference in which batches the calls came. `named`:
 * readers named intents that no discovery has compared with the others yet.
 */
async function readDue(em: EntityManager, agentId: string): Promise<{ calls: number; settled: boolean } | null> {
  const row = await db(em)
    .selectFrom('agents as a')
    .leftJoin('intents as o', (join) =>
      join.onRef('o.agentId', '=', 'a.id').on('o.kind', '=', 'intent').on('o.slug', '=', OTHER),
    )
    .leftJoin('intent_discoveries as d', 'd.agentId', 'a.id')
    .where('a.id', '=', agentId)
    .select(({ fn, val, exists, selectFrom }) => [
      'a.callCount as calls',
      fn.coalesce('o.calls', val(0)).as('unplaced'),
      fn.coalesce('d.calls', val(0)).as('lastCalls'),
      fn.coalesce('d.unplaced', val(0)).as('lastUnplaced'),
      exists(
        selectFrom('calls')
          .whereRef('calls.agentId', '=', 'a.id')
          .where('calls.state', '=', 'waiting')
          .where(isOpen)
          .where('calls.createdAt', '>', ago(ON_THEIR_WAY_MINUTES, 'minutes'))
          .select('calls.id'),
      ).as('coming'),
      exists(
        selectFrom('intents as i')
          .whereRef('i.agentId', '=', 'a.id')
          .where('i.kind', '=', 'intent')
          .where('i.calls', '>', 0)
          .where('i.slug', 'not in', [...RESERVED.keys()])
          .whereRef('i.createdAt', '>', 'd.discoveredAt')
          .select('i.id'),
      ).as('named'),
    ])
    .executeTakeFirst();
  if (row === undefined || row.calls === 0) return null;
  const { calls } = row;
  const grown = calls > row.lastCalls && calls >= row.lastCalls * GROWTH;
  const settled = row.lastCalls >= SAMPLE_CALLS;
  if (settled) {
    const unplaced = row.unplaced >= UNPLACED_LEAST && row.unplaced >= row.lastUnplaced * UNPLACED_GROWTH;
    return unplaced || grown || (row.named && !row.coming) ? { calls, settled } : null;
  }
  const due = row.coming ? grown && calls < SAMPLE_CALLS : calls !== row.lastCalls || row.named;
  return due ? { calls, settled } : null;
}

function readKnown(em: EntityManager, agentId: string): Promise<KnownIntent[]> {
  return db(em)
    .selectFrom('intents')
    .where('agentId', '=', agentId)
    .where('kind', '<>', 'persona')
    .where('mergedIntoId', 'is', null)
    .select(['kind', 'slug', 'label', 'terms', 'calls', 'parentSlug as parent'])
    .select((eb) => [
      eb('keptAt', 'is not', null).$castTo<boolean>().as('kept'),
      eb.fn.coalesce(mergedByPeople(eb.ref('intents.id')), sql<string[]>`'{}'`).as('aliases'),
    ])
    .$narrowType<{ kind: KnownIntent['kind'] }>()
    .orderBy('kept', 'desc')
    .orderBy('calls', 'desc')
    .orderBy('slug')
    .execute();
}

/** Slugs that people merged into an intent. */
const mergedByPeople = (id: Expression<string>) =>
  expressionBuilder<Tables>()
    .selectFrom('intents as o')
    .where('o.mergedIntoId', '=', id)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('intent_changes as c')
          .whereRef('c.intentId', '=', 'o.id')
          .where('c.kind', '=', 'merged')
          .select('c.id'),
      ),
    )
    .select(({ fn }) => fn.agg<string[]>('array_agg', ['o.slug']).orderBy('o.slug').as('slugs'))
    .$asScalar();

interface SampledCall {
  id: string;
  requests: string[];
  /** In the caller's own words, where `requests` are a reader's. */
  said: string[] | null;
  named: string | null;
  intent: string | null;
  persona: string | null;
}

const textsOf = (requests: RawBuilder<unknown>) => sql<string[]>`coalesce((select jsonb_agg(r ->> 'text' order by n)
  from jsonb_array_elements(${requests}) with ordinality as e(r, n)), '[]')`;
const asked = [
  textsOf(sql`a.analysis -> 'requests'`).as('requests'),
  sql<
    string[] | null
  >`case when a.analysis ? 'byRules' then ${textsOf(sql`a.analysis -> 'byRules' -> 'requests'`)} end`.as('said'),
  sql<string | null>`a.analysis ->> 'readIntent'`.as('named'),
] as const;

/**
 * The newest calls, and once the agent has settled as many of the newest that fit nowhere. In the order of the platform's
 * call ids, so that it doesn't matter in which order calls were imported.
 */
function readSample(em: EntityManager, agentId: string, settled: boolean): Promise<SampledCall[]> {
  const newest = db(em)
    .selectFrom('calls')
    .where('agentId', '=', agentId)
    .where('state', '=', 'analysed')
    // Without its words a call fits nowhere: it keeps what it has.
    .where('wordsGone', '=', false)
    .select(['id', 'providerCallId', 'intentSlug', 'personaSlug'])
    .orderBy('sortAt', 'desc')
    .orderBy('providerCallId', 'desc');
  const half = SAMPLE_CALLS / 2;
  const sampled = settled
    ? db(em)
        .selectFrom(newest.limit(half).as('newest'))
        .selectAll()
        .union(
          db(em)
            .selectFrom(newest.where('intentSlug', '=', OTHER).limit(half).as('unplaced'))
            .selectAll(),
        )
    : newest.limit(SAMPLE_CALLS);
  return db(em)
    .selectFrom(sampled.as('s'))
    .innerJoin('call_analyses as a', 'a.callId', 's.id')
    .select(['s.id', 's.intentSlug as intent', 's.personaSlug as persona'])
    .select(asked)
    .orderBy('s.providerCallId')
    .execute();
}

/**
 * New intents in, terms that were learnt, and slugs that dissolved standing for others, until a group bears their name
 * again; what a person merged stays merged. Names are never touched: they may be a person's.
 */
async function writeFound(em: EntityManager, { workspaceId, agentId }: Owner, found: Discovered): Promise<void> {
  await em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    await writeTerms(tx, { workspaceId, agentId }, found.intents);
    await dissolve(tx, { workspaceId, agentId }, found.dissolved);
  });
}

async function writeTerms(em: EntityManager, { workspaceId, agentId }: Owner, intents: readonly KnownIntent[]) {
  if (intents.length === 0) return;
  await db(em)
    .insertInto('intents')
    .values(
      intents.map(
        ({ kind, slug, label, terms, parent }): NewRow<'intents'> => ({
          id: newId(),
          workspaceId,
          agentId,
          kind,
          slug,
          label,
          terms: json(terms),
          parentSlug: parent ?? null,
        }),
      ),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'kind', 'slug'])
        .doUpdateSet((eb) => {
          const mergedByPerson = eb
            .selectFrom('intent_changes as c')
            .whereRef('c.intentId', '=', 'intents.id')
            .where('c.kind', '=', 'merged')
            .select('c.id');
          return {
            terms: eb.ref('excluded.terms'),
            mergedIntoId: eb.case().when(eb.exists(mergedByPerson)).then(eb.ref('intents.mergedIntoId')).end(),
            updatedAt: now,
          };
        })
        .whereRef('intents.terms', '<>', 'excluded.terms'),
    )
    .execute();
}

async function dissolve(em: EntityManager, { workspaceId, agentId }: Owner, dissolved: Discovered['dissolved']) {
  const changes = dissolved.map(({ slug, into }) => ({ id: newId(), fromText: slug, toText: into }));
  await db(em)
    .with('gone', (within) =>
      within
        .selectFrom(given('intent_changes', changes))
        .innerJoin('intents as i', 'i.slug', 'given.fromText')
        .innerJoin('intents as m', 'm.slug', 'given.toText')
        .where('i.agentId', '=', agentId)
        .where('i.kind', '=', 'intent')
        .where('i.keptAt', 'is', null)
        .where('i.mergedIntoId', 'is', null)
        .where('m.agentId', '=', agentId)
        .where('m.kind', '=', 'intent')
        .select(['i.id as intentId', 'm.id as intoId', 'given.id', 'given.fromText', 'given.toText']),
    )
    .with('noted', (within) =>
      within
        .insertInto('intent_changes')
        .columns(['id', 'intentId', 'fromText', 'toText', 'kind', 'workspaceId', 'agentId'])
        .expression((eb) =>
          eb
            .selectFrom('gone')
            .select(['id', 'intentId', 'fromText', 'toText', sql.lit('dissolved').as('kind')])
            .select([asId(workspaceId).as('workspaceId'), asId(agentId).as('agentId')]),
        ),
    )
    .updateTable('intents')
    .from('gone')
    .where('intents.agentId', '=', agentId)
    .where((eb) =>
      eb.or([eb('intents.id', '=', eb.ref('gone.intentId')), eb('intents.mergedIntoId', '=', eb.ref('gone.intentId'))]),
    )
    .set((eb) => ({ mergedIntoId: eb.ref('gone.intoId'), terms: json({}), updatedAt: now }))
    .execute();
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
  let after: Position | null = null;
  for (;;) {
    const page: (SampledCall & Position)[] = await readOthers(em, owner.agentId, after);
    const calls = page.filter(({ id }) => !sampled.has(id));
    const { byCall } = assignIntents(
      intents,
      calls.map(({ id, requests, said }) => ({ callId: id, requests, said })),
    );
    const placed = calls.filter(({ id }) => byCall.get(id)?.intent !== OTHER);
    moved += await moveAll(em, owner, placed, intents, byCall);
    after = page.at(-1) ?? null;
    if (page.length < MOVED_AT_ONCE) return moved;
  }
}

interface Position {
  sortAt: string;
  id: string;
}

function readOthers(em: EntityManager, agentId: string, after: Position | null): Promise<(SampledCall & Position)[]> {
  let calls = db(em)
    .selectFrom('calls as c')
    .innerJoin('call_analyses as a', 'a.callId', 'c.id')
    .where('c.agentId', '=', agentId)
    .where('c.state', '=', 'analysed')
    .where('c.wordsGone', '=', false)
    .where('c.intentSlug', '=', OTHER);
  if (after) calls = calls.where((eb) => eb(eb.refTuple('c.sortAt', 'c.id'), '<', eb.tuple(after.sortAt, after.id)));
  return calls
    .select(['c.id', 'c.sortAt', 'c.intentSlug as intent', 'c.personaSlug as persona'])
    .select(asked)
    .orderBy('c.sortAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(MOVED_AT_ONCE)
    .execute();
}

async function noteDiscovery(
  em: EntityManager,
  { workspaceId, agentId }: Owner,
  { calls, model, note }: { calls: number; model: string | null; note: string | null },
): Promise<void> {
  const said = { calls, embeddingModel: model, note };
  await db(em)
    .insertInto('intent_discoveries')
    .values((eb) => ({ ...said, agentId, workspaceId, unplaced: eb.fn.coalesce(unplaced(agentId), eb.val(0)) }))
    .onConflict((conflict) =>
      conflict
        .column('agentId')
        .doUpdateSet((eb) => ({ ...said, unplaced: eb.ref('excluded.unplaced'), discoveredAt: now })),
    )
    .execute();
}

const unplaced = (agentId: string) =>
  expressionBuilder<Tables>()
    .selectFrom('intents')
    .where('agentId', '=', agentId)
    .where('kind', '=', 'intent')
    .where('slug', '=', OTHER)
    .select('calls');
