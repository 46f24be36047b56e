import { z } from 'zod';
import { OUTCOMES, REANALYSIS_STATUSES, SECTIONS } from '../domain/vocabulary.ts';
import { count, timestamp, uuid } from './common.ts';

export const newReanalysis = z
  .strictObject({
    thresholds: z
      .record(z.string(), z.record(z.string(), z.number()))
      .optional()
      .describe(
        "Read under these, which become the agent's when the readings are switched on; left out: those it has.",
      ),
  })
  .optional();

const place = z.strictObject({ rank: z.int().min(1), section: z.enum(SECTIONS), calls: count });
const placed = place.extend({ key: z.string(), title: z.string() });

const report = z
  .strictObject({
    calls: z.strictObject({ read: count, failed: count, changed: count, unchanged: count }),
    codes: z
      .array(
        z.strictObject({
          code: z.string(),
          removed: count,
          added: count,
          kept: count,
          examples: z.strictObject({ added: z.array(uuid), removed: z.array(uuid) }),
        }),
      )
      .describe('Codes that other calls would show than now, the most changed first, with at most three calls each.'),
    outcomes: z.array(
      z.strictObject({ from: z.enum(OUTCOMES).nullable(), to: z.enum(OUTCOMES).nullable(), calls: count }),
    ),
    board: z
      .strictObject({
        appear: z.array(placed),
        disappear: z.array(placed),
        move: z.array(z.strictObject({ key: z.string(), title: z.string(), from: place, to: place })),
        unchanged: count,
      })
      .nullable()
      .describe('Issues of the default list by their keys; ranks begin at 1.'),
    boardNote: z.string().nullable().describe('Why the board was not worked out.'),
  })
  .meta({ id: 'ReanalysisReport' });

export const reanalysis = z
  .strictObject({
    object: z.literal('reanalysis'),
    id: uuid,
    agentId: uuid,
    status: z.enum(REANALYSIS_STATUSES),
    analyserVersion: z.int(),
    thresholds: z.record(z.string(), z.record(z.string(), z.number())).nullable(),
    total: count,
    done: count.describe('Calls that were read again, those that could not be read included.'),
    failed: count.describe(
      'Calls that could not be read again, or whose words are kept no longer: they keep the reading that they have.',
    ),
    applied: count.describe('Calls whose new reading is switched on.'),
    message: z.string().describe('Where it stands and what to do, in words.'),
    report: report.nullable(),
    createdAt: timestamp,
    reportedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'Reanalysis' });
export type ReanalysisResource = z.infer<typeof reanalysis>;

export const reanalyses = z
  .strictObject({
    object: z.literal('reanalyses'),
    analyserVersion: z.int().describe('Of the installed analyser.'),
    callsBehind: count.describe('Analysed calls whose reading is of an earlier analyser.'),
    message: z.string().nullable().describe('Says that a newer reading is to be had; else null.'),
    data: z.array(reanalysis).describe('Newest first, at most 20, without their reports.'),
  })
  .meta({ id: 'Reanalyses' });
