import type { Slice } from '../domain/calls/slices.ts';
import type { ImportKind, ImportStatus } from '../domain/vocabulary.ts';
import type { SignalEntry } from './outbox-entry.ts';

/** One import of an agent's calls, started by the coordinator. */
export const IMPORT_CALLS = 'importCalls';
export const importWorkflowId = (importId: string, attempt: number) => `import/${importId}/${attempt}`;

/** An import and the try that is meant: a retry is another workflow. */
export interface ImportRequestKey {
  importId: string;
  attempt: number;
}

/** An agent's two lanes: an import of the one never waits for one of the other. */
export const IMPORT_LANES = ['live', 'backfill'] as const;
export type ImportLane = (typeof IMPORT_LANES)[number];

/** For whom a platform is asked, which decides how it is kept to what it told others of its account. */
export interface Asking {
  /** Left out: for live calls, or at a person's wish. */
  lane?: ImportLane;
  /** A person has ended the wait: the platform is asked although it wants no more requests yet. */
  isPressed?: boolean;
}

/** A person who asks for so few calls wants to see them now: one page of a platform. */
const CALLS_OF_A_SMALL_IMPORT = 100;

/** Live is what brings calls as they happen, and what is small. @param limit most calls to take; null for all */
export function laneOf({ kind, limit }: { kind: ImportKind; limit: number | null }): ImportLane {
  const isSmall = kind === 'manual' && limit !== null && limit <= CALLS_OF_A_SMALL_IMPORT;
  return kind === 'poll' || kind === 'ingest' || isSmall ? 'live' : 'backfill';
}

export interface ImportInput extends ImportRequestKey {
  agentId: string;
  workspaceId: string;
  agentName?: string;
  /** Given by a coordinator with two lanes, which wants to be told of its waits and its end. */
  lane?: ImportLane;
  /** The poll that ordered it has taken the agent's versions. */
  versionsTaken?: boolean;
  carried?: ImportCarried;
}

/** What `skipItem` brings, also when an operator sends it in Temporal. */
export interface SkippedItem {
  /** The platform's id of the call. */
  providerCallId: string;
  reason?: string;
}

/** What `holdOff` brings: the platform has asked the agent's other lane to wait. */
export interface HoldOff {
  /** Milliseconds since 1970. */
  untilMs: number;
}

/** Signals of an import; only `skipItem` and `holdOff` have an argument, and each may come twice without harm. */
export const IMPORT_SIGNALS = {
  /** Ends the present wait for the platform. */
  tryNow: 'tryNow',
  /** Takes up again what failed, after the listing. */
  retryFailed: 'retryFailed',
  pause: 'pause',
  goOn: 'goOn',
  /** Parks one call (`SkippedItem`) and ends the present wait: it is kept with the reason until somebody retries. */
  skipItem: 'skipItem',
  /** Asks the platform nothing before a time (`HoldOff`). */
  holdOff: 'holdOff',
  /** Takes nothing new from the platform; what is stored is analysed. */
  cancel: 'cancel',
} as const;

/** What the attribute `EarshotStage` of an import holds; the last three are final. */
export type ImportStage =
  | 'listing'
  | 'analysing'
  | 'grouping'
  | 'paused'
  | 'waiting'
  | 'complete'
  | 'failed'
  | 'cancelled';

export interface ImportCounts {
  /** Calls that the platform (or the file) named. */
  listed: number;
  stored: number;
  /** Met again with the same content. */
  unchanged: number;
  /** Kept with a reason by an earlier import, and not asked for again; left out by releases that counted them as unchanged. */
  stillFailed?: number;
  analysed: number;
  /** Stored and not yet analysed. */
  waiting: number;
  /** Kept with a reason. */
  failed: number;
  /** Still going on: left for the next poll. */
  ongoing: number;
  /** Deleted at the platform between listing and reading. */
  gone: number;
}

export const NO_COUNTS: ImportCounts = {
  listed: 0,
  stored: 0,
  unchanged: 0,
  stillFailed: 0,
  analysed: 0,
  waiting: 0,
  failed: 0,
  ongoing: 0,
  gone: 0,
};

/** Calls that wait for the plan's allowance, and when its period turns (ISO 8601). */
export interface HeldBack {
  calls: number;
  until: string;
}

export interface FailureReason {
  reason: string;
  calls: number;
}

export interface ImportProgress extends ImportCounts {
  stage: ImportStage;
  /** Pages that are stored. */
  pages: number;
  /** Everything that began since then is listed (ISO 8601); left out where a listing has no slices. */
  readBackTo?: string | null;
  /** At most `REASONS_MAX` reasons with their counts. */
  reasons: FailureReason[];
  waitsFor: string | null;
  /** Stored calls that wait for the plan's allowance, in words, or null. The import does not wait for them. */
  heldBack: string | null;
  /** Why it ended as it did, in words, or null. */
  reason: string | null;
}

