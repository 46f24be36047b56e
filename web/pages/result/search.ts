/** The run that a result is compared with, as it stands in the address; the name is the API's. */
export interface ResultSearch {
  compareTo?: string;
}

export function readResultSearch(search: Record<string, unknown>): ResultSearch {
  const { compareTo } = search;
  return typeof compareTo === 'string' ? { compareTo } : {};
}
