import { z } from 'zod';
import { IMPORT_KINDS, IMPORT_STATUSES } from '../domain/vocabulary.ts';
import { count, timestamp, uuid, warningCounts } from './common.ts';

const importFields = {
  object: z.literal('import'),
  id: uuid,
  agentId: uuid,
  kind: z.enum(IMPORT_KINDS),
  status: z.enum(IMPORT_STATUSES),
  attempt: z.int().min(1),
  limit: z.int().nullable(),
  since: timestamp.nullable(),
  readBackTo: timestamp
    .nullable()
    .describe('While a long list is read in parts, newest first: every call that began since then is listed.'),
  listed: count.describe(
    'What the platform, or the file, named. Each became one of: stored, unchanged, stillFailed, ongoing, gone, or failed to be read.',
  ),
  stored: count,
  unchanged: count,
  stillFailed: count.describe('Records that an earlier import kept with a reason, and that were not asked for again.'),
  analysed: count,
  waiting: count,
  failed: count.describe('Records that could not be read, and stored calls that could not be analysed.'),
  ongoing: count.describe('Listed calls that were not over yet: a later poll reads them.'),
  gone: count.describe('Listed calls that the platform no longer had when they were requested.'),
  waitsFor: z.string().nullable().describe('What the import, or calls that it stored, wait for, in words.'),
  reason: z.string().nullable().describe('Why it failed, in words.'),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  updatedAt: timestamp,
};

const failure = z.strictObject({ ref: z.string(), reason: z.string() });

export const importResource = z.strictObject(importFields).meta({ id: 'Import' });
export type ImportResource = z.infer<typeof importResource>;

export const importWithFailures = z
  .strictObject({
    ...importFields,
    reasons: z.array(z.strictObject({ reason: z.string(), calls: count })).describe('At most 20, most frequent first.'),
    notComputable: z
      .array(z.strictObject({ reason: z.string(), codes: count, remedy: z.string().nullable() }))
      .describe(
        'Why how many codes could be computed on none of its analysed calls, most codes first, and what would change that; empty until calls are analysed.',
      ),
    warnings: warningCounts.describe(
      'What was noted as its calls were read, such as times without a zone: at most 20, most frequent first; known once it has ended.',
    ),
    redacted: z
      .record(z.string(), z.int().min(1))
      .describe('How often each kind of personal data was left out of its calls; counted once it has ended.'),
    namesWaiting: count.describe(
      'Calls of which rules have left names out, and the model that reads them is still to say more.',
    ),
    failures: z.array(failure).describe('At most 100 records that could not become calls.'),
  })
  .meta({ id: 'ImportWithFailures' });
export type ImportWithFailures = z.infer<typeof importWithFailures>;

export const startedImport = z
  .strictObject({
    ...importFields,
    badLines: z.array(z.strictObject({ line: z.int(), reason: z.string() })).describe('Lines that were not taken.'),
  })
  .meta({ id: 'StartedImport' });
export type StartedImport = z.infer<typeof startedImport>;
