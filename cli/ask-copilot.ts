import { setTimeout as sleep } from 'node:timers/promises';
import type {
  CopilotCardResource,
  CopilotConversationResource,
  CopilotMessageResource,
} from '../src/contract/copilot.ts';
import { PROGRAM } from '../src/layout.ts';
import { chooseAgent } from './choose-agent.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';

/** Times that a broken stream is taken up again. */
const TRIES = 5;

/** Asks the copilot, shows its words as they come, and the pages that they stand on. */
export async function askCopilot(
  session: Session,
  question: string,
  options: { agent?: string; conversation?: string },
): Promise<void> {
  const agent = await chooseAgent(session, options.agent);
  const path = `/app/agents/${agent.id}/copilot/conversations`;
  const id = options.conversation ?? (await session.client.person<CopilotConversationResource>('POST', path)).id;
  const message = await listen(session, { path: `${path}/${id}`, agentId: agent.id }, question);
  if (session.json) session.print.json({ conversationId: id, ...message });
  else printSources(session, message, `--conversation ${id} --agent ${agent.id}`);
  if (message.problem) throw new Problem(message.problem.message, EXIT.failed);
}

/** The last event carries the whole message; until it has come, a stream that ends has broken off. */
async function listen(
  session: Session,
  { path, agentId }: { path: string; agentId: string },
  question: string,
): Promise<CopilotMessageResource> {
  const { client } = session;
  let after: string | undefined;
  let events = await client.events(`${path}/messages`, { body: { text: question } });
  for (let broken = 1; broken <= TRIES; broken += 1) {
    try {
      for await (const event of events) {
        after = event.id;
        const message = tell(session, agentId, event);
        if (message) return message;
      }
    } catch (error) {
      if (error instanceof Problem) throw error;
    }
    await sleep(500 * broken);
    events = await client.events(`${path}/events`, after === undefined ? {} : { after });
  }
  throw new Problem('The answer broke off. It goes on at the server: ask again in a while.', EXIT.notFinished);
}

function tell(
  session: Session,
  agentId: string,
  { event: kind, data }: { event?: string | undefined; data: string },
): CopilotMessageResource | undefined {
  const told = JSON.parse(data) as {
    text?: string;
    tool?: string;
    card?: CopilotCardResource;
    message?: CopilotMessageResource;
  };
  if (!session.json) {
    if (kind === 'text') session.print.words(told.text ?? '');
    if (told.card) showProposal(session, agentId, told.card);
  }
  return told.message;
}

/** All of it: nobody should confirm what they did not see. */
function showProposal({ print }: Session, agentId: string, card: CopilotCardResource): void {
  const { summary, input, digest, conversationId } = card;
  print.note(`Proposed: ${summary}`);
  print.note(`With: ${JSON.stringify(input.body)}`);
  const where = `--conversation ${conversationId} --agent ${agentId}`;
  print.note(`Confirm it (or dismiss it): ${PROGRAM} cards confirm ${digest} ${where}`);
}

function printSources({ print, client }: Session, { citations }: CopilotMessageResource, where: string): void {
  print.line();
  for (const { number, label, href } of citations) print.line(`[^${number}] ${label}: ${client.url}${href}`);
  print.note(`Go on with: ${PROGRAM} ask ${where} "…"`);
}
