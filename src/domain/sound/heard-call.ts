import type { Span } from './speech.ts';

/** A change of it has recordings heard again. */
export const SOUND_VERSION = 1;

/**
 * What was heard on the recording of one call. Times are milliseconds from the beginning of the recording, levels dBFS.
 * It was measured where the platform records: a caller hears an answer about half a second later.
 */
export interface HeardCall {
  durationMs: number;
  /** `mixed`: both sides in one channel, of which only what needs no side is known. */
  channels: 'separate' | 'mixed';
  /** The channel of the caller, where the transcript tells it. */
  callerChannel: 0 | 1 | null;
  /** Present where each side has a channel and the transcript tells whose it is. */
  sides: { caller: HeardSide; agent: HeardSide } | null;
  mixed: HeardSide | null;
  /** Add it to a time of the transcript to get one of the recording; null where they can't be laid beside each other. */
  lagMs: number | null;
  /** Who waited for whom; null where sides can't be told apart, with the reason in `unknown`. */
  talk: HeardTalk | null;
  /** Nobody speaks for three seconds or more; the first hundred. */
  silences: Span[];
  /** Why something is not known, as sentences. */
  unknown: string[];
}

export interface HeardSide {
  spans: Span[];
  speechDb: number | null;
  noiseDb: number | null;
  snrDb: number | null;
  isGated: boolean;
  isNoisy: boolean;
  /** How often the sound stood at full scale. */
  clipped: number;
  /** Cut-outs within speech; null where pauses are digital zero, since they can't be told apart. */
  dropouts: Span[] | null;
  /** How much quieter the other side is heard in this channel, in dB; null where it is not. */
  echoDb: number | null;
}

export interface HeardTalk {
  /** The caller stopped, and the agent answered before the caller spoke again. */
  answers: { endMs: number; startMs: number; gapMs: number }[];
  /** The caller spoke into the agent's speech for longer than a murmur. `yieldMs`: how long the agent went on. */
  bargeIns: { atMs: number; yieldMs: number }[];
  /** The agent began while the caller spoke. */
  interruptions: { atMs: number; overlapMs: number }[];
  /** A murmur of the caller after which the agent stopped within a second, and began again. */
  falseStops: { atMs: number; pauseMs: number }[];
}
