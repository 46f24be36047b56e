/** How one workspace reaches a platform. */
export interface PlatformConnection {
  baseUrl: string;
  apiKey: string;
  /** Left out where nobody keeps what the platform asks of the account, as with addresses of chats. */
  account?: AccountGate;
  /** What answers may have together, where that is bounded: each takes from it. */
  answers?: { bytesLeft: number };
}

/** Holds requests with one key back, so that all who ask with it keep what the platform told any of them. */
export interface AccountGate {
  /** Resolves when a request may be sent. @throws PlatformError of kind `rate_limited` where it may not for long */
  enter(): Promise<void>;
  answered(): Promise<void>;
  /** The platform wants no more requests. @param forMs for how long; null where it does not say */
  limited(forMs: number | null): Promise<void>;
}
