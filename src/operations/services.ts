import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Vault } from '../secrets.ts';
import type { Cursors } from './cursors.ts';
import type { OpenApiDocument } from './openapi.ts';

/** What every operation may use; made once a process. */
export interface Services {
  database: Database;
  vault: Vault;
  cursors: Cursors;
  log: Logger;
  /** The clock of this process, for tokens; what is stored takes the database's time. */
  now(): Date;
  /** How often desks poll, for the orders that open one. */
  polling: { polls: boolean; pollSeconds: number };
  /** Origin under which people reach this instance, for links. */
  publicUrl: string;
  /** The OpenAPI document of `/v1`. */
  openapi(): OpenApiDocument;
  /** Address of the Temporal UI, where there is one. */
  temporalUi: string | null;
}
