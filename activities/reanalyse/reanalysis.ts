import { ApplicationFailure } from '@temporalio/activity';
import { AnalysisFailed } from '../../src/analyser/analyser.ts';
import { updateAgentSettings } from '../../src/db/agents/write-agents.ts';
import { loadForAnalysis } from '../../src/db/analysis/load-for-analysis.ts';
import { canonicalJson, storable } from '../../src/db/convert.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { readAgentCosts } from '../../src/db/metrics/agent-costs.ts';
import { keptReadings, policyOf, readModelPolicy } from '../../src/db/models/model-policy.ts';
import {
  dropShadows,
  loadReanalysis,
  moveReanalysis,
  type ReanalysisView,
  storeReport,
} from '../../src/db/reanalyses/reanalyses.ts';
import {
  asAnalysis,
  nextShadows,
  nextStandingReadings,
  readChanges,
  type ShadowToStore,
  type StandingReading,
  settleShadows,
  storeShadows,
} from '../../src/db/reanalyses/shadow-readings.ts';
import { judgeStored, liveWatches } from '../../src/db/watches/live.ts';
import { withoutReading, withReading } from '../../src/domain/reading/merge-reading.ts';
import { ANALYSER_VERSION } from '../../src/domain/signals/analyser-version.ts';
import type { CallAnalysis } from '../../src/domain/signals/call-analysis.ts';
import type { DetectorInput, Thresholds } from '../../src/domain/signals/detector-input.ts';
import { comparedReading } from '../../src/domain/signals/reanalysis-report.ts';
import { enoughCosts } from '../../src/domain/signals/renew-cost.ts';
import { storeAnalyses } from '../../src/services/analysis/store-analyses.ts';
import { previewBoard } from '../../src/services/reanalyses/preview-board.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import type { ActivityDeps } from '../deps.ts';
import { requireSource } from '../shared/agent-platform.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

export interface ReanalysisRequest {
  workspaceId: string;
  agentId: string;
  reanalysisId: string;
}

export interface WindowRead {
  total: number;
  done: number;
  failed: number;
  /** Nothing is left to read. */
  over: boolean;
  /** Somebody discarded it. */
  stopped: boolean;
}

export interface WindowApplied {
  applied: number;
  over: boolean;
}

/** Calls of one window: one activity, one transaction. */
const WINDOW = 100;
/** The preview holds up imports of the agent, by about a second a thousand calls. */
const PREVIEWED_AT_MOST = 10_000;

/** Every step takes up from what the record says, so that an attempt which comes twice, or after a crash, adds nothing. */
export function createReanalysis(deps: ActivityDeps) {
  const { database } = deps;
  return {
    /** Reads the next window of calls again and keeps the readings apart. */
    async readWindowAgain({ workspaceId, agentId, reanalysisId }: ReanalysisRequest): Promise<WindowRead> {
      const em = database.within(workspaceId);
      await moveReanalysis(em, reanalysisId, ['queued'], 'reading');
      const of = await requireReanalysis(em, reanalysisId);
      if (of.status !== 'reading') return { ...figuresOf(of), over: false, stopped: true };
      return withHeartbeat(
        () => ({ done: of.done }),
        async () => {
          const standing = await nextStandingReadings(em, of, WINDOW);
          const lastCallId = standing.at(-1)?.callId;
          if (lastCallId === undefined) return { ...figuresOf(of), over: true, stopped: false };
          const { thresholds: inForce, phraseRules, toolRules } = await requireSource(em, agentId);
          const thresholds = of.thresholds ?? inForce;
          const ids = standing.map(({ callId }) => callId);
          const agentCosts = enoughCosts(await readAgentCosts(em, agentId), thresholds)?.costs ?? null;
          const calls = new Map((await loadForAnalysis(em, agentId, ids)).map((item) => [item.callId, item]));
          const kept = await keptReadings(em, ids);
          const policy = policyOf(await readModelPolicy(em, agentId));
          const read = await Promise.all(
            standing.map(async (reading) => {
              const item = calls.get(reading.callId);
              const input = item && { ...item, phraseRules, toolRules, agentCosts };
              const found = input && (await analyseOrNull(deps, workspaceId, input, thresholds));
              const model = kept.get(reading.callId);
              const isOfRecord = model !== undefined && model.payloadDigest === found?.payloadDigest;
              return found
                ? shadowOf(reading, found, (rules) => withReading(rules, isOfRecord ? model.reading : null, policy))
                : null;
            }),
          );
          const shadows = read.filter((shadow) => shadow !== null);
          const failed = standing.length - shadows.length;
          const now = await storeShadows(em, of, { shadows, failed, lastCallId });
          const figures = now ?? figuresOf(await requireReanalysis(em, reanalysisId));
          return { ...figures, over: standing.length < WINDOW, stopped: false };
        },
      );
    },

    /** Says what switching on would change. */
    async reportReanalysis({ workspaceId, agentId, reanalysisId }: ReanalysisRequest): Promise<{ applies: boolean }> {
      const em = database.within(workspaceId);
      return withHeartbeat(
        () => null,
        async () => {
          const of = await requireReanalysis(em, reanalysisId);
          if (of.status !== 'reading') return { applies: of.status === 'applying' };
          const { codes, outcomes, changed, unchanged } = await readChanges(em, reanalysisId);
          const isSmall = changed <= PREVIEWED_AT_MOST;
          await storeReport(em, reanalysisId, {
            calls: { read: of.done - of.failed, failed: of.failed, changed, unchanged },
            codes,
            outcomes,
            board: isSmall ? await previewBoard(em, { id: reanalysisId, workspaceId, agentId }) : null,
            boardNote: isSmall
              ? null
              : `More than ${PREVIEWED_AT_MOST} calls would change, so the board was not worked out beforehand.`,
          });
          const applies = of.appliesItself && (await moveReanalysis(em, reanalysisId, ['reported'], 'applying'));
          return { applies };
        },
      );
    },

    /** Puts the next window of new readings in the place of the old ones. */
    async applyWindow({ workspaceId, agentId, reanalysisId }: ReanalysisRequest): Promise<WindowApplied> {
      const em = database.within(workspaceId);
      const of = await requireReanalysis(em, reanalysisId);
      if (of.status !== 'applying') return { applied: of.applied, over: true };
      return withHeartbeat(
        () => ({ applied: of.applied }),
        async () => {
          if (of.thresholds) {
            const others = { name: undefined, graceDays: undefined, boardSource: undefined, phraseRules: undefined };
            await updateAgentSettings(em, { workspaceId, id: agentId }, { ...others, thresholds: of.thresholds });
          }
          const shadows = await nextShadows(em, reanalysisId, null, WINDOW, false);
          const by = await liveWatches(em, agentId);
          const ids = shadows.map(({ callId }) => callId);
          const judged = await judgeStored(em, agentId, ids, by);
          const analyses = shadows.flatMap(({ analysis, ...shadow }) => {
            const found = judged.get(shadow.callId);
            return analysis ? [{ ...shadow, analysis, ...(found && { judged: { ...found, by } }) }] : [];
          });
          await storeAnalyses(em, { workspaceId, agentId, analyses });
          await settleShadows(em, of, shadows);
          return { applied: of.applied + shadows.length, over: shadows.length < WINDOW };
        },
      );
    },

    /** Nothing of a discarded re-analysis is kept but that it was. */
    async dropReanalysis({ workspaceId, reanalysisId }: ReanalysisRequest): Promise<void> {
      await dropShadows(database.within(workspaceId), reanalysisId);
    },
  };
}

