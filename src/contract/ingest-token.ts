import { z } from 'zod';
import { timestamp, uuid } from './common.ts';
import { maker } from './maker.ts';

const tokenFields = {
  object: z.literal('ingest_token'),
  id: uuid,
  connectionId: uuid,
  agentId: uuid.describe('The one agent whose calls it lets in.'),
  name: z.string(),
  prefix: z.string().length(10).describe('The first ten characters.'),
  lastUsedAt: timestamp.nullable(),
  createdAt: timestamp,
  createdBy: maker,
};

export const ingestToken = z.strictObject(tokenFields).meta({ id: 'IngestToken' });
export type IngestTokenResource = z.infer<typeof ingestToken>;

/** The answer to making a token: the only place where its value is ever shown. */
export const newIngestToken = z
  .strictObject({
    ...tokenFields,
    token: z.string().regex(/^ing_[A-Za-z0-9_-]{32}$/),
    records: z.string().describe('Where records are posted to.'),
    traces: z.string().describe('Where OpenTelemetry exporters send their spans to.'),
  })
  .meta({ id: 'NewIngestToken' });
export type NewIngestToken = z.infer<typeof newIngestToken>;
