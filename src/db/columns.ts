import { p } from '@mikro-orm/core';

/** Columns that recur. Ids are UUIDv7 made by the application, times are `timestamptz(3)`: a cursor that loses microseconds skips rows. */
export const id = () => p.uuid().primary();
export const time = () => p.datetime(3);
export const createdAt = () => p.datetime(3).defaultRaw('now()');
export const updatedAt = () => p.datetime(3).defaultRaw('now()');
export const count = () => p.integer().default(0);
