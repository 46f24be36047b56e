import { z } from 'zod';
import { copilotMessage, questionInput } from '../../contract/copilot.ts';
import { type AnswerKey, askToStop, firstEventOf, insertQuestion, settleDeadAnswer } from '../../db/copilot/answers.ts';
import { type ConversationView, findMessage, nextPosition, readMessages } from '../../db/copilot/conversations.ts';
import { mayWatch } from '../../db/system/sessions.ts';
import { historyFor } from '../../domain/copilot/history.ts';
import { answerQuestion } from '../../services/copilot/answer-question.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation, defineStream } from '../operation.ts';
import { conversationParent, presentMessage } from './conversation.ts';
import { followAnswer, readLastEventId, requireAnswer } from './follow-answer.ts';
import { drawMessage, requireAi } from './may-ask.ts';
import { openTools } from './tools.ts';

const PATH = '/app/agents/{agentId}/copilot/conversations/{conversationId}';
/** Talk is the person's own and changes nothing else: what is proposed in it has audit entries where it is done. */
const common = {
  surface: 'app',
  scope: 'person',
  audits: false,
  tag: 'Copilot',
  parents: [conversationParent],
} as const;
const HISTORY = 100;

const EVENTS =
  'Server-sent events: `begin`; `text`, whose pieces make the answer; `read` for each look-up; `citation` for each thing that the text cites as `[^1]`, which exists for you; `card` for each change that is proposed; then `done`, or `error`, with the whole message.';

export const askCopilot = defineStream({
  ...common,
  id: 'askCopilot',
  method: 'POST',
  path: `${PATH}/messages`,
  summary: 'Ask the copilot',
  description: `${EVENTS} One answer at a time a person. It goes on when the connection breaks: follow it at \`…/events\`.`,
  streamType: 'text/event-stream',
  ai: true,
  transaction: false,
  body: questionInput,
  refuses: ['copilot_not_configured', 'answer_in_progress', 'quota_exceeded', 'budget_exceeded'],
  async run(context, { body }) {
    const { services } = context;
    requireAi(services);
    const person = context.person();
    const conversation = context.parent(conversationParent);
    const before = await readMessages(context.em, conversation.id, HISTORY);
    const key = await begin(context, conversation, body.text);
    startAnswer(context, key, [...historyFor(before), { role: 'person', text: body.text }]);
    const { conversationId, messageId, position } = key;
    return followAnswer(services, person, { conversationId, messageId, after: firstEventOf(position) });
  },
});

async function begin(context: Context, conversation: ConversationView, text: string): Promise<AnswerKey> {
  await settleDeadAnswer(context.em, context.person());
  return context.em.transactional(async (tx) => {
    const position = await nextPosition(tx, conversation, text);
    const key = await insertQuestion(tx, conversation, { position, text });
    if (!key) {
      throw new Failure('answer_in_progress', 'Another answer to you is going on. Wait for it, or stop it.');
    }
    await drawMessage(tx, conversation.workspaceId);
    return key;
  });
}

/** The answer is made apart from the request: whoever asked may go, and come back. */
function startAnswer(context: Context, key: AnswerKey, said: { role: 'person' | 'copilot'; text: string }[]): void {
  const { services, agent, requestId } = context;
  const { talk, prices } = requireAi(services);
  const person = context.person();
  const within = () => services.database.within(person.workspaceId);
  const tools = openTools(services, { person, agent, requestId, key, mayGoOn: () => mayWatch(within(), person) });
  services.answers.begin(key.messageId, (control) =>
    answerQuestion(
      { em: within, log: services.log },
      { key, agent, model: talk, price: prices[talk.model], tools, said },
      control,
    ),
  );
}

export const followCopilot = defineStream({
  ...common,
  id: 'followCopilot',
  method: 'GET',
  path: `${PATH}/events`,
  summary: 'Follow the newest answer of the copilot',
  description: `${EVENTS} From the beginning of the answer, or after \`Last-Event-ID\`; it ends with the answer.`,
  streamType: 'text/event-stream',
  async run(context) {
    const { services, lastEventId } = context;
    const person = context.person();
    const { id: conversationId } = context.parent(conversationParent);
    const lastHeard = readLastEventId(lastEventId) ?? 0;
    await settleDeadAnswer(context.em, person);
    const { id: messageId, position } = await requireAnswer(services, person, conversationId);
    const after = Math.max(lastHeard, firstEventOf(position));
    return followAnswer(services, person, { conversationId, messageId, after });
  },
});

export const stopCopilot = defineOperation({
  ...common,
  id: 'stopCopilot',
  method: 'POST',
  path: `${PATH}/stop`,
  summary: 'Stop the answer of the copilot',
  description: 'What was said so far stays. An answer that has ended is left as it is.',
  body: z.strictObject({}).optional(),
  response: copilotMessage,
  transaction: false,
  async run(context) {
    const { services } = context;
    const { id: conversationId } = context.parent(conversationParent);
    const asked = await askToStop(context.em, conversationId);
    if (asked !== null) services.answers.stop(asked);
    const answer = await requireAnswer(services, context.person(), conversationId);
    return presentMessage((await findMessage(context.em, answer.id)) ?? answer);
  },
});
