import { WORDS_GONE, withoutWords } from '../../domain/signals/without-words.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { eraseConversations } from '../erasures/erase-copilot.ts';
import { forgetAnswers } from '../erasures/erase-records.ts';
import { RemovedRows } from '../erasures/removed.ts';
import { anyId, given, now } from '../expressions.ts';
import { noteLateCalls } from '../limits/allowance.ts';
import { TAG } from '../search/write-search.ts';

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** Nothing but words, or a reading that is made of them. */
const OF_WORDS = [
  'transcripts',
  'raw_payloads',
  'model_readings',
  'shadow_readings',
  'call_sounds',
  'call_words',
] as const;

/**
 * Removes every word of calls, within a transaction: what was said, what quotes it and what names it. How each call
 * ended, its signals and all sums stay, and the call does not take words again. What people made of it, such as a test,
 * is theirs and goes with the call itself. A few hundred calls at a time.
 */
export async function dropWords(em: EntityManager, owner: Owner, callIds: readonly string[]): Promise<void> {
  const { workspaceId, agentId } = owner;
  await lockAgent(em, agentId);
  for (const table of OF_WORDS) {
    await db(em).deleteFrom(table).where('agentId', '=', agentId).where('callId', '=', anyId(callIds)).execute();
  }
  // Tags are people's own words.
  await db(em)
    .deleteFrom('call_fields')
    .where('agentId', '=', agentId)
    .where('callId', '=', anyId(callIds))
    .where('name', '<>', TAG)
    .execute();
  await emptyAnalyses(em, agentId, callIds);
  await emptyQuotes(em, agentId, callIds);
  const removed = new RemovedRows();
  await eraseConversations(em, agentId, callIds, removed);
  await forgetAnswers(em, workspaceId, callIds, removed);
  await markGone(em, agentId, callIds);
}

async function emptyAnalyses(em: EntityManager, agentId: string, callIds: readonly string[]): Promise<void> {
  const analyses = await db(em)
    .selectFrom('call_analyses')
    .where('agentId', '=', agentId)
    .where('callId', '=', anyId(callIds))
    .select(['callId', 'analysis'])
    .execute();
  const emptied = analyses.map(({ callId, analysis }) => ({ callId, analysis: withoutWords(analysis) }));
  await db(em)
    .updateTable('call_analyses')
    .from(given('call_analyses', emptied))
    .whereRef('call_analyses.callId', '=', 'given.callId')
    .where('call_analyses.callId', '=', anyId(callIds))
    .set((eb) => ({ analysis: eb.ref('given.analysis') }))
    .execute();
}

async function emptyQuotes(em: EntityManager, agentId: string, callIds: readonly string[]): Promise<void> {
  await db(em)
    .updateTable('call_signals')
    .where('agentId', '=', agentId)
    .where('callId', '=', anyId(callIds))
    .set({ quote: '', detail: WORDS_GONE, causeDetail: null })
    .execute();
  await db(em)
    .updateTable('watch_verdicts')
    .where('agentId', '=', agentId)
    .where('callId', '=', anyId(callIds))
    .set({ quote: '', because: WORDS_GONE })
    .execute();
  await db(em)
    .updateTable('watch_samples')
    .where('agentId', '=', agentId)
    .where('callId', '=', anyId(callIds))
    .set({ quote: '' })
    .execute();
  await db(em)
    .updateTable('custom_metric_values')
    .where('agentId', '=', agentId)
    .where('callId', '=', anyId(callIds))
    .set({ quote: '', because: '' })
    .execute();
  await emptyLabels(em, agentId, callIds);
  await db(em)
    .updateTable('signal_labels')
    .where('agentId', '=', agentId)
    .where('callId', '=', anyId(callIds))
    .set({ note: null })
    .execute();
}

/** Labels that may be words of the record itself: all but those of a version that is known to read none. */
async function emptyLabels(em: EntityManager, agentId: string, callIds: readonly string[]): Promise<void> {
  await db(em)
    .updateTable('custom_metric_values as v')
    .where('v.agentId', '=', agentId)
    .where('v.callId', '=', anyId(callIds))
    .where('v.label', 'is not', null)
    .where(({ not, exists, selectFrom }) => {
      const wordless = selectFrom('custom_metric_versions as m')
        .whereRef('m.metricId', '=', 'v.metricId')
        .whereRef('m.version', '=', 'v.version')
        .where(({ and, eb, ref }) => {
          const expression = ref('m.form', '->>').key('expression');
          return and([eb(expression, 'is not', null), eb(expression, 'not like', '%metadata%')]);
        });
      return not(exists(wordless.select('m.version')));
    })
    .set({ label: null, state: 'unknown', because: WORDS_GONE })
    .execute();
}

/** A call that nobody has read by now can't be read any more. */
async function markGone(em: EntityManager, agentId: string, callIds: readonly string[]): Promise<void> {
  const calls = await db(em)
    .selectFrom('calls')
    .where('agentId', '=', agentId)
    .where('id', '=', anyId(callIds))
    .select(['id', 'state'])
    .forNoKeyUpdate()
    .execute();
  await db(em)
    .updateTable('calls')
    .where('agentId', '=', agentId)
    .where('id', '=', anyId(callIds))
    .set((eb) => {
      const isWaiting = eb('state', '=', 'waiting');
      return {
        wordsGone: true,
        redactedNames: null,
        objective: null,
        reanalyse: false,
        state: eb
          .case()
          .when(isWaiting)
          .then('failed' as const)
          .else(eb.ref('state'))
          .end(),
        stateReason: eb.case().when(isWaiting).then<string | null>(WORDS_GONE).else(eb.ref('stateReason')).end(),
        updatedAt: now,
      };
    })
    .execute();
  const waited = calls.flatMap(({ id, state }) => (state === 'waiting' ? [id] : []));
  await noteLateCalls(em, waited, 'failed');
}
