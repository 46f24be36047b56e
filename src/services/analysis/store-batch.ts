import { createHash } from 'node:crypto';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import { loadContext, type StandingCall } from '../../db/analysis/analysis-context.ts';
import { insertMissingReferences } from '../../db/analysis/insert-missing-references.ts';
import { type AnalysedCall, writeReadings } from '../../db/analysis/write-readings.ts';
import { recountCallers } from '../../db/calls/recount-callers.ts';
import { canonicalJson, storable } from '../../db/convert.ts';
import { storeMetrics } from '../../db/custom-metrics/compute.ts';
import type { EntityManager } from '../../db/database.ts';
import { writeRollups } from '../../db/evidence/write-rollups.ts';
import { type AssignIntents, nameIntents } from '../../db/intents/name-intents.ts';
import { drawCalls } from '../../db/limits/allowance.ts';
import { dropEmptySums, tallyCalls } from '../../db/metrics/tally-calls.ts';
import { type SearchedCall, writeSearch } from '../../db/search/write-search.ts';
import { type JudgedWhileRead, storeJudged } from '../../db/watches/live.ts';
import { createLedger } from '../../domain/issues/ledger.ts';
import { readSteps } from '../../domain/issues/outcome-step.ts';
import type { GroupedSignal } from '../../domain/issues/signals-to-issues.ts';
import type { ReadVerdict } from '../../domain/reading/expected-of-watches.ts';
import type { CallAnalysis } from '../../domain/signals/call-analysis.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import { mayLeadIn } from '../../domain/signals/may-lead.ts';
import { isNobodysFailure } from '../../domain/signals/nobodys-failure.ts';
import type { Place, Signal } from '../../domain/signals/signal.ts';
import { type EndedCall, evidenceOfReading, standingEvidence } from './standing-evidence.ts';

export interface AnalysisToStore {
  callId: string;
  analysis: CallAnalysis;
  /** As `loadForAnalysis` gave it: when the record has changed since, this analysis is left out and the call stays waiting. */
  payloadDigest?: string;
  /** What live watches said of the call while it was read; left out where it was not read again. */
  judged?: JudgedWhileRead;
  /** What a model that read the same record said of watches; laid with what it found. */
  read?: readonly ReadVerdict[];
  /** What the record is found by; left out where it was not read again. */
  searched?: SearchedCall;
}

export interface AnalysesToStore {
  workspaceId: string;
  agentId: string;
  analyses: AnalysisToStore[];
}

/** What the analysis knows that storing needs: passed in, so that tests bring their own. */
export interface AnalysisKnowledge {
  catalogue: ReadonlyMap<string, CatalogueEntry>;
  assignIntents: AssignIntents;
  /** Lays beside the readings by rules what else is known of the calls; left out: nothing. */
  lay?(em: EntityManager, agentId: string, analyses: readonly AnalysisToStore[]): Promise<AnalysisToStore[]>;
}

/**
 * Stores the readings of at most a few hundred calls in one transaction: calls, signals, links and every sum that the
 * grouping reads, by difference to the reading that the calls had before. Storing the same batch again changes nothing.
 * First readings draw from the plan's allowance; those that it does not cover are left out, and their calls stay waiting.
 */
export async function storeBatch(em: EntityManager, knows: AnalysisKnowledge, input: AnalysesToStore): Promise<void> {
  if (input.analyses.length === 0) return;
  const mayLead = mayLeadIn(knows.catalogue);
  await em.transactional(async (tx) => {
    await lockAgent(tx, input.agentId);
    const laid = knows.lay ? await knows.lay(tx, input.agentId, input.analyses) : input.analyses;
    const analyses = new Map(laid.map((item) => [item.callId, prepare(item, knows.catalogue)]));
    const prepared = [...analyses.values()];
    const context = await loadContext(tx, input.agentId, {
      callIds: [...analyses.keys()],
      groups: prepared.flatMap((item) => item.analysis.signals),
      profileDigests: [...new Set(prepared.map((item) => item.profileDigest))],
      visitSetDigests: [...new Set(prepared.map((item) => item.visitSetDigest))],
      endSteps: prepared.flatMap(({ endStep }) => (endStep ? [{ kind: endStep.kind, id: endStep.id }] : [])),
    });
    const readable = context.calls.flatMap((standing) => {
      const item = analyses.get(standing.id);
      const outdated = item?.payloadDigest !== undefined && item.payloadDigest !== standing.payloadDigest;
      // Read while its words were still there.
      return item && !outdated && !standing.wordsGone ? [{ ...item, standing }] : [];
    });
    const isFirst = ({ standing }: { standing: StandingCall }) => standing.state !== 'analysed';
    const idsOfFirst = (items: typeof readable) => items.filter(isFirst).map(({ callId }) => callId);
    const draw = await drawCalls(tx, input, idsOfFirst(readable));
    const batch = readable.filter(({ callId }) => !draw.over.has(callId));
    if (batch.length === 0) return;

    const named = nameIntents(context.intents, batch, knows.assignIntents);
    const names = await insertMissingReferences(tx, input, { context, batch, intents: named.changed });
    const ledger = createLedger();
    const calls = batch.map((item): AnalysedCall => {
      const { standing, analysis } = item;
      const profileId = names.profiles.get(item.profileDigest) ?? '';
      const visitSetId = names.visitSets.get(item.visitSetDigest) ?? '';
      const signals = analysis.signals.map(asGrouped);
      const step = stepAfter(item, signals);
      const evidence = evidenceOfReading({ step, endedBadly: item.endedBadly }, signals, names, mayLead);
      const facts = {
        ...factsAfter(item, standing, item.endedBadly, named.slugs(standing.id).intent),
        steps: step && readSteps(step, mayLead),
      };
      const before = standing.state === 'analysed' ? standingEvidence(standing, names, mayLead) : null;
      const call = {
        ...item,
        ...facts,
        profileId,
        visitSetId,
        slugs: named.slugs(standing.id),
        evidence,
        oldEvidence: before?.evidence ?? [],
      };
      ledger.add(call, evidence);
      if (before) ledger.remove(before.facts, before.evidence);
      return call;
    });
    const removedFrom = batch.filter((item) => item.standing.state === 'analysed').map((item) => item.standing);
    const { agentId } = input;
    const again = removedFrom.map(({ id }) => id);
    if (again.length > 0) await tallyCalls(tx, agentId, again, -1);
    await writeReadings(tx, input, calls);
    await writeSearch(
      tx,
      input,
      batch.flatMap(({ callId, searched }) => (searched ? [{ callId, searched }] : [])),
    );
    await writeRollups(tx, agentId, ledger, { calls, removedFrom });
    if (again.length > 0) await dropEmptySums(tx, agentId);
    await recountCallers(tx, input.agentId, callerKeys(calls));
    await draw.count();
    const judged = batch.map((item) => {
      const { callId, judged: byRules, read } = item;
      return { callId, judged: byRules, read, isFirst: isFirst(item) };
    });
    await storeMetrics(
      tx,
      agentId,
      batch.map(({ callId }) => callId),
    );
    await storeJudged(tx, agentId, judged);
  });
}

