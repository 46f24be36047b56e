import { keysOf } from '../keys-of.ts';
/** A token bucket: `burst` is the capacity, `perMinute` the refill; it must divide 60,000,000 so that arithmetic stays whole. */
export interface RateLimit {
  perMinute: number;
  burst: number;
}

/** The token buckets of the contract, in the order in which they are locked: the most shared one last. */
export const BUCKETS = {
  /** The MCP endpoint, each client address. */
  mcp: { perMinute: 600, burst: 120 },
  /** Each key or person. */
  requests: { perMinute: 600, burst: 120 },
  /** Each key or person. */
  writes: { perMinute: 60, burst: 20 },
  /** Routes that ask a model, each workspace. */
  ai: { perMinute: 10, burst: 10 },
  /** All keys, people and MCP calls of a workspace together. */
  workspace: { perMinute: 600, burst: 600 },
} as const satisfies Record<string, RateLimit>;
export type BucketKind = keyof typeof BUCKETS;

/** Failed authentication, each client address, across app, API and MCP. */
export const FAILED_AUTHENTICATIONS: RateLimit = { perMinute: 30, burst: 30 };

/**
 * What ingest tokens send, in the order in which it is locked. A request is let in where each has one left, and what it
 * turns out to hold is taken afterwards, beyond what is left if need be: then the next ones wait.
 */
export const INGEST_BUCKETS = {
  /** Requests, each token: exporters of many processes share one, every few seconds. */
  ingest: { perMinute: 6000, burst: 1200 },
  /** Requests, all tokens of a workspace. */
  ingest_requests: { perMinute: 12_000, burst: 2400 },
  /** KiB as they are unpacked, all tokens of a workspace: decoding 10 MiB takes a third of a second of a processor. */
  ingest_kib: { perMinute: 600_000, burst: 300_000 },
  /** Spans, all tokens of a workspace. */
  ingest_spans: { perMinute: 600_000, burst: 300_000 },
} as const satisfies Record<string, RateLimit>;
export type IngestBucket = keyof typeof INGEST_BUCKETS;

/** Tries of a password, each account: those of strangers together, those of each browser that signed in before. */
export const SIGN_IN_TRIES: RateLimit = { perMinute: 1, burst: 10 };

/** Messages that try a channel, each address: five, and five more an hour. One takes twelve tokens. */
export const ADDRESS_TESTS: RateLimit = { perMinute: 1, burst: 60 };
export const ADDRESS_TEST_TOKENS = 12;

/** Messages that try a channel, each workspace: whoever makes its channels anew gains none. */
export const CHANNEL_TESTS: RateLimit = { perMinute: 1, burst: 20 };

/** What is asked without a credential, each client address: an office renews many sessions a minute from one. */
export const PUBLIC_REQUESTS: RateLimit = { perMinute: 600, burst: 120 };

/**
 * What comes to the addresses that platforms know, each client address: a platform sends the events of all its customers
 * from a few. Whose an address is gets looked up only within it.
 */
export const PLATFORM_REQUESTS: RateLimit = { perMinute: 6000, burst: 1200 };

/** What `me` shows. */
export const RATE_LIMITS = {
  requests: BUCKETS.requests,
  writes: BUCKETS.writes,
  workspace: BUCKETS.workspace,
} as const;

/** What a request is, as far as limits are concerned. */
export interface Drawing {
  /** True for what comes in through the MCP endpoint. */
  mcp: boolean;
  /** True for an operation that changes something, whatever comes of it. */
  writes: boolean;
  /** True for an operation that asks a model. */
  ai: boolean;
}

/** The buckets that a request draws from: all of them, or none when one is empty. */
export function bucketsOf(drawing: Drawing): BucketKind[] {
  return keysOf(BUCKETS).filter((kind) => {
    if (kind === 'mcp' || kind === 'writes' || kind === 'ai') return drawing[kind];
    return true;
  });
}
