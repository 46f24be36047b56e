import type { EntityManager } from '../../db/database.ts';
import { dropUnused, forgetTerms } from '../../db/erasures/forget-words.ts';
import { RemovedRows } from '../../db/erasures/removed.ts';
import { dropWords } from '../../db/retention/drop-words.ts';
import { dropPayloads, dueCalls } from '../../db/retention/due.ts';
import { payloadDaysOf, type Retention } from '../../domain/retention/retention.ts';
import { type ErasingKnowledge, eraseCalls } from '../erasures/erase-calls.ts';
import { recomputeIssues } from '../issues/recompute-issues.ts';

/** Calls of one transaction, which holds the agent's lock. */
const CALLS_AT_ONCE = 100;
const PAYLOADS_AT_ONCE = 500;
/** Of each kind in one go, so that where it stands is known now and then. */
const BATCHES = 10;

/** What one go took away: payloads, calls whose words went, whole calls. */
export interface Dropped {
  payloads: number;
  transcripts: number;
  calls: number;
}

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** Removes what an agent keeps no longer, in batches that each stand for themselves. `more`: something is left. */
export async function dropDue(
  em: EntityManager,
  knows: ErasingKnowledge,
  owner: Owner,
  retention: Retention,
): Promise<Dropped & { more: boolean }> {
  const { agentId } = owner;
  const calls = await inBatches(retention.callDays, CALLS_AT_ONCE, (days, limit) =>
    em.transactional(async (tx) => {
      const due = await dueCalls(tx, agentId, { days, limit, words: false });
      if (due.length > 0) await eraseCalls(tx, knows, owner, due);
      return due.length;
    }),
  );
  const transcripts = await inBatches(retention.transcriptDays, CALLS_AT_ONCE, (days, limit) =>
    em.transactional(async (tx) => {
      const due = await dueCalls(tx, agentId, { days, limit, words: true });
      if (due.length > 0) await dropWords(tx, owner, due);
      return due.length;
    }),
  );
  const payloads = await inBatches(payloadDaysOf(retention), PAYLOADS_AT_ONCE, (days, limit) =>
    em.transactional((tx) => dropPayloads(tx, agentId, { days, limit })),
  );
  if (calls.many + transcripts.many > 0) await settle(em, agentId, calls.many > 0);
  return {
    payloads: payloads.many,
    transcripts: transcripts.many,
    calls: calls.many,
    more: calls.more || transcripts.more || payloads.more,
  };
}

async function inBatches(
  days: number | null,
  limit: number,
  drop: (days: number, limit: number) => Promise<number>,
): Promise<{ many: number; more: boolean }> {
  let many = 0;
  if (days === null) return { many, more: false };
  for (let batches = 0; batches < BATCHES; batches += 1) {
    const dropped = await drop(days, limit);
    many += dropped;
    if (dropped < limit) return { many, more: false };
  }
  return { many, more: true };
}

/** Words that calls shared go with the last call that says them, and issues follow what is left. */
async function settle(em: EntityManager, agentId: string, lostCalls: boolean): Promise<void> {
  await forgetTerms(em, agentId);
  if (!lostCalls) return;
  await dropUnused(em, agentId, new RemovedRows());
  await recomputeIssues(em, agentId, 'incremental');
}
