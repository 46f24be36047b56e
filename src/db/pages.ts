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
  columns: Columns<DB, TB>,
  page: ListPage,
): List<DB, TB, Row> {
  return inOrder(list, columns, page, 'desc');
}

/** The same from the other end. */
export function oldestFirst<DB, TB extends keyof DB, Row>(
  list: List<DB, TB, Row>,
  columns: Columns<DB, TB>,
  page: ListPage,
): List<DB, TB, Row> {
  return inOrder(list, columns, page, 'asc');
}

function inOrder<DB, TB extends keyof DB, Row>(
  list: List<DB, TB, Row>,
  [time, id]: Columns<DB, TB>,
  { after, limit }: ListPage,
  direction: 'asc' | 'desc',
): List<DB, TB, Row> {
  const behind = sql.raw(direction === 'desc' ? '<' : '>');
  const isBehind = (row: NonNullable<ListPage['after']>) =>
    sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) ${behind} (${row[0]}, ${row[1]})`;
  const rest = after === null ? list : list.where(isBehind(after));
  return rest
    .orderBy(time, direction)
    .orderBy(id, direction)
    .limit(limit + 1);
}
