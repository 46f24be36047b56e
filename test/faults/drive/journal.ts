/** What came back for a request; nothing where the connection ended first, so that the client can not know. */
export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  /** What the header `Retry-After` asks to wait; 0 where there is none. */
  retryAfterSeconds: number;
}

export type Progressing = 'import' | 'run' | 'erasure';

/** How a thing that takes its time was seen to stand. */
export interface Sighting {
  what: Progressing;
  id: string;
  status: string;
  done: number;
  total: number | null;
}

/**
 * What the clients were told, in the order in which they were. The checker knows nothing else of what they did: what was
 * answered must be there, what was refused must not, and of what was never answered either may be true.
 */
export class Journal {
  /** Resources that a 2xx named as made, by kind. */
  readonly made: { what: 'test' | 'watch' | 'key' | 'draft' | Progressing; id: string; name: string }[] = [];
  /** The ids that one Idempotency-Key was answered with. */
  readonly repeated: { key: string; ids: string[] }[] = [];
  readonly renamed: { watchId: string; name: string; isSure: boolean }[] = [];
  /** Records that a 2xx took, by the id that their sender gave them. */
  readonly taken: { ref: string; importId: string | null }[] = [];
  /** Drafts whose publish was taken, with the words of the prompt that only they have. */
  readonly published: { draftId: string; words: string }[] = [];
  readonly approved: { runId: string; approvedAt: string }[] = [];
  /** Ids of watches whose backtest was begun. */
  readonly backtested: string[] = [];
  /** In the order in which they were given; `isSure`: the last one for its sample was acknowledged. */
  readonly labelled: { watchId: string; callId: string; label: string; isSure: boolean }[] = [];
  readonly erased: { callId: string; ref: string; erasureId: string }[] = [];
  readonly seen: Sighting[] = [];
  readonly results: { runId: string; bytes: string }[] = [];
  readonly revoked: { keyId: string; statusesAfter: number[] }[] = [];
  readonly spent: { keyId: string; usd: number; budgetUsd: number }[] = [];
  /** Ids of the workspace that another workspace's key asked for, and what it was told. */
  readonly strangers: { path: string; status: number }[] = [];
  /** Refs that were there before a list was walked, and all that the walk showed. */
  readonly walks: { before: string[]; shown: string[] }[] = [];
  /** Refusals and failures without the envelope of the contract. */
  readonly malformed: { path: string; status: number }[] = [];
  /** Refusals of requests that nothing speaks against. */
  readonly refused: string[] = [];
  /** Requests that were made again for minutes, with what they were told last. */
  readonly neverAnswered: string[] = [];
  requests = 0;
  unanswered = 0;
  failed = 0;
}
