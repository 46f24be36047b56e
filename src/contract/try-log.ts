import { z } from 'zod';
import { count, timestamp } from './common.ts';

/** What became of each try to deliver something. */
export const tryLog = z
  .array(
    z.strictObject({
      try: z.int().min(1),
      at: timestamp,
      status: z.int().nullable(),
      error: z.string().nullable(),
      durationMs: count,
    }),
  )
  .describe('The last 100 tries, oldest first.');
