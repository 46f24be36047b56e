import { z } from 'zod';
import { PLANS } from '../domain/vocabulary.ts';
import { count, timestamp, uuid } from './common.ts';

/** A workspace as the operator of the installation sees it: what it may do and who made it, nothing of its calls. */
export const installationWorkspace = z
  .strictObject({
    object: z.literal('installation_workspace'),
    id: uuid,
    name: z.string(),
    plan: z.enum(PLANS),
    aiAllowanceUsd: z.number().nullable().describe('What AI features may cost over 30 days; null is unlimited.'),
    storageMib: z.int().nullable().describe('Null: what is usual in the installation.'),
    members: count,
    agents: count.describe('Without demo agents.'),
    madeBy: z
      .strictObject({ id: uuid, email: z.string().nullable().describe('Null once the account is gone.') })
      .nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'InstallationWorkspace' });
export type InstallationWorkspaceResource = z.infer<typeof installationWorkspace>;
