import { z } from 'zod';
import { SETUP_STATUSES } from '../domain/vocabulary.ts';
import { prose } from './text.ts';

const ITEMS_AT_MOST = 100;
const line = prose(1, 2_000);

export const brief = z
  .strictObject({
    purpose: line.nullable(),
    steps: z
      .array(z.strictObject({ id: z.string().min(1).max(200), label: line, text: prose(0, 20_000).nullable() }))
      .max(ITEMS_AT_MOST),
    tools: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(200),
          description: prose(0, 20_000),
          kind: z.enum(['transfer', 'end_call', 'other']),
        }),
      )
      .max(ITEMS_AT_MOST),
    intents: z.array(line).max(ITEMS_AT_MOST).describe('What callers are expected to ask for.'),
    done: z.array(line).max(ITEMS_AT_MOST).describe('What counts as done.'),
    rules: z
      .array(z.strictObject({ line: z.int().min(1), text: line, polarity: z.enum(['must', 'must_not']) }))
      .max(ITEMS_AT_MOST)
      .describe("Lines of the agent's own text, word for word."),
  })
  .meta({ id: 'Brief' });

/** Only what is named changes. */
export const briefChange = brief.partial();

export const agentBrief = z
  .strictObject({
    object: z.literal('brief'),
    setupStatus: z.enum(SETUP_STATUSES),
    brief: brief.nullable().describe('Null until it was read.'),
    message: z.string().nullable().describe('Why there is none yet, or what is waited for.'),
  })
  .meta({
    id: 'AgentBrief',
    examples: [
      {
        object: 'brief',
        setupStatus: 'pending',
        brief: {
          purpose: 'You are the front desk of a dental practice.',
          steps: [{ id: 'node_1', label: 'Greet', text: null }],
          tools: [{ name: 'book_slot', description: 'Books a free time.', kind: 'other' }],
          intents: ['book a visit'],
          done: ['book_slot succeeded'],
          rules: [{ line: 4, text: 'Never give medical advice.', polarity: 'must_not' }],
        },
        message: null,
      },
    ],
  });
export type AgentBriefResource = z.infer<typeof agentBrief>;
