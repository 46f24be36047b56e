import { type CopilotStateResource, copilotState } from '../../contract/copilot.ts';
import { settleDeadAnswer } from '../../db/copilot/answers.ts';
import { answerGoingOn } from '../../db/copilot/conversations.ts';
import { readPlanStanding } from '../../db/limits/draw-from-plan.ts';
import { defineOperation } from '../operation.ts';
import { NOT_CONFIGURED } from './may-ask.ts';

export const getCopilot = defineOperation({
  id: 'getCopilot',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/copilot',
  scope: 'person',
  tag: 'Copilot',
  summary: 'See whether the copilot can be asked',
  description: 'And why not, what the plan has left, and which of your answers is going on.',
  response: copilotState,
  async run(context): Promise<CopilotStateResource> {
    const { em, services, agent } = context;
    const person = context.person();
    await settleDeadAnswer(em, person);
    const { limit, used } = await readPlanStanding(em, person.workspaceId, 'copilotMessages');
    const going = await answerGoingOn(em, person);
    const reason = services.ai === null ? NOT_CONFIGURED : agent.readOnly ? ON_DEMO : usedUp({ limit, used });
    return {
      object: 'copilot',
      available: reason === null,
      reason,
      messages: { limit, used },
      answering: going && { conversationId: going.conversationId, messageId: going.id },
    };
  },
});

const ON_DEMO = 'The shared demo agent can be read by everyone and changed by no one. Copy it to ask about it.';

const usedUp = ({ limit, used }: { limit: number | null; used: number }) =>
  limit !== null && used >= limit ? `All ${limit} messages that the plan includes in this period are used.` : null;
