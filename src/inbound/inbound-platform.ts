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

/** A call that can be fetched. */
export interface NamedCall {
  providerCallId: string;
  /** The agents that the call may count for, the likeliest first. */
  providerAgentIds: string[];
}

/** An event that says that a call can be fetched. */
export interface PlatformEvent extends NamedCall {
  /** The platform's own word for what happened. */
  kind: string;
}

/** How one platform signs its events, and which of them are worth fetching a call for. */
export interface InboundPlatform {
  /** Whether the platform signs with its key where no secret is set. */
  signsWithKey: boolean;
  /** What the platform is called. */
  title: string;
  /** How to set the platform up, in a sentence for people. */
  setUp: string;
  isGenuine(delivery: Delivery): boolean;
  /** Null for what is no news of a finished call. */
  read(body: JsonObject): PlatformEvent | null;
  /** A call as the platform's API gives it; null where it does not say which call of which agent it is. */
  callOf(call: JsonObject): NamedCall | null;
}
