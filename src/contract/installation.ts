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

const finding = z.strictObject({
  name: z.string(),
  state: z
    .enum(['fine', 'absent', 'wrong'])
    .describe('absent: not running, or not set up, which may be as it should be.'),
  says: z.string(),
  todo: z.string().nullable().describe('What to do about it.'),
});

export const installationCheck = z
  .strictObject({
    object: z.literal('installation_check'),
    at: timestamp.describe("By the database's clock."),
    ok: z.boolean().describe('False where anything is wrong.'),
    findings: z.array(finding),
    processes: z.array(
      z.strictObject({
        kind: z.enum(['api', 'worker']),
        host: z.string(),
        pid: z.int(),
        version: z.string().nullable().describe('Null: one from before processes told it.'),
        clockDifferenceMs: z
          .int()
          .nullable()
          .describe("How far its clock is ahead of the database's; negative: behind."),
        freeBytes: z.int().nullable().describe('On the disk of its data folder.'),
      }),
    ),
  })
  .meta({ id: 'InstallationCheck' });
export type InstallationCheck = z.infer<typeof installationCheck>;
