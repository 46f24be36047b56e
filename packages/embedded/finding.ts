/** One thing that Earshot needs or runs, and how it stands. */
export interface Finding {
  name: string;
  /** `absent`: not running, or not set, which may be as it should be. */
  state: 'fine' | 'absent' | 'wrong';
  says: string;
  /** What to do about it, or null. */
  todo: string | null;
}
