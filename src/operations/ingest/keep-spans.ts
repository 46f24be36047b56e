import type { EntityManager } from '../../db/database.ts';
import { type NewBatch, storeSpans } from '../../db/spans/store-spans.ts';
import { together } from '../../db/together.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { settleEntry } from '../../temporal/settle-spans.ts';

/** A call of an hour has a few thousand spans; a trace that never ends is no call. */
export const OF_TRACE_MAX = { spans: 50_000, bytes: 64 * 1024 * 1024 };
/** What is larger is stored alone, so that what is stored together stays small. */
const TOGETHER_BYTES_MAX = 256 * 1024;

export interface SpansToKeep {
  owner: { workspaceId: string; agentId: string };
  /** Of one request: each trace once. */
  batches: NewBatch[];
}

/**
 * Stores the spans of a request. Who makes calls of them is told only where that is due sooner than it was.
 * @returns those of which nothing was stored, as their trace would hold more than it may
 */
export async function keepSpans(em: EntityManager, request: SpansToKeep): Promise<NewBatch[]> {
  const bytes = request.batches.reduce((sum, { sealed }) => sum + sealed.length, 0);
  if (bytes <= TOGETHER_BYTES_MAX) return keepTogether(em, request);
  return (await keepAll(em, [request])).flat();
}

const keepTogether = together(keepAll);

async function keepAll(em: EntityManager, requests: readonly SpansToKeep[]): Promise<NewBatch[][]> {
  const refused = new Set<NewBatch>();
  await em.transactional(async (within) => {
    for (const ofAgent of Map.groupBy(requests, ({ owner }) => owner.agentId).values()) {
      for (const batch of await keepOfAgent(within, ofAgent)) refused.add(batch);
    }
  });
  return requests.map(({ batches }) => batches.filter((batch) => refused.has(batch)));
}

async function keepOfAgent(em: EntityManager, requests: readonly SpansToKeep[]): Promise<NewBatch[]> {
  const [first] = requests;
  if (!first) return [];
  const { workspaceId, agentId } = first.owner;
  const refused: NewBatch[] = [];
  let isSooner = false;
  for (const round of roundsOf(requests.flatMap(({ batches }) => batches))) {
    const { sooner, full } = await storeSpans(em, { workspaceId, agentId }, round, OF_TRACE_MAX);
    isSooner ||= sooner;
    refused.push(...round.filter(({ traceId }) => full.includes(traceId)));
  }
  if (isSooner) await addToOutbox(em, { entry: settleEntry({ workspaceId, agentId }), workspaceId, agentId });
  return refused;
}

/** A statement changes the row of a trace once: more batches of the same one follow in the next. */
function roundsOf(batches: readonly NewBatch[]): NewBatch[][] {
  const seen = new Map<string, number>();
  const rounds: NewBatch[][] = [];
  for (const batch of batches) {
    const round = seen.get(batch.traceId) ?? 0;
    seen.set(batch.traceId, round + 1);
    (rounds[round] ??= []).push(batch);
  }
  return rounds;
}
