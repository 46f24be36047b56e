import { z } from 'zod';
import { eachOnce, timestamp, uuid } from './common.ts';
import { plainText } from './text.ts';

const distinctIds = eachOnce(z.array(uuid).min(1).max(200)).describe(
  'In the order in which they are played, each once.',
);

export const testSet = z
  .strictObject({
    object: z.literal('test_set'),
    id: uuid,
    name: z.string(),
    testIds: z.array(uuid).describe('In the order in which they are played. Archived ones are passed over.'),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'TestSet',
    description: 'A named choice of tests.',
    examples: [
      {
        object: 'test_set',
        id: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e71',
        name: 'Before each release',
        testIds: ['0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e6f'],
        createdBy: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e72',
        createdAt: '2026-03-02T09:15:04.120Z',
        updatedAt: '2026-03-02T09:15:04.120Z',
      },
    ],
  });
export type TestSetResource = z.infer<typeof testSet>;

export const newTestSet = z.strictObject({ name: plainText(1, 200), testIds: distinctIds });

export const testSetChange = z.strictObject({ name: plainText(1, 200).optional(), testIds: distinctIds.optional() });

export const removedTestSet = z
  .strictObject({ object: z.literal('test_set'), id: uuid, removed: z.literal(true) })
  .meta({ id: 'RemovedTestSet' });
