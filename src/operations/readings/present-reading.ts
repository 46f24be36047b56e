import type { ModelReadingResource, ReadingEstimateResource } from '../../contract/model-reading.ts';
import { readAgentSettings } from '../../db/agents/write-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { readBatched } from '../../db/models/model-batches.ts';
import { readPause } from '../../db/models/reader-standing.ts';
import {
  averageCost,
  type ReadingMonth,
  readReadingMonth,
  readReadingProgress,
} from '../../db/models/reading-status.ts';
import { modelLimitedUntil } from '../../db/system/model-accounts.ts';
import { cachedShareOf, usdOfNano } from '../../domain/limits/model-cost.ts';
import { estimateInWords, estimateReading, LEAST_CACHED_TOKENS } from '../../domain/limits/reading-estimate.ts';
import { inABatch, type ReaderModel, readerModelOf } from '../../services/models/reader-model.ts';
import { type ExpectedTokens, expectedTokens } from '../../services/reading/expected-tokens.ts';
import { aiLeft } from '../runs/open-run.ts';
import type { Services } from '../services.ts';

const CALLS_OF_AN_ESTIMATE = 1_000;

/** How the reading of an agent's calls by a model stands: what it may do, what it did and cost, and what it waits for. */
export async function presentReading(
  em: EntityManager,
  services: Pick<Services, 'reader'>,
  agent: { id: string; workspaceId: string },
): Promise<ModelReadingResource> {
  const settings = await readAgentSettings(em, agent.id);
  if (!settings) throw new Error('An agent that was just found is not there.');
  const reader = await readerModelOf(em, services, agent.workspaceId);
  const calls = await readReadingProgress(em, agent.id);
  const month = await readReadingMonth(em, agent.id);
  const expected = reader && (await expectedTokens(em, agent.id));
  const {
    modelReading: mode,
    modelShare: share,
    modelSharePercent: sharePercent,
    modelBudgetUsd: budgetUsd,
  } = settings;
  const isOpen = mode !== 'off' && calls.waiting > 0;
  return {
    object: 'model_reading',
    model: reader && {
      name: reader.model,
      host: reader.account.host,
      priced: reader.price !== undefined,
      own: reader.isOwn,
    },
    mode,
    share,
    sharePercent,
    budgetUsd,
    calls: {
      waiting: calls.waiting,
      read: calls.read + calls.done,
      givenUp: calls.dropped,
      left: calls.left,
    },
    month: presentMonth(month),
    pause: reader && isOpen ? await whyItPauses(em, agent, reader, { budgetUsd, month }) : null,
    notes:
      reader === null ? [] : [...(await notesOnBatches(em, agent.id, reader)), ...notesOn(reader, expected, budgetUsd)],
    estimate: reader && expected && presentEstimate(CALLS_OF_AN_ESTIMATE, expected, reader),
  };
}

export function presentEstimate(
  calls: number,
  { basis, each }: ExpectedTokens,
  { price }: ReaderModel,
): ReadingEstimateResource {
  const estimate = estimateReading(calls, each, price);
  return { ...estimate, basis, text: estimateInWords(estimate) };
}

function presentMonth(month: ReadingMonth | null): ModelReadingResource['month'] {
  const now = new Date();
  const startsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString();
  const { questions = 0, inputTokens = 0, cachedInputTokens = 0, outputTokens = 0, chargedNanoUsd = 0 } = month ?? {};
  return {
    startsAt,
    questions,
    inputTokens,
    cachedInputTokens,
    outputTokens,
    cachedShare: cachedShareOf({ inputTokens, cachedInputTokens }),
    usd: usdOfNano(chargedNanoUsd),
  };
}

/** In the order in which a question meets them: the account, the model's trouble, the workspace's money, the agent's. */
async function whyItPauses(
  em: EntityManager,
  agent: { id: string; workspaceId: string },
  { account, isOwn }: ReaderModel,
  { budgetUsd, month }: { budgetUsd: number | null; month: ReadingMonth | null },
): Promise<ModelReadingResource['pause']> {
  const limitedUntil = await modelLimitedUntil(em, account.id);
  if (limitedUntil !== null) {
    return {
      kind: 'limit',
      reason: `${account.host} is rate limiting questions for now.`,
      since: null,
      until: limitedUntil,
    };
  }
  const pause = await readPause(em, agent.id);
  if (pause) return { kind: pause.trouble, reason: pause.reason, since: pause.since, until: pause.nextTryAt };
  const nextUsd = usdOfNano(await averageCost(em, agent.id));
  const left = isOwn ? null : await aiLeft(em, agent.workspaceId);
  if (left !== null && usdOfNano(left) <= nextUsd) {
    const reason = 'The AI allowance of the workspace is used up.';
    return { kind: 'allowance', reason, since: null, until: null };
  }
  if (budgetUsd === null) return null;
  const usedUsd = usdOfNano(month?.chargedNanoUsd ?? 0);
  if (budgetUsd - usedUsd > nextUsd) return null;
  const now = new Date();
  const until = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
  return { kind: 'budget', reason: `The ${budgetUsd} USD of this month are used up.`, since: null, until };
}

async function notesOnBatches(em: EntityManager, agentId: string, { account }: ReaderModel): Promise<string[]> {
  const batched = await readBatched(em, agentId);
  return batched === null ? [] : [inABatch(batched, account)];
}

function notesOn(reader: ReaderModel, expected: ExpectedTokens | null, budgetUsd: number | null): string[] {
  const notes: string[] = [];
  if (reader.price === undefined) {
    const holds = budgetUsd === null ? '' : `, and the budget of ${budgetUsd} USD can not hold`;
    notes.push(`${reader.model} has no price in EARSHOT_MODEL_PRICES: what it costs is not known${holds}.`);
  }
  if (expected?.same != null && expected.same < LEAST_CACHED_TOKENS) {
    notes.push(
      `What stays the same from call to call has about ${expected.same} tokens: under ${LEAST_CACHED_TOKENS} several providers cache nothing.`,
    );
  }
  return notes;
}
