import { lockAgent } from '../../src/db/agents/lock-agent.ts';
import { loadForAnalysis } from '../../src/db/analysis/load-for-analysis.ts';
import { nameHash } from '../../src/db/calls/store-calls.ts';
import { readRecordWithNames, writeRecordWithoutNames } from '../../src/db/calls/without-names.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { forgetTerms } from '../../src/db/erasures/forget-words.ts';
import { loadOpenReading, markLaid } from '../../src/db/models/model-readings.ts';
import { searchedCall } from '../../src/db/search/write-search.ts';
import { liveWatches } from '../../src/db/watches/live.ts';
import { openNameRedactor } from '../../src/domain/personal/redact.ts';
import { marksOf, readToldNames } from '../../src/domain/personal/told-names.ts';
import { readingWithoutNames } from '../../src/domain/reading/reading-without-names.ts';
import { storeAnalyses } from '../../src/services/analysis/store-analyses.ts';
import type { ActivityDeps } from '../deps.ts';
import { requireSource } from '../shared/agent-platform.ts';
import type { ModelReadingRequest } from './ask-for-reading.ts';

/**
 * Leaves the names that a reader found out of all that is kept of its call: record, payload, its own answers, and what
 * the rules read, which is read anew on the record without names. One transaction, so that nothing is left half; doing it
 * again changes nothing.
 * @returns false where the reading tells no names, because they were not asked for or are left out already.
 */
export async function leaveOutNames(
  deps: ActivityDeps,
  em: EntityManager,
  { workspaceId, agentId, callId }: ModelReadingRequest,
): Promise<boolean> {
  const open = await loadOpenReading(em, agentId, callId);
  const told = open?.reading?.answers.windows.flatMap(({ people }) => people ?? []);
  const isAsked = open?.reading?.answers.windows.some(({ people }) => people !== undefined) ?? false;
  if (told === undefined || !isAsked || open?.reading?.leftOutNames) return false;
  const [item] = await loadForAnalysis(em, agentId, [callId]);
  if (item === undefined) return false;
  const names = readToldNames(item.call, told);
  const redactor = openNameRedactor(names);
  const source = await requireSource(em, agentId);
  const { thresholds, phraseRules, toolRules } = source;
  const watches = await liveWatches(em, agentId);
  const { call } = redactor.call({ call: item.call, payload: null });
  const { configuration, callerHistory } = item;
  const input = { call, configuration, callerHistory, phraseRules, toolRules, agentCosts: null };
  const { analysis, judged } = await deps.analyser.analyseAndJudge(workspaceId, input, thresholds, watches);
  return em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    const now = await loadOpenReading(tx, agentId, callId);
    const record = await readRecordWithNames(tx, deps.vault, { workspaceId, callId });
    // Another record came meanwhile, which is read first.
    if (now?.reading == null || now.payloadDigest !== item.payloadDigest || record === null) return true;
    const hash = nameHash(deps.vault, { workspaceId, agentId, providerCallId: item.call.providerCallId });
    await writeRecordWithoutNames(
      tx,
      deps.vault,
      { workspaceId, callId },
      {
        ...redactor.call(record),
        marks: marksOf(names, hash),
        reading: readingWithoutNames(now.reading, record.call, redactor),
      },
    );
    const { payloadDigest } = item;
    const searched = searchedCall(call);
    const analyses = [{ callId, payloadDigest, analysis, judged: { ...judged, by: watches }, searched }];
    await storeAnalyses(tx, { workspaceId, agentId, analyses });
    if (names.words.size + names.unspaced.length > 0) await forgetTerms(tx, agentId);
    await markLaid(tx, callId);
    return true;
  });
}
