import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { copilotConversation, copilotConversationDetail } from '../../contract/copilot.ts';
import { settleDeadAnswer } from '../../db/copilot/answers.ts';
import { insertConversation, listConversations as readConversations } from '../../db/copilot/conversations.ts';
import { defineOperation } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { conversationParent, presentConversation, presentWhole } from './conversation.ts';

const PATH = '/app/agents/{agentId}/copilot/conversations';
const common = { surface: 'app', scope: 'person', audits: false, tag: 'Copilot' } as const;

export const beginConversation = defineOperation({
  ...common,
  id: 'beginConversation',
  method: 'POST',
  path: PATH,
  summary: 'Begin a conversation with the copilot',
  description: 'About one agent. Nobody but you sees it.',
  body: z.strictObject({}).optional(),
  response: copilotConversation,
  async run(context) {
    const { workspaceId, personId } = context.person();
    return presentConversation(
      await insertConversation(context.em, { workspaceId, personId, agentId: context.agent.id }),
    );
  },
});

export const listConversations = defineOperation({
  ...common,
  id: 'listConversations',
  method: 'GET',
  path: PATH,
  summary: 'List your conversations with the copilot',
  description: 'About this agent, newest first.',
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(copilotConversation),
  async run(context, { query }) {
    const { limit, cursor } = query;
    const rows = await readConversations(context.em, context.person(), context.agent.id, { after: cursor, limit });
    return context.page(rows, limit, presentConversation, (row) => [row.createdAt, row.id]);
  },
});

export const getConversation = defineOperation({
  ...common,
  id: 'getConversation',
  method: 'GET',
  path: `${PATH}/{conversationId}`,
  summary: 'Read a conversation with the copilot',
  description:
    'Its questions and answers, and the changes that were proposed in it. Of an answer going on, what was said so far.',
  parents: [conversationParent],
  response: copilotConversationDetail,
  async run(context) {
    await settleDeadAnswer(context.em, context.person());
    return presentWhole(context, context.parent(conversationParent));
  },
});
