import { z } from 'zod';
import { uuid } from './common.ts';

/** That the demo platform was asked for another version of a copy. */
export const demoVersionOrder = z
  .object({
    object: z.literal('demo_version_order'),
    id: uuid,
    agentId: uuid,
    /** What happens next, in words. */
    message: z.string(),
  })
  .meta({ id: 'demo_version_order' });
export type DemoVersionOrder = z.infer<typeof demoVersionOrder>;
