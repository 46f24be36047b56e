import { sql } from 'kysely';
import type { PhraseRules } from '../../domain/signals/phrase-rules.ts';
import type { Thresholds } from '../../domain/signals/signal.ts';
import type { Platform } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';

/** How an agent's calls are reached and read. The key is still sealed. */
export interface AgentSource {
  agentId: string;
  workspaceId: string;
  name: string;
  provider: Platform;
  providerAgentId: string;
  baseUrl: string | null;
  sealedKey: string | null;
  thresholds: Thresholds;
  /** Wordings that a person has made a rule for this agent. */
  phraseRules: PhraseRules;
}

const source = sql`
  select agents.id as "agentId", agents.workspace_id as "workspaceId", agents.name, provider,
    provider_agent_id as "providerAgentId", base_url as "baseUrl", sealed_key as "sealedKey", thresholds,
    coalesce(settings -> 'phraseRules', '{"required": [], "forbidden": []}') as "phraseRules"
  from agents left join platform_connections on platform_connections.id = agents.connection_id
`;

export async function loadAgentSource(em: EntityManager, agentId: string): Promise<AgentSource | null> {
  const { rows } = await sql<AgentSource>`${source} where agents.id = ${agentId}`.execute(em.getKysely());
  return rows[0] ?? null;
}

/** What the settings of an agent say about reading its calls. */
export async function readRules(
  em: EntityManager,
  agentId: string,
): Promise<Pick<AgentSource, 'thresholds' | 'phraseRules'>> {
  const found = await loadAgentSource(em, agentId);
  return found ?? { thresholds: {}, phraseRules: { required: [], forbidden: [] } };
}

const waits = sql`exists (
  select 1 from calls where agent_id = agents.id and state = 'waiting' and (state <> 'analysed' or reanalyse))`;

/**
 * Agents whose desk must be open: those with a platform to poll that were imported once, those with an open import, and
 * those with calls that wait for their analysis.
 */
export async function agentsWithDesk(
  em: EntityManager,
  workspaceId: string,
  afterId: string | null,
  limit: number,
): Promise<{ agentId: string; workspaceId: string; name: string; provider: Platform; waits: boolean }[]> {
  const { rows } = await sql<AgentSource & { waits: boolean }>`
    select agents.id as "agentId", agents.workspace_id as "workspaceId", agents.name, provider, ${waits} as waits
    from agents
    where agents.workspace_id = ${workspaceId} and (${afterId}::uuid is null or agents.id > ${afterId}::uuid) and ((bookmark_at is not null and provider <> 'file')
      or exists (select 1 from imports where agent_id = agents.id and status in ('queued', 'running', 'paused'))
      or ${waits})
    order by agents.id limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
