import { z } from 'zod';
import { COPY_STATES } from '../domain/vocabulary.ts';
import { count, timestamp, uuid } from './common.ts';

export const agentCopy = z
  .strictObject({
    object: z.literal('agent_copy'),
    id: uuid.describe('`shadowAgentId` of its run.'),
    agentId: uuid,
    runId: uuid,
    version: z.int().describe('The version that it is a copy of.'),
    state: z.enum(COPY_STATES),
    providerAgentId: z.string().nullable().describe('Its id at the platform; null where it was never made whole.'),
    tries: count.describe('How often its removal has failed.'),
    problem: z.string().nullable().describe('Why it is still at the platform, by the last try.'),
    createdAt: timestamp,
    removedAt: timestamp.nullable(),
  })
  .meta({ id: 'AgentCopy' });
export type AgentCopyResource = z.infer<typeof agentCopy>;
