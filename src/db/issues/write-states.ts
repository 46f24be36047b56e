import { createHash } from 'node:crypto';
import type { GroupMemory } from '../../domain/issues/facts.ts';
import type { IssueState } from '../../domain/issues/state.ts';
import type { IssueStatus } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, asGiven, given, now } from '../expressions.ts';
import { addHistory, type NewHistoryEntry } from './issue-history.ts';

/** Rows a statement. */
const CHUNK = 500;

/** Writes the issues whose computed state differs from what the last regroup wrote. @returns how many. */
export async function writeStates(
  em: EntityManager,
  states: readonly IssueState[],
  digests: ReadonlyMap<string, string>,
): Promise<number> {
  const changed = states.flatMap((state) => {
    const digest = createHash('sha256').update(JSON.stringify(state)).digest('base64url');
    return digest === digests.get(state.issueId) ? [] : [toRow(state, digest)];
  });
  for (let at = 0; at < changed.length; at += CHUNK) await update(em, changed.slice(at, at + CHUNK));
  return changed.length;
}

/** Of a time that is sent only whether it is set is read: times are the database's. */
const IS_SET = new Date(0).toISOString();

function toRow(state: IssueState, digest: string) {
  return {
    id: state.issueId,
    stateDigest: digest,
    title: state.title,
    klass: state.klass,
    lane: state.lane,
    severity: state.severity,
    confirmed: state.confirmed,
    withdrawnAt: state.withdrawn ? IS_SET : null,
    causeCode: state.causeCode,
    causeLabel: state.causeLabel,
    causeDetail: state.causeDetail,
    causeEstablished: state.causeEstablished,
    section: state.section,
    sectionNote: state.sectionNote,
    targetKind: state.target.kind,
    targetId: state.target.id,
    targetLabel: state.target.label,
    symptoms: state.symptoms,
    intentSlug: state.intentSlug,
    likelyCause: state.likelyCause,
    recommendation: state.recommendation,
    volume: state.volume,
    rate: state.rate,
    failedOutcomeShare: state.failedOutcomeShare,
    impact: state.impact,
    confidence: state.confidence,
    orderKey: state.orderKey,
    priorityParts: { ...state.priorityParts },
    downstreamOfId: state.downstreamOfId,
    firstSeenVersion: state.firstSeenVersion,
    lastSeenVersion: state.lastSeenVersion,
    firstSeenAt: state.firstSeenAt,
    lastSeenAt: state.lastSeenAt,
    fellOnLive: state.fellOnLive,
    // Empty where it stays.
    code: state.outcome?.code ?? '',
    countOnly: state.outcome?.countOnly ?? false,
    diagnosis: state.outcome?.diagnosis ?? null,
    callsByVersion: state.callsByVersion,
    fix: { ...state.fix },
  };
}

const TAKEN = [
  'stateDigest',
  'title',
  'klass',
  'lane',
  'severity',
  'confirmed',
  'causeCode',
  'causeLabel',
  'causeDetail',
  'causeEstablished',
  'section',
  'sectionNote',
  'targetKind',
  'targetId',
  'targetLabel',
  'symptoms',
  'intentSlug',
  'likelyCause',
  'recommendation',
  'volume',
  'rate',
  'failedOutcomeShare',
  'impact',
  'confidence',
  'orderKey',
  'priorityParts',
  'downstreamOfId',
  'firstSeenVersion',
  'lastSeenVersion',
  'firstSeenAt',
  'lastSeenAt',
  'fellOnLive',
  'countOnly',
  'diagnosis',
  'callsByVersion',
  'fix',
] as const;

async function update(em: EntityManager, rows: ReturnType<typeof toRow>[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await db(em)
    .updateTable('issues')
    .from(given('issues', rows))
    .whereRef('issues.id', '=', 'given.id')
    .where('issues.id', '=', anyId(ids))
    .set(asGiven('issues', TAKEN))
    .set((eb) => ({
      code: eb.case().when('given.code', '=', '').then(eb.ref('issues.code')).else(eb.ref('given.code')).end(),
      confirmedAt: eb
        .case()
        .when('given.confirmed', '=', true)
        .then(eb.fn.coalesce('issues.confirmedAt', now))
        .else(eb.ref('issues.confirmedAt'))
        .end(),
      withdrawnAt: eb
        .case()
        .when('given.withdrawnAt', 'is not', null)
        .then(eb.fn.coalesce('issues.withdrawnAt', now))
        .end(),
      updatedAt: now,
    }))
    .execute();
}

/** What the analysis did to an issue's standing, for its history: confirmed for the first time, withdrawn, back again. */
export async function writeHistory(
  em: EntityManager,
  agentId: string,
  states: readonly IssueState[],
  memories: ReadonlyMap<string, GroupMemory>,
): Promise<void> {
  const entries = states.flatMap((state) => {
    const memory = memories.get(state.issueId);
    if (!memory) return [];
    const entry = (trigger: string, from: IssueStatus | null, reason: string): NewHistoryEntry[] => [
      { issueId: state.issueId, from, to: memory.status, trigger, personId: null, reason },
    ];
    if (state.confirmed && memory.confirmedAt === null) {
      return entry('confirmed', null, `The pattern was confirmed on ${state.volume} calls.`);
    }
    if (memory.confirmedAt === null || state.withdrawn === memory.withdrawn) return [];
    return state.withdrawn
      ? entry('withdrawn', memory.status, 'No analysed call shows it any more.')
      : entry('returned', memory.status, 'Calls show it again.');
  });
  await addHistory(em, agentId, entries);
}
