import { z } from 'zod';
import type { Operation } from './operation.ts';

/** What a parameter of the path can be. */
export function pathSchema(operation: Operation, name: string): z.ZodType {
  const parent = operation.parents.find(({ param }) => param === name);
  if (parent?.format !== 'text') return z.guid();
  return parent.schema ?? z.string().min(1);
}
