/** Which of its evidence calls is looked at, from 1. */
export interface IssueSearch {
  evidence?: number;
}

export function readIssueSearch(search: Record<string, unknown>): IssueSearch {
  const evidence = Number(search['evidence'] ?? Number.NaN);
  return Number.isSafeInteger(evidence) && evidence > 1 ? { evidence } : {};
}
