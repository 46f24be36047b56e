import { z } from 'zod';
import { KEY_ACCESSES } from '../domain/vocabulary.ts';
import { timestamp, uuid } from './common.ts';
import { maker } from './maker.ts';

const keyFields = {
  object: z.literal('api_key'),
  id: uuid,
  name: z.string(),
  prefix: z.string().length(10).describe('The first ten characters.'),
  access: z.enum(KEY_ACCESSES),
  agentId: uuid.nullable(),
  monthlyBudgetUsd: z.number().min(0).nullable(),
  spentThisMonthUsd: z.number().min(0),
  lastUsedAt: timestamp.nullable(),
  createdAt: timestamp,
  createdBy: maker,
};

export const apiKey = z.strictObject(keyFields).meta({ id: 'ApiKey' });
export type ApiKeyResource = z.infer<typeof apiKey>;

/** The answer to making a key: the only place where its value is ever shown. */
export const newApiKey = z
  .strictObject({ ...keyFields, key: z.string().regex(/^svc_[A-Za-z0-9_-]{32}$/) })
  .meta({ id: 'NewApiKey' });
export type NewApiKey = z.infer<typeof newApiKey>;
