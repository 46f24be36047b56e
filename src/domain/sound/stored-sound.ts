import type { HeardCall } from './heard-call.ts';

/** What is kept of a recording that was heard. */
export interface StoredSound {
  heard: HeardCall;
  /** A channel each, the caller's first where it is known, in base64: a byte for every 100 ms, its loudest 10 ms in half decibels above -100 dBFS. */
  bands: string[];
}
