import type { SignalLabel } from '../../domain/vocabulary.ts';
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
