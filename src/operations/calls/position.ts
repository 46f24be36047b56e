import { z } from 'zod';
import type { CallView } from '../../db/calls/read-calls.ts';

/** Where a page of calls ended. */
export const callPosition = z.tuple([z.string(), z.guid()]);

export const callPositionOf = (call: CallView) => [call.sortAt, call.id];