export interface PreparedAnalysis {
  callId: string;
  analysis: CallAnalysis;
  payloadDigest: string | undefined;
  judged: JudgedWhileRead | undefined;
  read: readonly ReadVerdict[];
  searched: SearchedCall | undefined;
  profileDigest: string;
  places: Place[];
  visitSetDigest: string;
  endStep: Place | null;
  endedBadly: boolean;
}

function prepare(
  { callId, analysis: raw, payloadDigest, judged, read = [], searched }: AnalysisToStore,
  catalogue: AnalysisKnowledge['catalogue'],
): PreparedAnalysis {
  const analysis = storable({ ...raw, signals: raw.signals.map(withWholeQuote) });
  const places = placesOf(analysis);
  const endStep = analysis.endStep ?? null;
  const reached = places.map(({ kind, id }) => [kind, id]);
  return {
    callId,
    analysis,
    payloadDigest,
    judged,
    read,
    searched,
    profileDigest: digestOf(analysis.notComputable),
    places,
    visitSetDigest: digestOf(
      endStep ? { reached, end: [endStep.kind, endStep.id], ...(analysis.path && { path: analysis.path }) } : reached,
    ),
    endStep,
    endedBadly: endedBadly(analysis, catalogue),
  };
}

/** A quote cut through a surrogate pair loses the half, so that it stays an exact part of its turn. */
function withWholeQuote(signal: Signal): Signal {
  return signal.quote.isWellFormed()
    ? signal
    : { ...signal, quote: signal.quote.replace(/^[\udc00-\udfff]+|(?<![\ud800-\udbff])[\ud800-\udbff]+$/g, '') };
}

/** Places reached: those that the analysis names, and the tools and steps at which a signal was noticed. */
function placesOf(analysis: CallAnalysis): Place[] {
  const reached = analysis.visits.map((visit) => visit.place);
  const noticed = analysis.signals
    .map((signal) => signal.place)
    .filter(({ kind }) => kind === 'tool' || kind === 'node');
  const distinct = new Map([...noticed, ...reached].map((place) => [JSON.stringify([place.kind, place.id]), place]));
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}

/** Unresolved or abandoned, unless that is nobody's failure; or nobody spoke because something technical ended the call. */
function endedBadly(analysis: CallAnalysis, catalogue: AnalysisKnowledge['catalogue']): boolean {
  if (analysis.outcome === 'unresolved' || analysis.outcome === 'abandoned') return !isNobodysFailure(analysis);
  if (analysis.outcome !== 'no_contact') return false;
  return analysis.signals.some((signal) => signal.klass === 'technical' && catalogue.get(signal.code)?.ending === true);
}

function factsAfter(item: PreparedAnalysis, standing: StandingCall, bad: boolean, intentSlug: string | null) {
  const { pending } = standing;
  const record = pending
    ? { ...pending.call, callerKey: pending.callerKey }
    : {
        version: standing.version,
        startedAt: standing.startedAt,
        endedAt: standing.endedAt,
        durationMs: standing.durationMs,
        direction: standing.direction,
        disconnectionReason: standing.disconnectionReason,
        costUsd: standing.costUsd,
        callerKey: standing.callerKey,
      };
  return {
    version: record.version,
    startedAt: record.startedAt,
    endedAt: record.endedAt,
    durationMs: record.durationMs,
    direction: record.direction,
    disconnectionReason: record.disconnectionReason,
    costUsd: record.costUsd,
    callerKey: record.callerKey,
    outcome: item.analysis.outcome,
    endedBadly: bad,
    callerSpoke: item.analysis.callerSpoke,
    intentSlug,
  };
}

function stepAfter(
  { analysis, endStep, places }: PreparedAnalysis,
  signals: readonly GroupedSignal[],
): EndedCall['step'] {
  if (endStep === null) return null;
  const { counts, outcomeConfidence } = analysis;
  return { endStep, places, turns: counts.turns, signals, outcomeConfidence };
}

function asGrouped(signal: Signal): GroupedSignal {
  const { code, place, turnIndex, confidence, cause } = signal;
  return { code, place, turnIndex, confidence, causeCode: cause?.code ?? null };
}

function callerKeys(calls: AnalysedCall[]): string[] {
  const keys = calls.flatMap((call) => [call.callerKey, call.standing.callerKey]);
  return [...new Set(keys.filter((key) => key !== null))].sort();
}
