import type { z } from 'zod';
import { type ChangedAgent, changedAgent } from '../../contract/agent.ts';
import { agentSettings } from '../../contract/agent-settings.ts';
import { readRules } from '../../db/agents/agent-source.ts';
import { findReachableAgent } from '../../db/agents/read-agents.ts';
import { updateAgentSettings } from '../../db/agents/write-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { orderGraceLook } from '../../db/issues/grace.ts';
import { readModelPolicy, resetModelCodes } from '../../db/models/model-policy.ts';
import { fitToShare } from '../../db/models/model-readings.ts';
import type { ToolResultRule } from '../../domain/calls/tool-result-rules.ts';
import { keysOf } from '../../domain/keys-of.ts';
import type { PhraseRules } from '../../domain/signals/phrase-rules.ts';
import { newId } from '../../ids.ts';
import { coordinatorOf } from '../../services/agents/coordinator-input.ts';
import { layAnew } from '../../services/analysis/lay-anew.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { regroupEntry } from '../../temporal/agent-coordinator.ts';
import { READER_SIGNALS, readerEntry } from '../../temporal/model-reader.ts';
import { soundReaderEntry } from '../../temporal/sound-reader.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { reachOf } from '../principal.ts';
import { checkThresholds, codesThatChange } from './check-thresholds.ts';
import { presentAgent } from './present.ts';
import { rereadHistory } from './reread-history.ts';
import { changeAgentRetention, presentRetention } from './retention.ts';

export const updateAgent = defineOperation({
  id: 'updateAgent',
  surface: 'app',
  method: 'PATCH',
  path: '/app/agents/{agentId}',
  scope: 'person',
  tag: 'Agents',
  summary: 'Change the settings of an agent',
  description:
    'Its name, its grace period, which kind of issue its board shows, thresholds of the detectors, wordings that it must or must never say, what answers of its tools mean, what its tests may cost and when they run by themselves, what a model may do on its calls, which of them it reads and what that may cost, how long its calls are kept, which personal data is left out of them, and whether their recordings are measured. Other thresholds, wordings or meanings have the whole history read again; what is shown changes when that is done.',
  body: agentSettings,
  response: changedAgent,
  async run(context, { body }): Promise<ChangedAgent> {
    const { em, agent, services } = context;
    const { name, graceDays, boardSource, thresholds, phraseRules, toolRules } = body;
    const { testBudgetUsd, simulatedCallUsd, autoRuns, trustModelAgain, retention, redaction, hearRecordings } = body;
    const { modelReading, modelShare, modelSharePercent, modelBudgetUsd } = body;
    refuseToMembers(context, body);
    if (Object.keys(body).length === 0) throw new Failure('invalid_body', 'Name at least one setting to change.');
    if (thresholds) checkThresholds(thresholds);
    if (agent.callCount > 0 && (await readsOtherwise(em, agent.id, { thresholds, phraseRules, toolRules }))) {
      await rereadHistory(em, agent, context.person().personId);
    }
    const ofTests = { testBudgetUsd, simulatedCallUsd, autoRuns };
    const asWas = await readModelPolicy(em, agent.id);
    await updateAgentSettings(em, agent, {
      name,
      graceDays,
      boardSource,
      thresholds,
      phraseRules,
      toolRules,
      redaction,
      hearRecordings,
      modelReading,
      modelShare,
      modelSharePercent,
      modelBudgetUsd,
      ...ofTests,
    });
    if (hearRecordings === true) {
      const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
      await addToOutbox(em, { entry: soundReaderEntry(owner), ...owner });
    }
    if (trustModelAgain) await resetModelCodes(em, agent.id, trustModelAgain);
    await layAnew(em, agent, asWas);
    if (modelShare !== undefined || modelSharePercent !== undefined) await fitToShare(em, agent.id);
    if ([modelShare, modelSharePercent, modelBudgetUsd].some((setting) => setting !== undefined)) {
      // Calls that wait for more money, or were left so far, may be read now.
      const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
      await addToOutbox(em, { entry: readerEntry(owner, READER_SIGNALS.tryNow), ...owner });
    }
    if (graceDays !== undefined || boardSource !== undefined) {
      // The dates of open issues move at once; ranks follow with the grouping.
      await orderGraceLook(em, agent.id);
      const coordinator = coordinatorOf(
        { agentId: agent.id, workspaceId: agent.workspaceId, name: name ?? agent.name, provider: agent.provider },
        services.polling,
      );
      const entry = regroupEntry(coordinator, { messageId: newId(), mode: 'incremental' });
      await addToOutbox(em, { entry, workspaceId: agent.workspaceId, agentId: agent.id });
    }
    if (retention) await changeAgentRetention(em, agent, retention);
    const changed = (await findReachableAgent(em, reachOf(context.principal), agent.id)) ?? agent;
    return { ...presentAgent(changed), ...(await presentRetention(em, agent)) };
  },
});

const FOR_ADMINS = {
  testBudgetUsd: 'what tests may cost',
  simulatedCallUsd: 'what tests may cost',
  modelBudgetUsd: 'what reading by a model may cost',
  retention: 'how long calls are kept',
  redaction: 'which personal data is stored',
  hearRecordings: 'whether recordings are read',
} as const;

function refuseToMembers(context: Context, body: z.infer<typeof agentSettings>): void {
  if (context.person().role === 'admin') return;
  for (const name of keysOf(FOR_ADMINS)) {
    if (body[name] === undefined) continue;
    throw new Failure('admin_only', `Only an admin of this workspace says ${FOR_ADMINS[name]}.`, { param: name });
  }
}

/** Whether calls would be read otherwise under these settings than under those in force. */
async function readsOtherwise(
  em: EntityManager,
  agentId: string,
  {
    thresholds,
    phraseRules,
    toolRules,
  }: Pick<z.infer<typeof agentSettings>, 'thresholds' | 'phraseRules' | 'toolRules'>,
): Promise<boolean> {
  const inForce = await readRules(em, agentId);
  if (thresholds && codesThatChange(inForce.thresholds, thresholds).length > 0) return true;
  if (toolRules && toolRulesText(toolRules) !== toolRulesText(inForce.toolRules)) return true;
  return phraseRules !== undefined && !isSame(phraseRules, inForce.phraseRules);
}

export const toolRulesText = (rules: readonly ToolResultRule[]) =>
  JSON.stringify(rules.map(({ tool, means, field, values }) => [tool, means, field, values]));

function isSame(a: PhraseRules, b: PhraseRules): boolean {
  return JSON.stringify([a.required, a.forbidden]) === JSON.stringify([b.required, b.forbidden]);
}
