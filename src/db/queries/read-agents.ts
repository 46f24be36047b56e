import { sql } from 'kysely';
import type { Thresholds } from '../../domain/signals/signal.ts';
import type { IssueSource, OnboardingStep, Platform, SetupStatus } from '../../domain/vocabulary.ts';
import { toIso, toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';

/** An agent as reads see it; times are ISO 8601. */
export interface AgentView {
  id: string;
  workspaceId: string;
  name: string;
  provider: Platform;
  providerAgentId: string;
  source: string;
  currentVersion: number;
  setupStatus: SetupStatus;
  onboardingStep: OnboardingStep;
  readOnly: boolean;
  graceDays: number;
  boardSource: IssueSource;
  thresholds: Thresholds;
  callCount: number;
  openIssueCount: number;
  versionCount: number;
  /** Tests that are not archived. */
  testCount: number;
  newestCallAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** What a caller can see at most: the agents of a workspace and the shared demo agents, or one of them. */
export interface AgentReach {
  workspaceId: string;
  onlyAgentId: string | null;
}

const columns = sql`
  id, workspace_id as "workspaceId", name, provider, provider_agent_id as "providerAgentId", source,
  current_version as "currentVersion", setup_status as "setupStatus", onboarding_step as "onboardingStep",
  read_only as "readOnly", grace_days as "graceDays", board_source as "boardSource", thresholds,
  call_count as "callCount", open_issue_count as "openIssueCount", version_count as "versionCount",
  test_count as "testCount",
  newest_call_at as "newestCallAt", created_at as "createdAt", updated_at as "updatedAt"
`;

const reachable = (reach: AgentReach) => sql`
  (workspace_id = ${reach.workspaceId} or read_only)
  and (${reach.onlyAgentId}::uuid is null or id = ${reach.onlyAgentId}::uuid)
`;

export async function findReachableAgent(
  em: EntityManager,
  reach: AgentReach,
  agentId: string,
): Promise<AgentView | null> {
  const { rows } = await sql<AgentView>`
    select ${columns} from agents where id = ${agentId} and ${reachable(reach)}
  `.execute(em.getKysely());
  const [row] = rows;
  return row ? fromRow(row) : null;
}

/** Newest first; the order never changes. `after` is the last row of the page before. */
export async function listReachableAgents(
  em: EntityManager,
  reach: AgentReach,
  page: { after: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<AgentView[]> {
  const after = page.after
    ? sql`and (created_at, id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<AgentView>`
    select ${columns} from agents where ${reachable(reach)} ${after}
    order by created_at desc, id desc limit ${page.limit + 1}
  `.execute(em.getKysely());
  return rows.map(fromRow);
}

function fromRow(row: AgentView): AgentView {
  return {
    ...row,
    newestCallAt: toIsoOrNull(row.newestCallAt),
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  };
}
