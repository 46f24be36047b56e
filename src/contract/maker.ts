import { z } from 'zod';
import { uuid } from './common.ts';

/** Of a key or a token. */
export const maker = z
  .strictObject({
    id: uuid,
    name: z.string(),
    email: z.string(),
    isMember: z.boolean().describe('False once they were removed from the workspace.'),
  })
  .nullable()
  .describe('Who made it; null where the person was deleted.');
