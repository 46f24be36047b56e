import type { JsonObject } from '../domain/json.ts';

/** One event as it came in, with what it may have been signed with. */
export interface Delivery {
  /** Names in lower case; one that came twice is joined by commas, which no scheme accepts. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as they came: signatures are over these. */
  body: Uint8Array;
  /** None: nothing can be genuine. */
  secrets: readonly string[];
  nowMs: number;
}

/** An event that says that a call can be fetched. */
export interface PlatformEvent {
  /** The platform's own word for what happened. */
  kind: string;
  providerCallId: string;
  /** The agents that the call may count for, the likeliest first. */
  providerAgentIds: string[];
}

/** How one platform signs its events, and which of them are worth fetching a call for. */
export interface InboundPlatform {
  /** Whether the platform signs with its key where no secret is set. */
  signsWithKey: boolean;
  /** How to set the platform up, in a sentence for people. */
  setUp: string;
  isGenuine(delivery: Delivery): boolean;
  /** Null for what is no news of a finished call. */
  read(body: JsonObject): PlatformEvent | null;
}
