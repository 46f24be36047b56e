/** Expectations that one question carries, and verdicts that are kept of an answer. */
export const EXPECTATIONS_AT_MOST = 20;
