import { z } from 'zod';
import { LANES, TEST_EXPECTATIONS } from '../domain/vocabulary.ts';
import { uuid } from './common.ts';
import { testSpecInput } from './test-spec.ts';
import { plainText } from './text.ts';

/** A test as a file of a repository, YAML or JSON (`earshot tests pull`). */
export const testFile = z
  .strictObject({
    id: uuid.optional().describe('Ties the file to the test on the server: leave it as it is.'),
    revision: z.int().min(1).optional(),
    digest: z.string().optional(),
    title: plainText(1, 200),
    lane: z.enum(LANES).nullable().optional(),
    expect: z.enum(TEST_EXPECTATIONS).optional(),
    guard: z.boolean().optional(),
    spec: testSpecInput,
  })
  .meta({ id: 'TestFile', title: 'A test', description: 'A file of `earshot tests`.' });
