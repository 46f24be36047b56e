/** Rows that were removed, by table. */
export type Removed = Record<string, number>;

/** Counts what statements removed, for the report of an erasure. */
export class RemovedRows {
  readonly byTable: Removed = {};

  add(table: string, rows: number | bigint | undefined): void {
    const many = Number(rows ?? 0);
    if (many > 0) this.byTable[table] = (this.byTable[table] ?? 0) + many;
  }
}
