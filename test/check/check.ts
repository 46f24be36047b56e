/** What one check came to. */
export interface CheckResult {
  ok: boolean;
  /** A few words for the line. */
  text: string;
  /** What is wrong, in full; shown when it is not ok. */
  details: string;
}
