import { type SelectQueryBuilder, type StringReference, sql } from 'kysely';

/** One page of a list. */
export interface ListPage {
  /** The time and the id of the last row of the page before; null: the first page. */
  after: readonly [time: string, id: string] | null;
  limit: number;
}

type List<DB, TB extends keyof DB, Row> = SelectQueryBuilder<DB, TB, Row>;
type Columns<DB, TB extends keyof DB> = readonly [time: StringReference<DB, TB>, id: StringReference<DB, TB>];

/** A page and the row behind it, where there is one: the newest first, in an order that never changes. */
export function newestFirst<DB, TB extends keyof DB, Row>(
  list: List<DB, TB, Row>,
  [time, id]: Columns<DB, TB>,
  { after, limit }: ListPage,
): List<DB, TB, Row> {
  const at = sql`(${sql.ref(time)}, ${sql.ref(id)})`;
  const rest = after === null ? list : list.where(sql<boolean>`${at} < (${after[0]}, ${after[1]})`);
  return rest
    .orderBy(time, 'desc')
    .orderBy(id, 'desc')
    .limit(limit + 1);
}

/** The same from the other end. */
export function oldestFirst<DB, TB extends keyof DB, Row>(
  list: List<DB, TB, Row>,
  [time, id]: Columns<DB, TB>,
  { after, limit }: ListPage,
): List<DB, TB, Row> {
  const at = sql`(${sql.ref(time)}, ${sql.ref(id)})`;
  const rest = after === null ? list : list.where(sql<boolean>`${at} > (${after[0]}, ${after[1]})`);
  return rest
    .orderBy(time)
    .orderBy(id)
    .limit(limit + 1);
}
