import type { CopilotCardResource, CopilotConversationDetail } from '../src/contract/copilot.ts';
import { chooseAgent } from './choose-agent.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';

/**
 * Does what the copilot proposed, or dismisses it.
 * @param digest of the proposal, as it was shown: whoever decides says what they saw.
 */
export async function decideCard(
  session: Session,
  decision: 'confirm' | 'dismiss',
  { digest, ...options }: { digest: string; agent?: string; conversation: string },
): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const copilot = `/app/agents/${agent.id}/copilot`;
  const conversation = `${copilot}/conversations/${options.conversation}`;
  const { cards } = await client.person<CopilotConversationDetail>('GET', conversation);
  const card = cards.find((one) => one.digest === digest && one.decidedAt === null);
  if (!card) throw new Problem('No proposal with this digest waits in the conversation.', EXIT.failed);
  const body = decision === 'confirm' ? { digest } : {};
  const decided = await client.person<CopilotCardResource>('POST', `${copilot}/cards/${card.id}/${decision}`, body);
  if (json) print.json(decided);
  else print.line(`${decided.state === 'confirmed' ? 'Done' : 'Dismissed'}: ${decided.summary}`);
}
