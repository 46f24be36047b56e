import { z } from 'zod';
import { timestamp, uuid } from './common.ts';
import { plainText, prose } from './text.ts';

export const persona = z
  .strictObject({
    object: z.literal('persona'),
    id: z.string().describe("A slug for built-in ones, a UUID for the workspace's own: what a run takes."),
    name: z.string(),
    style: z.string().describe('How it speaks and behaves: what the model that plays the caller is told.'),
    builtIn: z.boolean(),
    createdBy: z.string().nullable().describe('A user id; null for built-in ones.'),
    createdAt: timestamp.nullable(),
  })
  .meta({
    id: 'Persona',
    description:
      "A kind of caller that tests can be played by. Where a model plays callers, a script is said in the persona's manner, with the values of each line kept; without one, a test with a script is played once by its own caller (`@source`), and further cells of it are not_run with the reason and draw no test call.",
    examples: [
      {
        object: 'persona',
        id: 'hurried',
        name: 'In a hurry',
        style: 'Has little time and says so.',
        builtIn: true,
        createdBy: null,
        createdAt: null,
      },
    ],
  });
export type PersonaResource = z.infer<typeof persona>;

export const newPersona = z.strictObject({ name: plainText(1, 100), style: prose(1, 1000) });

export const removedPersona = z
  .strictObject({ object: z.literal('persona'), id: uuid, removed: z.literal(true) })
  .meta({ id: 'RemovedPersona' });
