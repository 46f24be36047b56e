import { isJsonObject } from '../../domain/json.ts';
import { idOf, shortText } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { type PlatformAgent, PlatformError } from '../port.ts';
import { agentPage } from './payloads.ts';

const PAGES_AT_MOST = 20;
const AGENTS_OF_A_PAGE = 100;

export async function listElevenLabsAgents(
  client: PlatformClient,
  connection: PlatformConnection,
): Promise<PlatformAgent[]> {
  const agents = new Map<string, PlatformAgent>();
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES_AT_MOST; pages += 1) {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/v1/convai/agents?page_size=${AGENTS_OF_A_PAGE}${after}`;
    const body = await client.send(connection, {
      method: 'GET',
      path,
      doing: 'listing agents',
      items: AGENTS_OF_A_PAGE,
    });
    const page = agentPage.safeParse(body);
    if (!page.success) throw new PlatformError('bad_answer', 'The list of agents did not have the documented shape.');
    for (const entry of page.data.agents) {
      const providerAgentId = isJsonObject(entry) ? idOf(entry.agent_id) : null;
      if (!isJsonObject(entry) || providerAgentId === null) continue;
      agents.set(providerAgentId, { providerAgentId, name: shortText(entry.name) ?? providerAgentId });
    }
    cursor = page.data.has_more === false ? null : page.data.next_cursor;
    if (cursor === null) break;
  }
  return [...agents.values()];
}