/** How the words of a wait for the platform begin; the record tells by them that an import stands still. */
export const WAITS_FOR_PLATFORM = 'waits for the platform';
export const REASONS_MAX = 20;
export const IMPORT_PROGRESS = 'progress';

/** The window of an import as it stood when it began: paging inside it does not drift while new calls arrive. */
export interface ImportPlan {
  kind: ImportKind;
  /** Where the records come from: a platform, or lines that a person uploaded. */
  source: 'platform' | 'file';
  from: string | null;
  to: string | null;
  /** Most calls to take, newest first; null for all of the window. */
  limit: number | null;
  patience: Patience;
}

/** How long an import waits for a platform that does not answer or asks it to wait. */
export interface Patience {
  firstGapMs: number;
  /** Gaps double up to this one. A wait that the platform asks for is kept, however long. */
  longestGapMs: number;
  /** Waited this long for one page in all, the import ends with the reason that it waited for. */
  giveUpAfterMs: number;
}

export const PATIENCE: Patience = { firstGapMs: 5_000, longestGapMs: 600_000, giveUpAfterMs: 86_400_000 };

/** The slice that an import reads, and what it had counted when it began with it. */
export interface SliceStanding extends Slice, Pick<ImportCounts, 'unchanged' | 'ongoing' | 'gone'> {
  pages: number;
  /** Read again since then (milliseconds since 1970): what the import kept before is counted. Null where it is read once. */
  againSinceMs: number | null;
}

/** Where an import stands between two pages: what its row holds too, so that a lost Temporal server costs nothing. */
export interface ImportStanding {
  cursor: string | null;
  listingEnded: boolean;
  pages: number;
  counts: ImportCounts;
  reasons: FailureReason[];
  /** Start of the oldest call that still goes on; the bookmark stays before it. */
  oldestOngoingAt: string | null;
  /** The part of the listing that is read now; left out where it is one. */
  slice?: SliceStanding | null;
  /** What a complete import still has to say, in words. */
  warning?: string;
  /** Calls of this import that the plan's allowance does not cover yet; part of `waiting`. */
  heldBack?: HeldBack | null;
}

/** What the record has of an import. */
export interface KeptRecords {
  /** Calls that the import stored. */
  stored: number;
  /** Records that are kept with a reason. */
  unread: number;
  /** Stored calls whose analysis failed. */
  unanalysed: number;
  /** The database's time of the count, in milliseconds since 1970. */
  atMs: number;
}

export interface ImportCarried {
  plan: ImportPlan;
  standing: ImportStanding;
  waitingCallIds: string[];
  paused: boolean;
  cancelled: boolean;
  retryWanted: boolean;
}

export interface ImportResult {
  status: Extract<ImportStatus, 'complete' | 'failed' | 'cancelled'>;
  stored: number;
  failed: number;
  reason: string | null;
  /** When calls of the agent that wait for the plan's allowance may be tried again; null where none wait. */
  heldUntil?: string | null;
}

/** What an import tells its coordinator while it waits for the platform. */
export interface ImportWaits extends ImportRequestKey {
  /** In words, with its counts; null when the wait is over. */
  waitsFor: string | null;
  /** Until when the platform asked for no more requests (milliseconds since 1970); null where it asked for no such thing. */
  limitedUntilMs: number | null;
}

/** What an import tells its coordinator when it has ended. */
export interface ImportEnded extends ImportRequestKey, Pick<ImportResult, 'status' | 'reason' | 'heldUntil'> {}

/** Bring a message to a running import. Signals to one that has ended are dropped: there is nothing left to do. */
export function importMessageEntry(
  request: ImportRequestKey,
  signal: (typeof IMPORT_SIGNALS)[keyof typeof IMPORT_SIGNALS],
  item?: SkippedItem,
): SignalEntry<typeof IMPORT_CALLS> {
  return {
    kind: 'signal',
    workflow: IMPORT_CALLS,
    workflowId: importWorkflowId(request.importId, request.attempt),
    signal,
    signalArgs: item === undefined ? [] : [item],
  };
}

/** How a line of an upload is named among the failures of an agent: `line:<n>` and the import, since every upload has a line 1. */
export const lineRef = (importId: string, line: number) => `line:${line}:${importId}`;
export const isLineRef = (ref: string) => /^line:\d+:[0-9a-f-]{36}$/.test(ref);
/** The number of the line that a reference names, or null where it names a platform's call. */
export const lineOfRef = (ref: string) => (isLineRef(ref) ? Number(ref.split(':')[1]) : null);
