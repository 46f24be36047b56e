import { sql } from 'kysely';
import type { ToolResultRule } from '../../domain/calls/tool-result-rules.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { RedactionRules } from '../../domain/personal/redact.ts';
import type { Thresholds } from '../../domain/signals/detector-input.ts';
import type { PhraseRules } from '../../domain/signals/phrase-rules.ts';
import type {
  IssueSource,
  ModelReadingMode,
  ModelShare,
  OnboardingStep,
  Platform,
  SetupStatus,
} from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';
import {
  hearsRecordings,
  phraseRules as phraseRulesInForce,
  redaction as redactionInForce,
  toolRules as toolRulesInForce,
} from './agent-source.ts';

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
  /** What the model may do on its calls, and what that may cost; as the table has it where it is left out. */
  modelReading?: ModelReadingMode;
  modelBudgetUsd?: number | null;
}

/** @returns the new agent's id, or null when the workspace has this agent of the platform already. */
export async function insertAgent(em: EntityManager, agent: NewAgent): Promise<string | null> {
  const { workspaceId, connectionId, name, provider, providerAgentId, source } = agent;
  const { setupStatus, onboardingStep, readOnly, modelReading, modelBudgetUsd = null } = agent;
  const state = { setupStatus, onboardingStep, readOnly, modelBudgetUsd, ...(modelReading && { modelReading }) };
  const made = await db(em)
    .insertInto('agents')
    .values({ id: newId(), workspaceId, connectionId, name, provider, providerAgentId, source, ...state })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'provider', 'providerAgentId']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id ?? null;
}

export async function findAgentByProviderId(
  em: EntityManager,
  key: { workspaceId: string; provider: Platform; providerAgentId: string },
): Promise<string | null> {
  const agent = await db(em)
    .selectFrom('agents')
    .where('workspaceId', '=', key.workspaceId)
    .where('provider', '=', key.provider)
    .where('providerAgentId', '=', key.providerAgentId)
    .select('id')
    .executeTakeFirst();
  return agent?.id ?? null;
}

export interface AgentSettings {
  name: string | undefined;
  graceDays: number | undefined;
  boardSource: IssueSource | undefined;
  thresholds: Thresholds | undefined;
  phraseRules: PhraseRules | undefined;
  toolRules?: ToolResultRule[] | undefined;
  redaction?: RedactionRules | undefined;
  hearRecordings?: boolean | undefined;
  /** Null: unlimited. */
  testBudgetUsd?: number | null | undefined;
  /** Null: the usual rate of the platform. */
  simulatedCallUsd?: number | null | undefined;
  autoRuns?: boolean | undefined;
  modelReading?: ModelReadingMode | undefined;
  modelShare?: ModelShare | undefined;
  modelSharePercent?: number | undefined;
  /** Null: unlimited. */
  modelBudgetUsd?: number | null | undefined;
}

/** What is undefined stays as it is. */
export async function updateAgentSettings(
  em: EntityManager,
  agent: { workspaceId: string; id: string },
  set: AgentSettings,
): Promise<void> {
  const { name, graceDays, boardSource, thresholds, phraseRules, toolRules, testBudgetUsd, simulatedCallUsd } = set;
  const { redaction, hearRecordings } = set;
  const { autoRuns, modelReading, modelShare, modelSharePercent, modelBudgetUsd } = set;
  const ofModels = { modelReading, modelShare, modelSharePercent, modelBudgetUsd };
  const documents = { phraseRules, toolRules, redaction, hearRecordings };
  const settings = Object.entries(documents).filter(([, setting]) => setting !== undefined);
  const money = { testBudgetUsd, simulatedCallUsd };
  await db(em)
    .updateTable('agents')
    .where('id', '=', agent.id)
    .where('workspaceId', '=', agent.workspaceId)
    .set({ name, graceDays, boardSource, ...money, ...ofModels, autoRuns, updatedAt: now })
    .set({
      thresholds: thresholds && json(thresholds),
      settings: settings.length === 0 ? undefined : sql<JsonObject>`settings || ${json(Object.fromEntries(settings))}`,
    })
    .execute();
}

/** Everything that `updateAgentSettings` writes, as it is in force. */
export type SettingsInForce = { [Name in keyof AgentSettings]-?: Exclude<AgentSettings[Name], undefined> };

export async function readAgentSettings(em: EntityManager, agentId: string): Promise<SettingsInForce | null> {
  const settings = await db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .select(['name', 'graceDays', 'boardSource', 'thresholds', 'testBudgetUsd', 'simulatedCallUsd', 'autoRuns'])
    .select(['modelReading', 'modelShare', 'modelSharePercent', 'modelBudgetUsd'])
    .select([phraseRulesInForce.as('phraseRules'), toolRulesInForce.as('toolRules')])
    .select([redactionInForce.as('redaction'), hearsRecordings('agents').as('hearRecordings')])
    .executeTakeFirst();
  return settings ?? null;
}

/** An agent whose first import is ordered is on its way. */
export async function markImporting(em: EntityManager, agentId: string): Promise<void> {
  await db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .where('onboardingStep', 'in', ['connect', 'brief'])
    .set({ setupStatus: 'approved', onboardingStep: 'importing', updatedAt: now })
    .execute();
}
