/** A call that is about to be erased, as it stands in the address. */
export interface ErasureSearch {
  callId?: string;
}

export function readErasureSearch(search: Record<string, unknown>): ErasureSearch {
  const { callId } = search;
  return typeof callId === 'string' ? { callId } : {};
}
