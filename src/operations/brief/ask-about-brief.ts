import { type BriefAnswerResource, briefAnswer, briefChange, briefQuestion } from '../../contract/brief.ts';
import { currentConfiguration } from '../../db/versions/versions.ts';
import { type Brief, EMPTY_BRIEF, promptLines } from '../../domain/versions/brief.ts';
import { checkBriefAnswer } from '../../domain/versions/brief-answer.ts';
import { askAboutBrief as askModel } from '../../services/models/ask-about-brief.ts';
import { drawMessage, requireAi } from '../copilot/may-ask.ts';
import { defineOperation } from '../operation.ts';
import { briefOf } from './brief.ts';

export const askAboutBrief = defineOperation({
  id: 'askAboutBrief',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/brief/chat',
  scope: 'person',
  audits: false,
  tag: 'Agents',
  summary: "Ask about an agent's brief",
  description:
    "The configured model answers from the brief and the agent's own text, with the lines that it builds on, and may propose changes. Nothing changes: send `changes` to `PATCH …/brief` to take them over. Counts as one copilot message.",
  ai: true,
  transaction: false,
  body: briefQuestion,
  refuses: ['copilot_not_configured', 'quota_exceeded', 'budget_exceeded'],
  response: briefAnswer,
  async run({ em, agent, services }, { body }): Promise<BriefAnswerResource> {
    const ai = requireAi(services);
    const { id: agentId, workspaceId } = agent;
    const configuration = await currentConfiguration(em, agentId);
    const lines = configuration === null ? [] : promptLines(configuration);
    const { brief } = await briefOf({ em, agent, services });
    await em.transactional((tx) => drawMessage(tx, workspaceId));
    const question = { workspaceId, agentId, brief: brief ?? EMPTY_BRIEF, lines, message: body.message };
    const asked = await askModel(em, ai, question);
    if ('message' in asked) return { object: 'brief_answer', reply: null, changes: null, sources: [], ...asked };
    const answer = checkBriefAnswer(lines, { ...asked, changes: sendable(asked.changes) });
    const changes = Object.keys(answer.changes).length > 0 ? answer.changes : null;
    return { object: 'brief_answer', ...answer, changes, message: null };
  },
});

/** Parts that are there, where a person could send them as they are. */
function sendable(changes: { [Part in keyof Brief]: Brief[Part] | null }): Partial<Brief> {
  const read = briefChange.safeParse(Object.fromEntries(Object.entries(changes).filter(([, part]) => part !== null)));
  return read.success ? Object.fromEntries(Object.entries(read.data)) : {};
}
