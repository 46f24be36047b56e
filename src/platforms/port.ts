import type { NormalisedCall } from '../domain/calls/call.ts';
import type { Slice } from '../domain/calls/slices.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { AgentConfiguration } from '../domain/versions/configuration.ts';
import type { Platform } from '../domain/vocabulary.ts';
import type { PlatformConnection } from './platform-connection.ts';
import type { Simulation } from './simulation.ts';

export interface PlatformAgent {
  providerAgentId: string;
  name: string;
}

/** One line of a platform's list of calls: enough to know whether the call is over and has changed. */
export interface CallListing {
  providerCallId: string;
  /** False while the call still goes on: left for the next poll. */
  over: boolean;
  /** ISO 8601, or null where the call never connected. */
  startedAt: string | null;
}

export interface CallPage {
  items: CallListing[];
  /** Opaque; null on the last page. */
  nextCursor: string | null;
  /** True when the platform repeated its cursor or a page without one new id: listing stops there, with a warning. */
  stalled: boolean;
}

export interface ListCallsQuery {
  providerAgentId: string;
  /** ISO 8601; the upper bound is fixed when an import begins, so that paging does not drift. */
  from: string | null;
  to: string | null;
  /** The part of the listing that is wanted, by what the platform sorts by; left out for the whole. */
  slice?: Slice | undefined;
  cursor: string | null;
  pageSize: number;
}

/** Calls of several agents of an account. */
export interface ListAccountQuery extends Pick<ListCallsQuery, 'cursor' | 'pageSize'> {
  providerAgentIds: readonly string[];
  from: string;
  to: string;
}

export interface AccountListing extends CallListing {
  /** Whose it may be: some calls show the agent and the group that it is in. */
  providerAgentIds: readonly string[];
}

export interface AccountPage extends Omit<CallPage, 'items'> {
  items: AccountListing[];
  /** The list has been read down to this time (ISO 8601), by what of the page has one; null where it is in no order of time. */
  reachedAt: string | null;
  /** Where the list goes on beside the part that is in the order of time; null where it has no such part. */
  nextPart: string | null;
}

export type FetchedCall =
  | { state: 'over'; payload: JsonObject }
  | { state: 'ongoing' }
  /** Deleted at the platform between listing and reading. */
  | { state: 'gone' };

/** Where a recording is kept, and what has to be shown there. */
export type RecordedChannels = 'mixed' | 'separate';

export interface RecordingPlace {
  url: string;
  headers: Record<string, string>;
}

/** A version's configuration as captured: the document that is hashed (volatile fields out, keys sorted, secrets digested) and our reading of it. */
export interface CapturedVersion {
  /** Null as in what was listed. */
  version: number | null;
  providerRef: string | null;
  isCurrent: boolean;
  changedAt: string | null;
  document: JsonObject;
  configuration: AgentConfiguration;
}

/** A version that can be captured. */
export interface ListedVersion {
  /** Null where the platform has no whole numbers: storage numbers such versions, by `ref` or else by their content. */
  version: number | null;
  /** The platform's own handle of the version, where it has one. */
  ref: string | null;
  isCurrent: boolean;
}

/** The adapter of one platform. Methods that reach it fail with `PlatformError` and never retry by themselves. */
export interface PlatformAdapter {
  platform: Platform;
  /** Null where a connection has no default address (`file`, `demo`). */
  defaultBaseUrl: string | null;
  /** How versions are played as text; null where the platform offers nothing that is safe. */
  simulation: Simulation | null;
  checkKey(connection: PlatformConnection): Promise<void>;
  listAgents(connection: PlatformConnection): Promise<PlatformAgent[]>;
  listCalls(connection: PlatformConnection, query: ListCallsQuery): Promise<CallPage>;
  /** The same of several agents at once. Of an account with more agents, the list may show calls of those too. */
  listAccountCalls(connection: PlatformConnection, query: ListAccountQuery): Promise<AccountPage>;
  /** Whether that list is asked for by the agents; else it is the whole account's, however few of several are asked for. */
  filtersByAgents: boolean;
  getCall(connection: PlatformConnection, providerCallId: string): Promise<FetchedCall>;
  /** Versions that can be read, oldest first; empty where the platform keeps none. */
  listVersions(connection: PlatformConnection, providerAgentId: string): Promise<ListedVersion[]>;
  /** What changes with an agent's versions, by agent, in few requests; left out where the platform shows no such thing. */
  listVersionMarks?(connection: PlatformConnection): Promise<Map<string, string>>;
  captureVersion(
    connection: PlatformConnection,
    providerAgentId: string,
    listed: ListedVersion,
  ): Promise<CapturedVersion>;
  /**
   * Pure. Where the recording of a call is, as its payload says; null where it has none.
   * @param wanted `separate`: the one with a channel for each side, where there is one
   */
  recordingOf(payload: JsonObject, connection: PlatformConnection, wanted: RecordedChannels): RecordingPlace | null;
  /** Pure. @throws UnreadableCall with the reason in words when no call can be made of the payload. */
  normalise(payload: Json): NormalisedCall;
}

/** What only records without a live platform need: `file` reads lines that a person uploaded. */
export type RecordReader = Pick<PlatformAdapter, 'platform' | 'normalise'>;

export class UnreadableCall extends Error {
  override name = 'UnreadableCall';
  /** Where in the record the fault is, such as `turns[3].role`; null where it is the whole. */
  readonly field: string | null;

  constructor(message: string, field: string | null = null) {
    super(message);
    this.field = field;
  }
}

export type PlatformErrorKind =
  | 'unauthorised'
  | 'not_found'
  | 'rate_limited'
  | 'unavailable'
  | 'bad_answer'
  /** The answer is larger than what is read of one. */
  | 'too_large'
  | 'address_refused'
  | 'rejected';

/** A platform's failure, classed once: activities turn the kind into retry or no retry. The message is a sentence for people and holds no secret and no body text. */
export class PlatformError extends Error {
  override name = 'PlatformError';
  readonly kind: PlatformErrorKind;
  readonly retryAfterMs: number | null;
  readonly status: number | null;

  constructor(
    kind: PlatformErrorKind,
    message: string,
    options: { retryAfterMs?: number | null; status?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.status = options.status ?? null;
  }
}
