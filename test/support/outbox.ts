import type { Database } from '../../src/db/database.ts';
import { openOutbox } from '../../src/services/outbox/open-outbox.ts';
import type { TemporalGateway } from '../../src/temporal/client.ts';
import { relayBatch } from '../../src/temporal/relay-batch.ts';

/** Sends one batch of the outbox, as the relay of a worker does. */
export const sendOutbox = ({ database, temporal }: { database: Database; temporal: TemporalGateway }) =>
  relayBatch({ outbox: openOutbox(database), temporal });