async function requireReanalysis(em: EntityManager, id: string): Promise<ReanalysisView> {
  const of = await loadReanalysis(em, id);
  if (of === null) throw finalFailure('The re-analysis was deleted.');
  if (of.analyserVersion > ANALYSER_VERSION) {
    // During a deploy: a worker of the version before took it, and one of the new version will.
    throw ApplicationFailure.create({
      type: FAILURE_TYPES.databaseAway,
      message: 'This worker is older than the re-analysis; another takes it.',
    });
  }
  if (of.analyserVersion < ANALYSER_VERSION) {
    throw finalFailure('Another version of the analysis was installed meanwhile. Start a new re-analysis.');
  }
  return of;
}

const finalFailure = (message: string) =>
  ApplicationFailure.create({ type: FAILURE_TYPES.platformRefuses, message, nonRetryable: true });

const figuresOf = ({ total, done, failed }: ReanalysisView) => ({ total, done, failed });

type CallToRead = Awaited<ReturnType<typeof loadForAnalysis>>[number];

/** A call that can't be read this way keeps the reading that it has. */
async function analyseOrNull(
  { analyser }: ActivityDeps,
  workspaceId: string,
  { payloadDigest, callId: _, ...input }: CallToRead & Pick<DetectorInput, 'phraseRules' | 'toolRules' | 'agentCosts'>,
  thresholds: Thresholds,
): Promise<{ analysis: CallAnalysis; payloadDigest: string } | null> {
  try {
    return { analysis: await analyser.analyse(workspaceId, input, thresholds), payloadDigest };
  } catch (error) {
    if (error instanceof AnalysisFailed) return null;
    throw error;
  }
}

/** What rules say is kept apart; what is told of it is what would show, with what a model adds. */
function shadowOf(
  standing: StandingReading,
  read: { analysis: CallAnalysis; payloadDigest: string },
  shown: (rules: CallAnalysis) => CallAnalysis,
): ShadowToStore {
  const analysis = storable(read.analysis);
  const after = shown(analysis);
  return {
    callId: standing.callId,
    payloadDigest: read.payloadDigest,
    codesBefore: codesOf(standing.signals),
    codesAfter: codesOf(after.signals),
    outcomeBefore: standing.document.outcome,
    outcomeAfter: after.outcome,
    analysis: isSame(standing, analysis) ? null : analysis,
  };
}

const codesOf = (signals: readonly { code: string }[]) => [...new Set(signals.map(({ code }) => code))].sort();

/** By what the rules say: what a model adds follows from that. */
function isSame(standing: StandingReading, analysis: CallAnalysis): boolean {
  const rules = withoutReading(asAnalysis(standing));
  const { places: placesAfter, ...after } = comparedReading(analysis);
  const { places: _, ...before } = comparedReading({ ...rules, visits: [] });
  const placesBefore = standing.places.map(({ kind, id }) => ({ kind, id }));
  return (
    canonicalJson(before) === canonicalJson(after) &&
    canonicalJson(placesBefore.map((place) => canonicalJson(place)).sort()) ===
      canonicalJson(placesAfter.map((place) => canonicalJson(place)).sort())
  );
}
