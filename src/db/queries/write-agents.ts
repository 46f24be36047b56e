import { sql } from 'kysely';
import type { PhraseRules } from '../../domain/signals/phrase-rules.ts';
import type { Thresholds } from '../../domain/signals/signal.ts';
import type { IssueSource, OnboardingStep, Platform, SetupStatus } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';

export interface NewAgent {
  workspaceId: string;
  connectionId: string | null;
  name: string;
  provider: Platform;
  providerAgentId: string;
  source: string;
  setupStatus: SetupStatus;
  onboardingStep: OnboardingStep;
  readOnly: boolean;
}

/** @returns the new agent's id, or null when the workspace has this agent of the platform already. */
export async function insertAgent(em: EntityManager, agent: NewAgent): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into agents (id, workspace_id, connection_id, name, provider, provider_agent_id, source, setup_status,
      onboarding_step, read_only)
    values (${newId()}, ${agent.workspaceId}, ${agent.connectionId}, ${agent.name}, ${agent.provider},
      ${agent.providerAgentId}, ${agent.source}, ${agent.setupStatus}, ${agent.onboardingStep}, ${agent.readOnly})
    on conflict (workspace_id, provider, provider_agent_id) do nothing returning id
  `.execute(em.getKysely());
  return rows[0]?.id ?? null;
}

export async function findAgentByProviderId(
  em: EntityManager,
  key: { workspaceId: string; provider: Platform; providerAgentId: string },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from agents where workspace_id = ${key.workspaceId} and provider = ${key.provider}
      and provider_agent_id = ${key.providerAgentId}
  `.execute(em.getKysely());
  return rows[0]?.id ?? null;
}

export interface AgentSettings {
  name: string | undefined;
  graceDays: number | undefined;
  boardSource: IssueSource | undefined;
  thresholds: Thresholds | undefined;
  phraseRules: PhraseRules | undefined;
  /** Null: unlimited. */
  testBudgetUsd?: number | null | undefined;
  /** Null: the usual rate of the platform. */
  simulatedCallUsd?: number | null | undefined;
  autoRuns?: boolean | undefined;
}

/** What is undefined stays as it is. */
export async function updateAgentSettings(
  em: EntityManager,
  agent: { workspaceId: string; id: string },
  set: AgentSettings,
): Promise<void> {
  await sql`
    update agents set name = coalesce(${set.name ?? null}, name),
      grace_days = coalesce(${set.graceDays ?? null}::int, grace_days),
      board_source = coalesce(${set.boardSource ?? null}, board_source),
      thresholds = coalesce(${set.thresholds ? JSON.stringify(set.thresholds) : null}::jsonb, thresholds),
      settings = settings || coalesce(${set.phraseRules ? JSON.stringify({ phraseRules: set.phraseRules }) : null}::jsonb, '{}'),
      test_budget_usd = case when ${set.testBudgetUsd === undefined} then test_budget_usd
        else ${set.testBudgetUsd ?? null}::numeric end,
      simulated_call_usd = case when ${set.simulatedCallUsd === undefined} then simulated_call_usd
        else ${set.simulatedCallUsd ?? null}::numeric end,
      auto_runs = coalesce(${set.autoRuns ?? null}::boolean, auto_runs), updated_at = now()
    where id = ${agent.id} and workspace_id = ${agent.workspaceId}
  `.execute(em.getKysely());
}

/** Everything that `updateAgentSettings` writes, as it is in force. */
export type SettingsInForce = { [Name in keyof AgentSettings]-?: Exclude<AgentSettings[Name], undefined> };

export async function readAgentSettings(em: EntityManager, agentId: string): Promise<SettingsInForce | null> {
  const { rows } = await sql<SettingsInForce>`
    select name, grace_days as "graceDays", board_source as "boardSource", thresholds,
      coalesce(settings -> 'phraseRules', '{"required": [], "forbidden": []}') as "phraseRules",
      test_budget_usd::float8 as "testBudgetUsd", simulated_call_usd::float8 as "simulatedCallUsd",
      auto_runs as "autoRuns"
    from agents where id = ${agentId}`.execute(em.getKysely());
  return rows[0] ?? null;
}

/** An agent whose first import is ordered is on its way. */
export async function markImporting(em: EntityManager, agentId: string): Promise<void> {
  await sql`
    update agents set setup_status = 'approved', onboarding_step = 'importing', updated_at = now()
    where id = ${agentId} and onboarding_step in ('connect', 'brief')
  `.execute(em.getKysely());
}
