import { ISSUE_CLASSES, ISSUE_STATUSES, type IssueClass, type IssueStatus } from '../../../src/domain/vocabulary.ts';

/** What the board is narrowed to, as it stands in the address; the names are the API's. */
export interface IssueFilters {
  status?: IssueStatus;
  klass?: IssueClass;
}

export function readIssueFilters(search: Record<string, unknown>): IssueFilters {
  const status = ISSUE_STATUSES.find((each) => each === search['status']);
  const klass = ISSUE_CLASSES.find((each) => each === search['klass']);
  return { ...(status ? { status } : {}), ...(klass ? { klass } : {}) };
}
