import type { DraftTexts } from '../domain/drafts/parts.ts';
import type { JsonObject } from '../domain/json.ts';
import type { PlatformConnection } from './platform-connection.ts';

/** Puts texts into the live version of an agent, and nothing else. */
export interface TextPublisher {
  /**
   * Makes the texts live. It looks first at what an earlier try did: a request that comes again, after a time-out or a
   * crash, writes nothing twice.
   * @throws PlatformError
   */
  publish(connection: PlatformConnection, asked: PublishRequest): Promise<void>;
  /** Takes away what a publish left behind without making it live. @throws PlatformError */
  abandon(connection: PlatformConnection, asked: Pick<PublishRequest, 'providerAgentId' | 'handle'>): Promise<void>;
}

export interface PublishRequest {
  providerAgentId: string;
  /** Names this publish: the same id is the same publish. */
  requestId: string;
  /** Shown at the platform beside the version, where it has a place for that. */
  title: string;
  /** The version that is live until then. */
  baseVersion: number;
  /** What is to be said, by path, and what these parts say until then. */
  texts: DraftTexts;
  before: DraftTexts;
  /** What an earlier try noted; null at first. */
  handle: JsonObject | null;
  /** Called before each write with what whoever takes it up again has to know. */
  note(handle: JsonObject): Promise<void>;
}
