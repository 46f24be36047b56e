import { z } from 'zod';
import { ANSWER_PROBLEM_CODES, QUESTION_AT_MOST } from '../domain/copilot/copilot.ts';
import { CARD_STATES, CITATION_KINDS, COPILOT_MESSAGE_ROLES, COPILOT_MESSAGE_STATES } from '../domain/vocabulary.ts';
import { count, timestamp, uuid } from './common.ts';
import { prose } from './text.ts';

export const copilotState = z
  .strictObject({
    object: z.literal('copilot'),
    available: z.boolean(),
    reason: z.string().nullable().describe('Why it can’t be asked now.'),
    messages: z
      .strictObject({ limit: z.int().min(0).nullable(), used: count })
      .describe('Of the workspace in this period; a limit of null is none.'),
    answering: z.strictObject({ conversationId: uuid, messageId: uuid }).nullable().describe('Your answer going on.'),
  })
  .meta({
    id: 'Copilot',
    examples: [
      {
        object: 'copilot',
        available: false,
        reason: 'No model is configured: set EARSHOT_MODEL_URL and EARSHOT_MODEL, or ANTHROPIC_API_KEY.',
        messages: { limit: null, used: 0 },
        answering: null,
      },
    ],
  });
export type CopilotStateResource = z.infer<typeof copilotState>;

const citation = z
  .strictObject({
    number: z.int().min(1).describe('Appears in the text as `[^1]`.'),
    kind: z.enum(CITATION_KINDS),
    id: uuid,
    turn: z.int().min(0).nullable().describe('Of a call.'),
    label: z.string(),
    href: z.string().describe('Its page in the web app.'),
  })
  .meta({ id: 'Citation' });

export const copilotCard = z
  .strictObject({
    object: z.literal('copilot_card'),
    id: uuid,
    conversationId: uuid,
    messageId: uuid,
    operation: z.string().describe('The operationId of what is proposed.'),
    input: z.strictObject({ path: z.record(z.string(), z.string()), body: z.record(z.string(), z.unknown()) }),
    summary: z.string().describe('What it would do, said by rule from the input and never in words of the model.'),
    digest: z.string().describe('Of operation and input; a confirmation repeats it.'),
    state: z.enum(CARD_STATES),
    result: z
      .strictObject({ status: z.int(), id: z.string().nullable() })
      .nullable()
      .describe('What came of it, once it was confirmed.'),
    createdAt: timestamp,
    decidedAt: timestamp.nullable(),
  })
  .meta({ id: 'CopilotCard' });
export type CopilotCardResource = z.infer<typeof copilotCard>;

export const copilotMessage = z
  .strictObject({
    object: z.literal('copilot_message'),
    id: uuid,
    role: z.enum(COPILOT_MESSAGE_ROLES),
    state: z.enum(COPILOT_MESSAGE_STATES),
    text: z.string(),
    reads: z
      .array(z.strictObject({ tool: z.string(), status: z.int() }))
      .describe('What was looked up, with the HTTP status of each answer.'),
    citations: z.array(citation),
    problem: z
      .strictObject({ code: z.enum(ANSWER_PROBLEM_CODES), message: z.string() })
      .nullable()
      .describe('Why the answer failed.'),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'CopilotMessage' });
export type CopilotMessageResource = z.infer<typeof copilotMessage>;

const conversationFields = {
  id: uuid,
  agentId: uuid,
  title: z.string().describe('The beginning of the first question.'),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const copilotConversation = z
  .strictObject({ object: z.literal('copilot_conversation'), ...conversationFields })
  .meta({
    id: 'CopilotConversation',
    examples: [
      {
        object: 'copilot_conversation',
        id: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e6f',
        agentId: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e70',
        title: 'Why do callers ask twice for a date?',
        createdAt: '2026-03-02T09:15:04.120Z',
        updatedAt: '2026-03-02T09:15:04.120Z',
      },
    ],
  });
export type CopilotConversationResource = z.infer<typeof copilotConversation>;

export const copilotConversationDetail = z
  .strictObject({
    object: z.literal('copilot_conversation'),
    ...conversationFields,
    messages: z.array(copilotMessage).describe('The newest 200, oldest first.'),
    cards: z.array(copilotCard).describe('The newest 200, oldest first.'),
  })
  .meta({ id: 'CopilotConversationDetail' });
export type CopilotConversationDetail = z.infer<typeof copilotConversationDetail>;

export const questionInput = z.strictObject({ text: prose(1, QUESTION_AT_MOST) });
