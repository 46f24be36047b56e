import type { EntityManager } from '../../src/db/database.ts';
import { readBatched } from '../../src/db/models/model-batches.ts';
import { readModelPolicy } from '../../src/db/models/model-policy.ts';
import { queueModelReadings } from '../../src/db/models/model-readings.ts';
import { readAiUsage } from '../../src/db/models/model-usage.ts';
import { readReadingStart } from '../../src/db/models/reading-status.ts';
import { readPlan } from '../../src/db/system/plans.ts';
import { usdOfNano } from '../../src/domain/limits/model-cost.ts';
import { allowancesOf } from '../../src/domain/limits/plans.ts';
import { estimateInWords, estimateReading } from '../../src/domain/limits/reading-estimate.ts';
import { inABatch } from '../../src/services/models/reader-model.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { expectedTokens } from '../../src/services/reading/expected-tokens.ts';
import { readerEntry } from '../../src/temporal/model-reader.ts';
import { type ReaderDeps, readerOf } from '../shared/reader-of.ts';

/**
 * Notes that these calls were read by rules and wakes the model reader of the agent. Nothing waits for it. Doing it
 * twice asks nothing twice.
 */
export async function handToModel(
  deps: ReaderDeps,
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
  callIds: string[],
): Promise<void> {
  const { workspaceId, agentId } = owner;
  if (callIds.length === 0) return;
  const asked = await readerOf(deps, em, workspaceId);
  if (asked === null) return;
  if ((await readModelPolicy(em, agentId)).mode === 'off') return;
  await em.transactional(async (tx) => {
    await queueModelReadings(tx, { workspaceId, agentId }, callIds, asked.model.model);
    await addToOutbox(tx, { entry: readerEntry({ workspaceId, agentId }), workspaceId, agentId });
  });
}

/**
 * What whoever wonders about the model's reading should hear, in words: why it pauses; where nothing was read yet, what it
 * reads and may cost. Null where there is nothing to say.
 */
export async function noteOnReading(
  deps: ReaderDeps,
  em: EntityManager,
  { workspaceId, agentId, leavesOutNames }: { workspaceId: string; agentId: string; leavesOutNames: boolean },
): Promise<string | null> {
  const asked = await readerOf(deps, em, workspaceId);
  const byRules = leavesOutNames ? NAMES_BY_RULES : null;
  if (asked === null) return byRules;
  const { model: reader, price, isOwn } = asked;
  const { mode, budgetUsd, isFirst, pause } = await readReadingStart(em, agentId);
  if (mode === 'off') return byRules;
  if (pause) return `The reading by a model pauses: ${pause} It goes on by itself. ${RULES_ARE_COMPLETE}`;
  const batched = deps.models.batches && (await readBatched(em, agentId));
  if (batched) return `${inABatch(batched, reader.account)} ${RULES_ARE_COMPLETE}`;
  const { plan, set } = await readPlan(em, workspaceId, false);
  const { aiAllowanceUsd: limit } = allowancesOf(plan, set);
  if (limit !== null && !isOwn) {
    const used = usdOfNano((await readAiUsage(em, workspaceId)).nanoUsd);
    // What is left covers no question more once it is under a thousandth of a dollar.
    if (used >= limit - 0.001) {
      return `The AI allowance of ${limit} USD over 30 days is used up: the reading by a model waits until older usage leaves the 30 days, or the allowance grows. ${RULES_ARE_COMPLETE}`;
    }
  }
  if (!isFirst) return null;
  const expected = await expectedTokens(em, agentId);
  const about = expected === null ? '' : ` ${estimateInWords(estimateReading(1_000, expected.each, price))}.`;
  if (price === undefined) {
    return `${reader.model} reads the calls after the rules, at a cost that is not known: EARSHOT_MODEL_PRICES has no price for it.${about}`;
  }
  const bound = budgetUsd === null ? 'without a bound' : `for at most ${budgetUsd} USD a month`;
  return `${reader.model} reads the calls after the rules, ${bound}, which the settings of the agent change.${about}`;
}

const NAMES_BY_RULES =
  'Names are left out where rules find them. Those that only a model recognizes stay, because no model reads the calls.';
const RULES_ARE_COMPLETE = 'Everything that rules read is complete.';
