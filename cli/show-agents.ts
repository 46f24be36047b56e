import type { AgentResource } from '../src/contract/agent.ts';
import { PROGRAM } from '../src/layout.ts';
import { readList } from './lists.ts';
import type { Session } from './session.ts';

export async function showAgents({ client, print, json }: Session): Promise<void> {
  const agents = await readList<AgentResource>(client, '/v1/agents');
  if (json) return print.json(agents);
  if (agents.length === 0) return print.line(`No agents yet. Import calls: ${PROGRAM} import calls.jsonl`);
  print.table(
    ['Name', 'Platform', 'Calls', 'Open issues', 'Version', 'Id'],
    agents.map((agent) => [
      agent.name,
      agent.provider,
      String(agent.counts.calls),
      String(agent.counts.openIssues),
      String(agent.currentVersion),
      agent.id,
    ]),
    agents.map(({ readOnly }) => [readOnly ? 'shared demo' : '']),
  );
}
