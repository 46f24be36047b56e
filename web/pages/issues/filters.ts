import { ISSUE_CLASSES, ISSUE_STATUSES, type IssueClass, type IssueStatus } from '../../../src/domain/vocabulary.ts';

/** What the board is narrowed to, as it stands in the address; the names are the API's. */
export interface IssueFilters {
  status?: IssueStatus;
  klass?: IssueClass;
  /** What the workspace's people made of it; the API knows no list of these. */
  care?: IssueCareFilter;
}

const CARE_FILTERS = ['mine', 'snoozed'] as const;
type IssueCareFilter = (typeof CARE_FILTERS)[number];

export function readIssueFilters(search: Record<string, unknown>): IssueFilters {
  const status = ISSUE_STATUSES.find((each) => each === search['status']);
  const klass = ISSUE_CLASSES.find((each) => each === search['klass']);
  const care = CARE_FILTERS.find((each) => each === search['care']);
  return { ...(status ? { status } : {}), ...(klass ? { klass } : {}), ...(care ? { care } : {}) };
}
