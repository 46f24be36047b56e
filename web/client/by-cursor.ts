/** How a list of the API is read page by page. */
export const byCursor = {
  pageParamName: 'cursor',
  // Null leaves the parameter out; undefined would become a cursor of its own.
  initialPageParam: null,
  getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor ?? undefined,
} as const;
