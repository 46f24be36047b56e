import type { EntityManager } from '../../db/database.ts';
import type { ReadScope } from '../../db/read-scope.ts';
import { type Filter, FilterProblem } from '../../domain/filters/filter.ts';
import { readFilterLine } from '../../services/calls/read-line.ts';
import { Failure } from '../failure.ts';

/** @throws Failure `invalid_parameter` that says what is wrong with the line, and where */
export async function readLine(em: EntityManager, scope: ReadScope, line: string): Promise<Filter> {
  try {
    return await readFilterLine(em, scope, line);
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    throw new Failure('invalid_parameter', `filter, at character ${error.at}: ${error.message}.`, { param: 'filter' });
  }
}
