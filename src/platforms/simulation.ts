import type { Turn } from '../domain/calls/call.ts';
import type { DraftTexts } from '../domain/drafts/parts.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { AgentConfiguration } from '../domain/versions/configuration.ts';
import type { PlatformConnection } from './platform-connection.ts';

/** How a platform plays one version of an agent as text. Nothing of it reaches callers or runs a real tool. */
export interface Simulation {
  /** What a simulated call costs at most at the platform, where the agent's settings don't say otherwise. */
  usdACall: number;
  /**
   * Tools of the version that the platform would run for real, although fixtures are given: a run of these is refused
   * before it starts.
   */
  liveTools(configuration: AgentConfiguration, hasToolAddress?: boolean): string[];
  /**
   * One answer of the agent: to what the caller said, or its opening where `said` is null. Asks the platform once.
   * @throws PlatformError
   */
  answer(connection: PlatformConnection, asked: SimulatedExchange): Promise<SimulatedAnswer>;
}

export interface SimulatedExchange {
  providerAgentId: string;
  version: number;
  /** The platform's own handle of the version, where it has one. */
  providerRef: string | null;
  configuration: AgentConfiguration;
  /** The platform's document of the version as captured; null where it was not. */
  document: JsonObject | null;
  /** The conversation so far in the platform's own shape, oldest first, this `said` left out. */
  messages: JsonObject[];
  /** Texts of a draft that are played over the version; none for the version itself. */
  texts: DraftTexts;
  /** The copy that is asked in the place of the agent, with the texts in it; null: the agent itself is. */
  copy: { providerAgentId: string; version: number } | null;
  /** What the last answer handed back to be sent again; null at first. */
  state: JsonObject | null;
  /** Null: the agent opens. */
  said: string | null;
  mocks: ToolMock[];
  /** Where the platform can have this attempt's tools answered by us; null where nothing of ours is reached from outside. */
  toolAddress: string | null;
  /** Names this attempt to the platform, where it takes such a mark. */
  token: string;
  signal?: AbortSignal;
}

/** What stands in for a tool. Tools without one that matches answer `NOT_AVAILABLE`. */
export interface ToolMock {
  tool: string;
  /** Arguments that the call must have, at least; null: any. */
  match: JsonObject | null;
  respond: Json;
}

export interface SimulatedAnswer {
  /** New messages in the platform's own shape, the caller's own line first where there was one. */
  messages: JsonObject[];
  /** The new turns of the agent and its tools, without the caller's line; `index` counts from 0. */
  turns: Turn[];
  state: JsonObject | null;
  /** Steps that became active, in order. */
  steps: string[];
  ended: 'agent' | 'transfer' | null;
  /** Tools that answered `NOT_AVAILABLE`. */
  noFixture: string[];
  /** What it cost, where the platform says so. */
  costUsd: number | null;
}
