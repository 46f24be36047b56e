import type { CallFacts } from '../../domain/issues/ledger.ts';
import type { Evidence } from '../../domain/issues/signals-to-issues.ts';
import { keysOf } from '../../domain/keys-of.ts';
import type { CallAnalysis } from '../../domain/signals/call-analysis.ts';
import type { Direction } from '../../domain/vocabulary.ts';
import { NO_START_TIME } from '../calls/entities.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, asGiven, asId, given, listed, now } from '../expressions.ts';
import type { CallSlugs } from '../intents/name-intents.ts';
import { queryPlanned } from '../planned.ts';
import type { StandingCall } from './analysis-context.ts';

export interface AnalysedCall extends CallFacts {
  standing: StandingCall;
  analysis: CallAnalysis;
  endedAt: string | null;
  direction: Direction;
  disconnectionReason: string;
  costUsd: number | null;
  callerKey: string | null;
  visitSetId: string;
  slugs: CallSlugs;
  evidence: Evidence[];
  /** Of the reading that the call had before. */
  oldEvidence: Evidence[];
}

/** The calls with what was read on them: old signals and links out, new ones in. One statement, two where calls were read before. */
export async function writeReadings(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  calls: AnalysedCall[],
): Promise<void> {
  const again = calls.filter((call) => call.standing.state === 'analysed').map((call) => call.standing.id);
  if (again.length > 0) await removeReadings(em, again, calls);
  await insertReadings(em, writeCalls(em, again, calls), { workspaceId, agentId }, calls);
}

/** The calls themselves, as the first parts of a statement. */
function writeCalls(em: EntityManager, again: string[], calls: AnalysedCall[]) {
  const callIds = calls.map((call) => call.standing.id);
  return db(em)
    .with('texts', (within) =>
      within
        .updateTable('transcripts')
        .where('callId', '=', anyId(again))
        .where('pending', 'is not', null)
        .set(({ ref }) => ({ call: ref('pending', '->').key('call'), pending: null })),
    )
    .with('read', (within) =>
      within
        .updateTable('calls')
        .from(given('calls', calls.map(callRow)))
        .whereRef('calls.id', '=', 'given.id')
        // The planner knows nothing of how many rows a document holds, and would read all calls of the workspace for them.
        .where('calls.id', '=', anyId(callIds))
        .set(asGiven('calls', READ))
        .set({ state: 'analysed', stateReason: null, reanalyse: false, callerNth: 1, callerOf: 1, calledAgain: false })
        .set((eb) => ({
          callerKind: eb
            .case()
            .when('given.callerKey', 'is', null)
            .then('unknown' as const)
            .else('new' as const)
            .end(),
          analysedAt: now,
          updatedAt: now,
        })),
    );
}

/** Old links are known from the old signals, so that the link table needs no index by call. */
async function removeReadings(em: EntityManager, callIds: string[], calls: AnalysedCall[]): Promise<void> {
  const issueIds = [...new Set(calls.flatMap((call) => call.oldEvidence.map((item) => item.issueId)))];
  await db(em)
    .with('signals', (within) => within.deleteFrom('call_signals').where('callId', '=', anyId(callIds)))
    .with('codes', (within) => within.deleteFrom('call_codes').where('callId', '=', anyId(callIds)))
    .with('analyses', (within) => within.deleteFrom('call_analyses').where('callId', '=', anyId(callIds)))
    .deleteFrom('issue_calls')
    .where('issueId', '=', anyId(issueIds))
    .where('callId', '=', anyId(callIds))
    .execute();
}

async function insertReadings(
  em: EntityManager,
  written: ReturnType<typeof writeCalls>,
  owner: { workspaceId: string; agentId: string },
  calls: AnalysedCall[],
): Promise<void> {
  const agentId = asId(owner.agentId).as('agentId');
  const signals = calls.flatMap(signalRows);
  const codes = calls.flatMap((call) => codesOf(call.analysis).map((code) => ({ ...linked(call), code })));
  const links = calls.flatMap((call) =>
    call.evidence.map(({ issueId, firstTurn, own, confidenceMilli }) => ({
      ...linked(call),
      issueId,
      firstTurn,
      own,
      confidenceMilli,
    })),
  );
  const analyses = calls.map(({ standing, analysis }) => ({
    ...owner,
    callId: standing.id,
    analyserVersion: analysis.analyserVersion,
    analysis: analysisDocument(analysis),
  }));
  const inserted = written
    .with('signals', (within) =>
      within
        .insertInto('call_signals')
        .columns(['agentId', 'workspaceId', ...keysOf(SIGNAL)])
        .expression((eb) =>
          eb
            .selectFrom(listed(signals, SIGNAL))
            .select([agentId, asId(owner.workspaceId).as('workspaceId')])
            .select(keysOf(SIGNAL)),
        ),
    )
    .with('codes', (within) =>
      within
        .insertInto('call_codes')
        .columns(['agentId', ...keysOf(CODE)])
        .expression((eb) => eb.selectFrom(listed(codes, CODE)).select(agentId).select(keysOf(CODE))),
    )
    .with('links', (within) =>
      within
        .insertInto('issue_calls')
        .columns(['agentId', ...keysOf(LINK)])
        .expression((eb) => eb.selectFrom(listed(links, LINK)).select(agentId).select(keysOf(LINK))),
    )
    .insertInto('call_analyses')
    .columns(ANALYSIS)
    .expression((eb) => eb.selectFrom(given('call_analyses', analyses)).select(ANALYSIS));
  await queryPlanned(em, inserted);
}

