import { loadRecords } from '../../db/analysis/load-for-analysis.ts';
import { newestReadableCalls } from '../../db/analysis/readable-calls.ts';
import type { EntityManager } from '../../db/database.ts';
import { readModelPolicy, trustedCodes } from '../../db/models/model-policy.ts';
import { averageOfReadings } from '../../db/models/reading-status.ts';
import { asAnalysis, standingReadings } from '../../db/reanalyses/shadow-readings.ts';
import { expectedOfACall, type TokensOfACall, tokensIn } from '../../domain/limits/reading-estimate.ts';
import { withoutReading } from '../../domain/reading/merge-reading.ts';

/** What is known of what reading a call of an agent takes. */
export interface ExpectedTokens {
  /** `measured`: on calls that were read. `sampled`: from the questions that would be asked about some of them. */
  basis: 'measured' | 'sampled';
  each: TokensOfACall;
  /** What stays the same from call to call, in tokens; null where it was not looked at. */
  same: number | null;
}

const SAMPLES = 20;
/** As it is stored: a larger call is no sample, and takes long to lay out. */
const SAMPLE_AT_MOST_BYTES = 60_000;
/** An answer with its evidence and no thinking; a second look, where there is one, comes on top. */
const OUTPUT_TOKENS = 600;

/** @returns null where no call of the agent was analysed yet. */
export async function expectedTokens(em: EntityManager, agentId: string): Promise<ExpectedTokens | null> {
  const measured = await averageOfReadings(em, agentId);
  if (measured) return { basis: 'measured', each: measured, same: null };
  const before = sampled.get(agentId);
  if (before && Date.now() - before.atMs < SAMPLE_FRESH_MS) return before.expected;
  const callIds = await newestReadableCalls(em, agentId, { limit: SAMPLES, bytesAtMost: SAMPLE_AT_MOST_BYTES });
  if (callIds.length === 0) return null;
  const questions = await questionsAbout(em, agentId, callIds);
  if (questions.length === 0) return null;
  const same = Math.max(...questions.map(({ same: tokens }) => tokens));
  const own = questions.reduce((sum, question) => sum + question.own, 0) / callIds.length;
  const many = questions.length / callIds.length;
  const first = expectedOfACall({ same, own: own / many, output: OUTPUT_TOKENS });
  const expected: ExpectedTokens = {
    basis: 'sampled',
    same,
    each: {
      inputTokens: first.inputTokens * many,
      cachedInputTokens: first.cachedInputTokens * many,
      outputTokens: first.outputTokens * many,
    },
  };
  if (callIds.length === SAMPLES) keepSampled(agentId, expected);
  return expected;
}

/** Laying out questions takes long beside a batch of an import, and each batch asks what reading may cost. */
const SAMPLE_FRESH_MS = 600_000;
const SAMPLED_AT_MOST = 1_000;
const sampled = new Map<string, { atMs: number; expected: ExpectedTokens }>();

function keepSampled(agentId: string, expected: ExpectedTokens): void {
  const [oldest] = sampled.keys();
  if (sampled.size >= SAMPLED_AT_MOST && oldest !== undefined) sampled.delete(oldest);
  sampled.delete(agentId);
  sampled.set(agentId, { atMs: Date.now(), expected });
}

/** The first questions about these calls, by their tokens. */
async function questionsAbout(em: EntityManager, agentId: string, callIds: string[]) {
  // What lays out a question knows the words of the rules, which an API does without until somebody asks for an estimate.
  const { windowsOf } = await import('../../domain/reading/steps.ts');
  const { readingRequest } = await import('../../models/reading-question.ts');
  const { loadKnownNames } = await import('./known-names.ts');
  const records = new Map((await loadRecords(em, agentId, callIds)).map((record) => [record.callId, record]));
  const known = await loadKnownNames(em, agentId);
  const trusted = trustedCodes(await readModelPolicy(em, agentId));
  return (await standingReadings(em, callIds)).flatMap((standing) => {
    const record = records.get(standing.callId);
    if (record === undefined) return [];
    const { call, configuration, callerKey } = record;
    const isCallerKnown = callerKey !== null;
    const analysis = withoutReading(asAnalysis(standing));
    const windows = windowsOf({ call, configuration, isCallerKnown, analysis, knownOthers: known.others, trusted });
    return windows.map((window, nth) => {
      const agent = { configuration, intents: known.intents, knownOthers: known.others, expectations: [] };
      const { instructions, context, material } = readingRequest({ kind: 'window', nth, window }, agent);
      return { same: tokensIn(instructions) + tokensIn(context ?? ''), own: tokensIn(material) };
    });
  });
}
