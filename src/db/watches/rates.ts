import { type ExpressionBuilder, sql } from 'kysely';
import { NO_DAY } from '../../domain/issues/ledger.ts';
import { MOST_DAYS, PAST_DAYS, type RecentAndPast } from '../../domain/watches/failing.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { Tables } from '../tables.ts';

export interface HeldAndBroken {
  held: number;
  broken: number;
}

/** Newest version first. */
export function ratesByVersion(em: EntityManager, watchId: string): Promise<(HeldAndBroken & { version: number })[]> {
  return db(em)
    .selectFrom('watch_days')
    .where('watchId', '=', watchId)
    .groupBy('version')
    .having(isAnyJudged)
    .select(({ fn }) => ['version', fn.sum<number>('held').as('held'), fn.sum<number>('broken').as('broken')])
    .orderBy('version', 'desc')
    .limit(200)
    .execute();
}

const isAnyJudged = (eb: ExpressionBuilder<Tables, 'watch_days'>) =>
  eb(eb.fn.sum<number>(eb('held', '+', eb.ref('broken'))), '>', 0);

/** Oldest day first, the last 90 that have calls; calls without a start time are in none. */
export async function ratesByDay(em: EntityManager, watchId: string): Promise<(HeldAndBroken & { day: string })[]> {
  const rows = await db(em)
    .selectFrom('watch_days')
    .where('watchId', '=', watchId)
    .where('day', '>', NO_DAY)
    .groupBy('watch_days.day')
    .having(isAnyJudged)
    .select(({ cast, fn }) => [
      cast<string>('watch_days.day', 'text').as('day'),
      fn.sum<number>('held').as('held'),
      fn.sum<number>('broken').as('broken'),
    ])
    .orderBy('watch_days.day', 'desc')
    .limit(90)
    .execute();
  return rows.reverse();
}

interface DayRow extends HeldAndBroken {
  watchId: string;
  day: string;
}

/** For each of the watches, its newest days against those before, by how many days are recent. */
export async function recentAndPast(
  em: EntityManager,
  watchIds: readonly string[],
): Promise<Map<string, (days: number) => RecentAndPast>> {
  const { rows } = await sql<DayRow>`
    with newest as (
      select watch_id, max(day) as day from watch_days
      where watch_id = any(${[...watchIds]}::uuid[]) and day > ${NO_DAY} and held + broken > 0 group by watch_id
    )
    select d.watch_id, d.day::text, sum(d.held)::int as held, sum(d.broken)::int as broken
    from newest n join watch_days d on d.watch_id = n.watch_id
      and d.day > n.day - ${PAST_DAYS + MOST_DAYS}::int
    group by d.watch_id, d.day order by d.day desc`.execute(db(em));
  const byWatch = Map.groupBy(rows, ({ watchId }) => watchId);
  return new Map([...byWatch].map(([watchId, days]) => [watchId, (many: number) => windowOf(days, many)]));
}

/** @param days newest first. */
function windowOf(days: readonly DayRow[], many: number): RecentAndPast {
  const day = days[0]?.day ?? '';
  const daysBack = (row: DayRow) => (Date.parse(day) - Date.parse(row.day)) / 86_400_000;
  const summed = (rows: readonly DayRow[]) => ({
    broken: rows.reduce((sum, { broken }) => sum + broken, 0),
    of: rows.reduce((sum, { held, broken }) => sum + held + broken, 0),
  });
  const recent = days.filter((row) => daysBack(row) < many);
  const past = days.filter((row) => daysBack(row) >= many && daysBack(row) < many + PAST_DAYS);
  return { day, days: many, recent: summed(recent), past: summed(past) };
}
