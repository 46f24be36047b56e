import { z } from 'zod';
import { count, timestamp, uuid } from './common.ts';
import { plainText } from './text.ts';

export const INTENT_KINDS = ['intent', 'use_case', 'sub_use_case', 'persona'] as const;

export const intent = z
  .strictObject({
    object: z.literal('intent'),
    id: uuid,
    kind: z.enum(INTENT_KINDS),
    slug: z.string().describe('Never changes.'),
    label: z.string().describe('Found from the words of callers, or given by a person.'),
    parentSlug: z.string().nullable().describe('Of an intent its use case, of a sub use case its intent; else null.'),
    calls: count,
    aliases: z
      .array(z.string())
      .describe('Slugs that were merged into this one: wherever a slug is asked for, they name it too.'),
    named: z.boolean().describe('True once a person named it or merged into it: the analysis then leaves it as it is.'),
  })
  .meta({
    id: 'Intent',
    description: 'What callers of an agent want, a use case above it, a sub use case below it, or a kind of caller.',
  });
export type IntentResource = z.infer<typeof intent>;

export const intentInput = z.strictObject({ label: plainText(1, 80).transform((text) => text.trim()) });

export const mergeInput = z.strictObject({ intoId: uuid.describe('The one that stays, of the same kind.') });

export const intentChange = z
  .strictObject({
    object: z.literal('intent_change'),
    id: uuid,
    kind: z.enum(['renamed', 'merged', 'dissolved']),
    from: z.string().describe('The label before, or the slug that stands for another one now.'),
    to: z.string().describe('The label after, or the slug that it stands for.'),
    person: z.strictObject({ id: uuid, name: z.string() }).nullable().describe('Null: the analysis did it.'),
    at: timestamp,
  })
  .meta({ id: 'IntentChange' });
