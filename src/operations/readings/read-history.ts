import type { z } from 'zod';
import { historyToRead, modelReading, plannedReading } from '../../contract/model-reading.ts';
import { readAgentSettings } from '../../db/agents/write-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { countHistory, type HistoryToRead, queueHistory } from '../../db/models/model-readings.ts';
import { readReadingMonth } from '../../db/models/reading-status.ts';
import { usdOfNano } from '../../domain/limits/model-cost.ts';
import { type ReaderModel, readerModelOf } from '../../services/models/reader-model.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { expectedTokens } from '../../services/reading/expected-tokens.ts';
import { readerEntry } from '../../temporal/model-reader.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import type { Services } from '../services.ts';
import { presentEstimate, presentReading } from './present-reading.ts';

const NEWEST = 1_000;

export const previewHistory = defineOperation({
  id: 'previewHistoryReading',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/model-reading/history/preview',
  scope: 'person',
  tag: 'Agents',
  summary: 'What reading earlier calls by a model would cost',
  description: 'How many calls are meant, and about what reading them takes and costs. Nothing is asked or ordered.',
  body: historyToRead,
  response: plannedReading,
  refuses: ['reading_not_configured'],
  async run({ em, agent, services }, { body }) {
    const reader = await requireReader(em, services, agent.workspaceId);
    const calls = await countHistory(em, agent.id, selectionOf(body));
    const expected = await expectedTokens(em, agent.id);
    const budgetUsd = (await readAgentSettings(em, agent.id))?.modelBudgetUsd ?? null;
    const usedUsd = usdOfNano((await readReadingMonth(em, agent.id))?.chargedNanoUsd ?? 0);
    return {
      object: 'planned_reading' as const,
      calls,
      estimate: expected && presentEstimate(calls, expected, reader),
      leftUsd: budgetUsd === null ? null : Math.max(0, budgetUsd - usedUsd),
    };
  },
});

export const readHistory = defineOperation({
  id: 'readHistory',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/model-reading/history',
  scope: 'person',
  tag: 'Agents',
  summary: 'Have earlier calls read by a model',
  description:
    'Calls that no model has read, the newest first, also outside of the share that is read otherwise; within the budget of the agent. See the preview for what it costs. Doing it twice orders nothing twice.',
  body: historyToRead,
  response: modelReading,
  refuses: ['reading_not_configured'],
  async run({ em, agent, services }, { body }) {
    const { model } = await requireReader(em, services, agent.workspaceId);
    const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
    if ((await readAgentSettings(em, agent.id))?.modelReading === 'off') {
      throw new Failure(
        'reading_not_configured',
        'A model may do nothing on the calls of this agent: set modelReading.',
      );
    }
    await queueHistory(em, owner, selectionOf(body), model);
    await addToOutbox(em, { entry: readerEntry(owner), ...owner });
    return presentReading(em, services, agent);
  },
});

const selectionOf = ({ from, to, newest = NEWEST }: z.infer<typeof historyToRead>): HistoryToRead => ({
  from: from ?? null,
  to: to ?? null,
  newest,
});

async function requireReader(em: EntityManager, services: Services, workspaceId: string): Promise<ReaderModel> {
  const reader = await readerModelOf(em, services, workspaceId);
  if (reader !== null) return reader;
  const how =
    'set EARSHOT_MODEL_URL and EARSHOT_MODEL, or ANTHROPIC_API_KEY, and start the server and its workers again';
  throw new Failure('reading_not_configured', `No model is configured: ${how}.`);
}
