import { z } from 'zod';
import { count, rateOf, timestamp } from './common.ts';

export const version = z
  .strictObject({
    object: z.literal('version'),
    version: z.int(),
    isCurrent: z.boolean(),
    configCaptured: z.boolean(),
    detectedAt: timestamp,
    configHash: z
      .string()
      .regex(/^sha256:[0-9a-f]+$/)
      .nullable()
      .describe('Null where the configuration was not captured.'),
    calls: count,
    gotItDone: rateOf.describe('Resolved calls of the calls with contact.'),
    handedOff: rateOf.describe('Transferred calls of the calls with contact.'),
  })
  .meta({
    id: 'Version',
    examples: [
      {
        object: 'version',
        version: 4,
        isCurrent: true,
        configCaptured: true,
        detectedAt: '2026-02-20T07:00:00.000Z',
        configHash: 'sha256:4f1c9e',
        calls: 312,
        gotItDone: { value: 0.72, n: 296 },
        handedOff: { value: 0.08, n: 296 },
      },
    ],
  });
export type VersionResource = z.infer<typeof version>;
