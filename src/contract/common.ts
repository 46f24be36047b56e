import { z } from 'zod';
import { PLACE_KINDS } from '../domain/vocabulary.ts';

/** Any UUID, `8-4-4-4-12` hexadecimal digits in either case; what we make ourselves is version 7. */
export const uuid = z.guid();

/** ISO 8601 UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-03-02T09:15:04.120Z'] });

/** Refuses a list in which an id stands twice, naming the second place. */
export function eachOnce(ids: z.ZodArray<typeof uuid>) {
  return ids.superRefine((given, context) => {
    const seen = new Set<string>();
    for (const [at, id] of given.entries()) {
      if (seen.has(id.toLowerCase()))
        context.addIssue({ code: 'custom', path: [at], message: 'is there twice', input: id });
      seen.add(id.toLowerCase());
    }
  });
}

export const share = z.number().min(0).max(1);
export const count = z.int().min(0);

/** The tests call sites of every list with this: the one envelope of the contract. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    object: z.literal('list'),
    data: z.array(item),
    hasMore: z.boolean().describe('True when a further page exists.'),
    nextCursor: z.string().nullable().describe('Pass it as `cursor` for the next page; null on the last one.'),
  });
}

export const location = z
  .strictObject({
    kind: z.enum(PLACE_KINDS),
    id: z.string().describe("The platform's own id of the place."),
    label: z.string(),
  })
  .meta({ id: 'Location', description: 'The place in the agent: the smallest thing that a person can change.' });

/** A share with the number of calls that it is a share of; null when there are none. */
export const rateOf = z
  .strictObject({ value: share.nullable(), n: count })
  .meta({ id: 'RateOfCalls', description: 'A share and the number of calls behind it; null when n is 0.' });

export const slugAndLabel = z.strictObject({ slug: z.string(), label: z.string() }).meta({ id: 'SlugAndLabel' });

/** What was noted as calls were read, and on how many of them. */
export const warningCounts = z.array(z.strictObject({ warning: z.string(), calls: count }));
