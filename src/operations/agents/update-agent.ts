import { type AgentResource, agent as agentResource } from '../../contract/agent.ts';
import { agentSettings } from '../../contract/agent-settings.ts';
import type { EntityManager } from '../../db/database.ts';
import { readRules } from '../../db/queries/agent-source.ts';
import { orderGraceLook } from '../../db/queries/grace.ts';
import { findReachableAgent } from '../../db/queries/read-agents.ts';
import { updateAgentSettings } from '../../db/queries/write-agents.ts';
import type { PhraseRules } from '../../domain/signals/phrase-rules.ts';
import type { Thresholds } from '../../domain/signals/signal.ts';
import { regroupOrder } from '../../durable/desk.ts';
import { newId } from '../../ids.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { deskOfAgent } from '../orders/desk-of-agent.ts';
import { writeOrder } from '../orders/write-order.ts';
import { reachOf } from '../principal.ts';
import { checkThresholds, codesThatChange } from './check-thresholds.ts';
import { presentAgent } from './present.ts';
import { rereadHistory } from './reread-history.ts';

export const updateAgent = defineOperation({
  id: 'updateAgent',
  surface: 'app',
  method: 'PATCH',
  path: '/app/agents/{agentId}',
  scope: 'person',
  tag: 'Agents',
  summary: 'Change the settings of an agent',
  description:
    'Its name, its grace period, which kind of issue its board shows, thresholds of the detectors, wordings that it must or must never say, and what its tests may cost and when they run by themselves. Other thresholds or wordings have the whole history read again; what is shown changes when that is done.',
  body: agentSettings,
  response: agentResource,
  async run(context, { body }): Promise<AgentResource> {
    const { em, agent, services } = context;
    const { name, graceDays, boardSource, thresholds, phraseRules } = body;
    const { testBudgetUsd, simulatedCallUsd, autoRuns } = body;
    if (Object.keys(body).length === 0) throw new Failure('invalid_body', 'Name at least one setting to change.');
    if (thresholds) checkThresholds(thresholds);
    if (agent.callCount > 0 && (await readsOtherwise(em, agent.id, { thresholds, phraseRules }))) {
      await rereadHistory(em, agent, context.person().personId);
    }
    const ofTests = { testBudgetUsd, simulatedCallUsd, autoRuns };
    await updateAgentSettings(em, agent, { name, graceDays, boardSource, thresholds, phraseRules, ...ofTests });
    if (graceDays !== undefined || boardSource !== undefined) {
      // The dates of open issues move at once; ranks follow with the grouping.
      await orderGraceLook(em, agent.id);
      const desk = deskOfAgent(
        { agentId: agent.id, workspaceId: agent.workspaceId, name: name ?? agent.name, provider: agent.provider },
        services.polling,
      );
      const order = regroupOrder(desk, { messageId: newId(), mode: 'incremental' });
      await writeOrder(em, { order, workspaceId: agent.workspaceId, agentId: agent.id });
    }
    return presentAgent((await findReachableAgent(em, reachOf(context.principal), agent.id)) ?? agent);
  },
});

/** Whether calls would be read otherwise under these settings than under those in force. */
async function readsOtherwise(
  em: EntityManager,
  agentId: string,
  { thresholds, phraseRules }: { thresholds: Thresholds | undefined; phraseRules: PhraseRules | undefined },
): Promise<boolean> {
  const inForce = await readRules(em, agentId);
  if (thresholds && codesThatChange(inForce.thresholds, thresholds).length > 0) return true;
  return phraseRules !== undefined && !isSame(phraseRules, inForce.phraseRules);
}

function isSame(a: PhraseRules, b: PhraseRules): boolean {
  return JSON.stringify([a.required, a.forbidden]) === JSON.stringify([b.required, b.forbidden]);
}
