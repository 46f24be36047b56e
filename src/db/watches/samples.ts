import { sql } from 'kysely';
import type { SignalLabel } from '../../domain/vocabulary.ts';
import { FLAGGED_SAMPLES } from '../../domain/watches/draw-samples.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, now } from '../expressions.ts';
import type { Row } from '../tables.ts';
import type { WatchView } from './watches.ts';

export type SampleView = Pick<Row<'watch_samples'>, 'callId' | 'kind' | 'verdict' | 'quote' | 'turn' | 'label'>;

type WatchKey = Pick<WatchView, 'id'>;

/** Of the revision in force, flagged ones first. */
export async function listSamples(em: EntityManager, watch: WatchKey): Promise<SampleView[]> {
  return (await samplesByWatch(em, [watch])).get(watch.id) ?? [];
}

/** The same for several watches, by the watch. */
export async function samplesByWatch(
  em: EntityManager,
  watches: readonly WatchKey[],
): Promise<Map<string, (SampleView & { watchId: string })[]>> {
  const rows = await db(em)
    .selectFrom('watch_samples as s')
    .innerJoin('watches as w', (join) => join.onRef('w.id', '=', 's.watchId').onRef('w.revision', '=', 's.revision'))
    .where('s.watchId', '=', anyId(watches.map(({ id }) => id)))
    .select(['s.watchId', 's.callId', 's.kind', 's.verdict', 's.quote', 's.turn', 's.label'])
    .orderBy('s.position')
    .execute();
  return Map.groupBy(rows, ({ watchId }) => watchId);
}

/** A person's word on a sample of a revision; the word that was there before is replaced. @returns false where it is gone. */
export async function labelSample(
  em: EntityManager,
  sample: { watchId: string; revision: number; callId: string },
  { label, labelledBy }: { label: SignalLabel; labelledBy: string },
): Promise<boolean> {
  const labelled = await db(em)
    .updateTable('watch_samples')
    .where('watchId', '=', sample.watchId)
    .where('revision', '=', sample.revision)
    .where('callId', '=', sample.callId)
    .where('kind', '=', 'flagged')
    .set({ label, labelledBy, labelledAt: now })
    .returning('callId')
    .executeTakeFirst();
  return labelled !== undefined;
}

/** Draws what live watches flag on these calls, newest last, as long as they have fewer flagged samples than a backtest draws. */
export async function gatherSamples(
  em: EntityManager,
  watchIds: readonly string[],
  callIds: readonly string[],
): Promise<void> {
  await sql`
    with flagged as (
      select v.*, row_number() over (partition by v.watch_id order by v.call_id) as nth from watch_verdicts v
      where v.watch_id = any(${[...watchIds]}::uuid[]) and v.call_id = any(${[...callIds]}::uuid[])
        and v.in_scope and not v.held
        and not exists (select from watch_samples s where s.watch_id = v.watch_id and s.call_id = v.call_id)
    )
    insert into watch_samples (watch_id, revision, call_id, workspace_id, agent_id, position, kind, verdict, turn, quote)
    select f.watch_id, w.revision, f.call_id, w.workspace_id, w.agent_id, ${AFTER_DRAWN} + had.samples + f.nth, 'flagged',
      f.because, f.turn, f.quote
    from flagged f join watches w on w.id = f.watch_id
    cross join lateral (select count(*)::int as samples from watch_samples s
      where s.watch_id = w.id and s.revision = w.revision and s.kind = 'flagged') had
    where had.samples + f.nth <= ${FLAGGED_SAMPLES}
    on conflict (watch_id, revision, call_id) do nothing`.execute(db(em));
}

/** Places of what was drawn once the watch was live: behind all that its backtest drew. */
const AFTER_DRAWN = 1000;