const LINKED = { callId: 'uuid', sortAt: 'timestamptz', outcome: 'text', version: 'integer' } as const;
const CODE = { ...LINKED, code: 'text' } as const;
const LINK = { ...LINKED, issueId: 'uuid', firstTurn: 'integer', own: 'boolean', confidenceMilli: 'integer' } as const;
const ANALYSIS = ['callId', 'workspaceId', 'agentId', 'analyserVersion', 'analysis'] as const;

/** What links of a call are sorted and filtered by. */
const linked = ({ standing, startedAt, outcome, version }: AnalysedCall) => ({
  callId: standing.id,
  sortAt: startedAt ?? NO_START_TIME,
  outcome,
  version,
});

const READ = [
  'version',
  'startedAt',
  'endedAt',
  'durationMs',
  'direction',
  'disconnectionReason',
  'costUsd',
  'callerKey',
  'outcome',
  'outcomeConfidence',
  'badEndingScore',
  'endedBadly',
  'callerSpoke',
  'objective',
  'intentSlug',
  'requestIntents',
  'useCaseSlug',
  'subUseCaseSlug',
  'personaSlug',
  'turns',
  'callerTurns',
  'agentTurns',
  'toolFailures',
  'toolResults',
  'frictions',
  'responseMedianMs',
  'responseSlowMs',
  'signalCodes',
  'profileId',
  'visitSetId',
  'analyserVersion',
] as const;

function callRow(call: AnalysedCall) {
  const { analysis, slugs } = call;
  return {
    id: call.standing.id,
    version: call.version,
    startedAt: call.startedAt,
    endedAt: call.endedAt,
    durationMs: call.durationMs,
    direction: call.direction,
    disconnectionReason: call.disconnectionReason,
    costUsd: call.costUsd,
    callerKey: call.callerKey,
    outcome: call.outcome,
    outcomeConfidence: analysis.outcomeConfidence,
    badEndingScore: analysis.badEndingScore,
    endedBadly: call.endedBadly,
    callerSpoke: call.callerSpoke,
    objective: analysis.objective,
    intentSlug: slugs.intent,
    requestIntents: slugs.requestIntents,
    useCaseSlug: slugs.useCase,
    subUseCaseSlug: slugs.subUseCase,
    personaSlug: slugs.persona,
    turns: analysis.counts.turns,
    callerTurns: analysis.counts.callerTurns,
    agentTurns: analysis.counts.agentTurns,
    toolFailures: analysis.counts.toolFailures,
    // Of results that nobody can judge there is no rate.
    toolResults: analysis.toolResults.filter(({ ok }) => ok !== null).length,
    frictions: analysis.counts.frictions,
    responseMedianMs: analysis.responseTimes?.p50Ms ?? null,
    responseSlowMs: analysis.responseTimes?.p90Ms ?? null,
    signalCodes: codesOf(analysis),
    profileId: call.profileId,
    visitSetId: call.visitSetId,
    analyserVersion: analysis.analyserVersion,
  };
}

const SIGNAL = {
  callId: 'uuid',
  ordinal: 'integer',
  code: 'text',
  klass: 'text',
  lane: 'text',
  severity: 'text',
  confidence: 'float8',
  placeKind: 'text',
  placeId: 'text',
  placeLabel: 'text',
  turnIndex: 'integer',
  quote: 'text',
  detail: 'text',
  causeCode: 'text',
  causeLabel: 'text',
  causeDetail: 'text',
  causeCategory: 'text',
  causeParty: 'text',
  basis: 'text',
  proof: 'jsonb',
} as const;

function signalRows(call: AnalysedCall) {
  return call.analysis.signals.map((signal, ordinal) => ({
    callId: call.standing.id,
    ordinal,
    code: signal.code,
    klass: signal.klass,
    lane: signal.lane,
    severity: signal.severity,
    confidence: signal.confidence,
    placeKind: signal.place.kind,
    placeId: signal.place.id,
    placeLabel: signal.place.label,
    turnIndex: signal.turnIndex,
    quote: signal.quote,
    detail: signal.detail,
    causeCode: signal.cause?.code ?? null,
    causeLabel: signal.cause?.label ?? null,
    causeDetail: signal.cause?.detail ?? null,
    causeCategory: signal.cause?.category ?? null,
    causeParty: signal.cause?.party ?? null,
    basis: signal.basis ?? 'rules',
    proof: signal.proof ? JSON.stringify(signal.proof) : null,
  }));
}

function analysisDocument(analysis: CallAnalysis): Omit<CallAnalysis, 'signals' | 'notComputable' | 'visits' | 'path'> {
  const { signals: _, notComputable: __, visits: ___, path: ____, ...document } = analysis;
  return document;
}

/** Each code once, in order of its first signal. */
function codesOf(analysis: CallAnalysis): string[] {
  return [...new Set(analysis.signals.map((signal) => signal.code))];
}
