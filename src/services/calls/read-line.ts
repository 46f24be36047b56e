import type { EntityManager } from '../../db/database.ts';
import type { ReadScope } from '../../db/read-scope.ts';
import { fieldNames } from '../../db/search/read-search.ts';
import type { Filter } from '../../domain/filters/filter.ts';
import { readFilter } from '../../domain/filters/read-filter.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';

const SIGNALS = new Set(CATALOGUE.keys());

/** @throws FilterProblem that says what is wrong with the line, and where */
export async function readFilterLine(em: EntityManager, scope: ReadScope, line: string): Promise<Filter> {
  return readFilter(line, { fields: new Set(await fieldNames(em, scope)), signals: SIGNALS });
}
