import type {
  CopilotConversationDetail,
  CopilotConversationResource,
  CopilotMessageResource,
} from '../../contract/copilot.ts';
import { readCards } from '../../db/copilot/cards.ts';
import {
  type ConversationView,
  findConversation,
  type MessageView,
  readMessages,
} from '../../db/copilot/conversations.ts';
import { ANSWER_PROBLEM_CODES } from '../../domain/copilot/copilot.ts';
import type { Context, Parent } from '../operation.ts';
import { presentCard } from './card.ts';

/** A conversation of whoever asks: those of others do not exist for them. */
export const conversationParent: Parent<ConversationView> = {
  param: 'conversationId',
  notFound: 'conversation_not_found',
  format: 'uuid',
  load: async (em, id, { principal, agent }) =>
    principal.kind === 'person' && agent ? findConversation(em, principal, { agentId: agent.id, id }) : null,
};

const SHOWN = 200;

export const presentConversation = (row: ConversationView): CopilotConversationResource => ({
  object: 'copilot_conversation',
  id: row.id,
  agentId: row.agentId,
  title: row.title,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

export async function presentWhole(context: Context, row: ConversationView): Promise<CopilotConversationDetail> {
  const messages = await readMessages(context.em, row.id, SHOWN);
  const cards = await readCards(context.em, row.id, SHOWN);
  return { ...presentConversation(row), messages: messages.map(presentMessage), cards: cards.map(presentCard) };
}

export function presentMessage(row: MessageView): CopilotMessageResource {
  const code = ANSWER_PROBLEM_CODES.find((one) => one === row.problemCode);
  return {
    object: 'copilot_message',
    id: row.id,
    role: row.role,
    state: row.state,
    text: row.text,
    reads: row.reads,
    citations: row.citations,
    problem: code ? { code, message: row.problem ?? '' } : null,
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
  };
}
