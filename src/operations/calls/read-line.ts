import type { EntityManager } from '../../db/database.ts';
import type { ReadScope } from '../../db/read-scope.ts';
import { fieldNames } from '../../db/search/read-search.ts';
import { type Filter, FilterProblem } from '../../domain/filters/filter.ts';
import { readFilter } from '../../domain/filters/read-filter.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { Failure } from '../failure.ts';

const SIGNALS = new Set(CATALOGUE.keys());

/** @throws Failure `invalid_parameter` that says what is wrong with the line, and where */
export async function readLine(em: EntityManager, scope: ReadScope, line: string): Promise<Filter> {
  const names = { fields: new Set(await fieldNames(em, scope)), signals: SIGNALS };
  try {
    return readFilter(line, names);
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    throw new Failure('invalid_parameter', `filter, at character ${error.at}: ${error.message}.`, { param: 'filter' });
  }
}
