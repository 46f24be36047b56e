import type { DraftTexts } from '../domain/drafts/parts.ts';
import type { JsonObject } from '../domain/json.ts';
import type { PlatformConnection } from './platform-connection.ts';

/** A platform that plays nothing but what it holds: a version is copied there to be played with other texts. */
export interface AgentCopies {
  /**
   * Makes the version once more, with the texts in it, as an agent of its own that no telephone number leads to. One that
   * breaks off is not taken up again: it is removed, and another is made.
   * @throws PlatformError
   */
  make(connection: PlatformConnection, asked: CopyRequest): Promise<{ providerAgentId: string; version: number }>;
  /**
   * Takes away all that a making has left, however far it came. Asked again, it does nothing twice.
   * @returns false where something may have been made that can't be found (yet).
   * @throws PlatformError
   */
  remove(connection: PlatformConnection, asked: Pick<CopyRequest, 'name' | 'handle'>): Promise<boolean>;
}

export interface CopyRequest {
  providerAgentId: string;
  version: number;
  /** Put over the version's own; none for the version as it is. */
  texts: DraftTexts;
  /** Tells it apart from everything else at the platform. */
  name: string;
  /** What was noted so far; null at first. */
  handle: JsonObject | null;
  /** Called before each write with what its removal has to know. */
  note(handle: JsonObject): Promise<void>;
}

const NAME = 'Earshot copy ';

export const copyName = (copyId: string) => `${NAME}${copyId}`;
/** Whether an agent at a platform is a copy of ours, which nobody connects. */
export const isCopyName = (name: string) => name.startsWith(NAME);
