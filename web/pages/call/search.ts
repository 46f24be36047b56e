/** Where the reader came from, so that next, previous and back stay there. */
export interface CallSearch {
  /** The issue that the call is evidence of. */
  issue?: string;
}

export function readCallSearch(search: Record<string, unknown>): CallSearch {
  const issue = search['issue'];
  return typeof issue === 'string' && issue !== '' ? { issue } : {};
}
