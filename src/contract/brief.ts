import { z } from 'zod';
import { SETUP_STATUSES } from '../domain/vocabulary.ts';
import { plainText, prose } from './text.ts';

const ITEMS_AT_MOST = 100;

/** The parts of a brief, of one kind of text or another: what a person gives is checked, what was read stands as it was. */
function parts(text: { name: z.ZodString; line: z.ZodString; prose: z.ZodString }) {
  const { name, line, prose: long } = text;
  return {
    purpose: line.nullable(),
    steps: z.array(z.strictObject({ id: name, label: line, text: long.nullable() })).max(ITEMS_AT_MOST),
    tools: z
      .array(z.strictObject({ name, description: long, kind: z.enum(['transfer', 'end_call', 'other']) }))
      .max(ITEMS_AT_MOST),
    intents: z.array(line).max(ITEMS_AT_MOST).describe('What callers are expected to ask for.'),
    done: z.array(line).max(ITEMS_AT_MOST).describe('What counts as done.'),
    rules: z
      .array(z.strictObject({ line: z.int().min(1), text: line, polarity: z.enum(['must', 'must_not']) }))
      .max(ITEMS_AT_MOST)
      .describe("Lines of the agent's own text, word for word."),
  };
}

const text = z.string();
export const brief = z.strictObject(parts({ name: text, line: text, prose: text })).meta({ id: 'Brief' });

/** Only what is named changes. */
export const briefChange = z
  .strictObject(parts({ name: plainText(1, 200), line: prose(1, 2_000), prose: prose(0, 20_000) }))
  .partial();

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

export const briefQuestion = z.strictObject({ message: prose(1, 4_000) });

export const briefAnswer = z
  .strictObject({
    object: z.literal('brief_answer'),
    reply: z.string().nullable().describe('Null where the model gave none; `message` says why.'),
    changes: brief
      .partial()
      .nullable()
      .describe('What it would change, part by part, as `PATCH …/brief` takes it. Null: nothing.'),
    sources: z
      .array(z.strictObject({ line: z.int(), quote: z.string() }))
      .describe("Lines of the agent's own text that it builds on, with words that stand there."),
    message: z.string().nullable(),
  })
  .meta({
    id: 'BriefAnswer',
    examples: [
      {
        object: 'brief_answer',
        reply: 'The text never says when a visit counts as booked; I would take the success of book_slot.',
        changes: { done: ['book_slot succeeded'] },
        sources: [{ line: 4, quote: 'Book the visit with book_slot.' }],
        message: null,
      },
    ],
  });
export type BriefAnswerResource = z.infer<typeof briefAnswer>;
