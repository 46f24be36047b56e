import type { InferKyselyDB } from '@mikro-orm/sql';
import type { ColumnType, InsertObject, Selectable } from 'kysely';
import type { ROWS } from './entities.ts';

/** The entities as Kysely sees them: tables by their names, columns by the names of their properties. */
type Inferred = InferKyselyDB<(typeof ROWS)[number], { columnNamingStrategy: 'property' }>;

/** Every table, made of the entities: a property that is renamed there is an error in each query that names it. */
export type Tables = { [Table in keyof Inferred]: { [C in keyof Inferred[Table]]: Column<Inferred[Table][C]> } };

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
/** A row that is added, with expressions where values may stand. Name it where a row is made apart from its statement. */
export type NewRow<Table extends keyof Tables> = InsertObject<Tables, Table>;

type Column<Value> = [Value] extends [ColumnType<infer Read, infer Added, infer Changed>]
  ? ColumnType<AsRead<Read>, AsWritten<Added>, AsWritten<Changed>>
  : ColumnType<AsRead<Value>, AsWritten<Value>, AsWritten<Value>>;

/** Times are read as ISO 8601 text (`src/db/readers.ts`). */
type AsRead<Value> = Whole<Value> extends infer One ? (One extends Date ? string : One) : never;
type AsWritten<Value> = Whole<Value> extends infer One ? (One extends Date ? string | Date : One) : never;
/** The entities leave open whether a double is text: it is none. */
type Whole<Value> = string | number extends Value ? Exclude<Value, string> : Value;
