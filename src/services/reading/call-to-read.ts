import { createHash } from 'node:crypto';
import { loadRecords } from '../../db/analysis/load-for-analysis.ts';
import { canonicalJson } from '../../db/convert.ts';
import type { EntityManager } from '../../db/database.ts';
import { type StandingPolicy, trustedCodes } from '../../db/models/model-policy.ts';
import { asAnalysis, standingReadings } from '../../db/reanalyses/shadow-readings.ts';
import { agentText } from '../../domain/reading/agent-text.ts';
import { withoutReading } from '../../domain/reading/merge-reading.ts';
import type { CallToRead } from '../../domain/reading/steps.ts';
import type { KnownNames } from './known-names.ts';

/** A call as a reader is asked about it. */
export interface LoadedCall extends CallToRead {
  payloadDigest: string;
  /** Of the record, the agent's text and what else is asked: equal for the same question. */
  questionDigest: string;
}

/**
 * @param known what readers have named on the agent's calls so far.
 * @returns null where the call is gone, or was never read by the rules.
 */
export async function loadCallToRead(
  em: EntityManager,
  { agentId, callId }: { agentId: string; callId: string },
  policy: StandingPolicy,
  known: KnownNames,
): Promise<LoadedCall | null> {
  const [record] = await loadRecords(em, agentId, [callId]);
  const [standing] = await standingReadings(em, [callId]);
  if (record === undefined || standing === undefined) return null;
  const { call, configuration, payloadDigest, callerKey } = record;
  return {
    call,
    configuration,
    isCallerKnown: callerKey !== null,
    analysis: withoutReading(asAnalysis(standing)),
    payloadDigest,
    knownOthers: known.others,
    trusted: trustedCodes(policy),
    leavesOutNames: policy.leavesOutNames,
    questionDigest: digestOf({ payloadDigest, text: agentText(configuration).lines }),
  };
}

const digestOf = (asked: { payloadDigest: string; text: string[] }) =>
  createHash('sha256').update(canonicalJson(asked)).digest('hex');
