import { describeFix, noFix } from '../../domain/issues/live.ts';
import type { StandingIssue, StatusChange } from '../../domain/issues/status-by-person.ts';
import type { IssueStatus } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { everyCall, isComputable } from '../evidence/every-call.ts';
import { json, now } from '../expressions.ts';
import { countListed } from './listed.ts';
import { loadWeeks, NOT_SNOOZED } from './snoozes.ts';

/** An issue under the lock of the caller's transaction: what it is judged by is what is changed. */
export interface LockedIssue extends StandingIssue {
  id: string;
  agentId: string;
  ownerId: string | null;
  snoozed: boolean;
}

export function lockIssue(em: EntityManager, agentId: string, issueId: string): Promise<LockedIssue> {
  return db(em)
    .selectFrom('issues')
    .where('id', '=', issueId)
    .where('agentId', '=', agentId)
    .select(['id', 'agentId', 'status', 'rejected', 'fixVersion', 'ownerId'])
    .select((eb) => [
      eb('withdrawnAt', 'is not', null).$castTo<boolean>().as('withdrawn'),
      eb('snoozedAt', 'is not', null).$castTo<boolean>().as('snoozed'),
      eb
        .and([eb('klass', '<>', 'behaviour'), eb('countOnly', '=', false)])
        .$castTo<boolean>()
        .as('isProblem'),
    ])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

const FIXED = ['fix_deployed', 'measuring', 'resolved'] as const;

/** Issues whose fix a version has, oldest first. */
export async function findFixedIn(em: EntityManager, agentId: string, version: number): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('issues')
    .where('agentId', '=', agentId)
    .where('fixVersion', '=', version)
    .where('status', 'in', FIXED)
    .select('id')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export interface RolledBack {
  issueId: string;
  /** The version that has the fix, and is not live. */
  fixVersion: number;
  liveVersion: number;
  /** The version from before the fix that says the same as the live one. */
  sameAs: number;
  graceDays: number;
}

/** Issues whose fix was live, and is not in what is live: the live version says what one from before the fix said. */
export async function findRolledBack(em: EntityManager, agentId: string): Promise<RolledBack[]> {
  return db(em)
    .selectFrom('issues as i')
    .innerJoin('agents as a', 'a.id', 'i.agentId')
    .innerJoin('agent_versions as live', (join) =>
      join.onRef('live.agentId', '=', 'a.id').onRef('live.version', '=', 'a.currentVersion'),
    )
    .innerJoin('agent_versions as fixed', (join) =>
      join.onRef('fixed.agentId', '=', 'a.id').onRef('fixed.version', '=', 'i.fixVersion'),
    )
    .innerJoin('agent_versions as old', (join) =>
      join
        .onRef('old.agentId', '=', 'a.id')
        .onRef('old.configHash', '=', 'live.configHash')
        .onRef('old.version', '<', 'fixed.version'),
    )
    .where('i.agentId', '=', agentId)
    .where('i.status', 'in', FIXED)
    .where('i.rejected', '=', false)
    .where('i.withdrawnAt', 'is', null)
    .whereRef('fixed.configHash', '<>', 'live.configHash')
    .where((eb) =>
      eb.or([
        eb('live.version', '>', eb.ref('fixed.version')),
        // A version that never took a call may only be on its way.
        eb.exists(
          eb
            .selectFrom('calls as c')
            .whereRef('c.agentId', '=', 'a.id')
            .whereRef('c.version', '=', 'fixed.version')
            .select('c.id'),
        ),
      ]),
    )
    .groupBy(['i.id', 'fixed.version', 'live.version', 'a.graceDays'])
    .select(({ fn }) => [
      'i.id as issueId',
      'fixed.version as fixVersion',
      'live.version as liveVersion',
      'a.graceDays',
      fn.max('old.version').as('sameAs'),
    ])
    .orderBy('i.id')
    .execute();
}

/** Sets what a person decided, its fix told anew, and the number of open issues where no regroup is about to count them. */
export async function setStatus(
  em: EntityManager,
  issue: LockedIssue,
  change: StatusChange,
  graceDays: number,
): Promise<void> {
  const { status, rejected, fixVersion, reopens } = change;
  const resolves = status === 'resolved';
  const fix = await fixOf(em, issue, change, graceDays);
  await issueOf(em, issue.id)
    .set((eb) => ({
      status,
      rejected,
      fixVersion,
      fix: fix === null ? undefined : json({ ...fix }),
      resolvedAt: resolves ? eb.fn.coalesce('resolvedAt', now) : null,
      reopenedAt: reopens ? now : resolves ? null : undefined,
      updatedAt: now,
    }))
    .execute();
  await db(em)
    .updateTable('agents')
    .where('id', 'in', (eb) =>
      eb.selectFrom('agents').where('id', '=', issue.agentId).select('id').forNoKeyUpdate().skipLocked(),
    )
    .set({ openIssueCount: countListed(issue.agentId) })
    .execute();
}

const issueOf = (em: EntityManager, issueId: string) => db(em).updateTable('issues').where('id', '=', issueId);

/** Null where nothing is to be told anew. */
async function fixOf(em: EntityManager, issue: LockedIssue, { status, fixVersion }: StatusChange, graceDays: number) {
  if (fixVersion !== null) return readFix(em, issue, fixVersion, status, graceDays);
  return issue.fixVersion === null ? null : noFix(graceDays);
}

async function readFix(em: EntityManager, issue: LockedIssue, version: number, status: IssueStatus, graceDays: number) {
  const { first, last, calls, shown } = await everyCall(em)
    .innerJoin('computability_profiles as p', 'p.id', 'place_rollups.profileId')
    .innerJoin('issues as i', (join) =>
      join.on((eb) => eb.and([eb('i.id', '=', issue.id), isComputable(eb.ref('p.notComputable'), eb.ref('i.code'))])),
    )
    .where('place_rollups.agentId', '=', issue.agentId)
    .where('place_rollups.version', '=', version)
    .select(({ fn, val, selectFrom }) => [
      fn.min('place_rollups.firstStartedAt').as('first'),
      fn.max('place_rollups.lastStartedAt').as('last'),
      fn.coalesce(fn.sum<number>('place_rollups.calls'), val(0)).as('calls'),
      fn
        .coalesce(
          selectFrom('issue_rollups as s')
            .where('s.issueId', '=', issue.id)
            .where('s.version', '=', version)
            .select((eb) => eb.fn.sum<number>('s.calls').as('calls')),
          val(0),
        )
        .as('shown'),
    ])
    .executeTakeFirstOrThrow();
  const span = calls === 0 ? null : { firstStartedAt: first, lastStartedAt: last, calls };
  return describeFix({ version, status, graceDays, span, shown, resolvedEarly: true });
}

export async function setOwner(em: EntityManager, issueId: string, ownerId: string | null): Promise<void> {
  await issueOf(em, issueId).set({ ownerId, updatedAt: now }).execute();
}

/** Begins a snooze at the rate of the last seven days. @param until null: until the issue grows or comes back. */
export async function beginSnooze(
  em: EntityManager,
  issue: LockedIssue,
  { until, personId }: { until: string | null; personId: string },
): Promise<void> {
  const week = (await loadWeeks(em, issue.agentId, [issue.id])).get(issue.id);
  const snoozeRate = week && week.of > 0 ? Math.min(1, week.calls / week.of) : 0;
  const begun = { snoozedAt: now, snoozedUntil: until, snoozedBy: personId, snoozeRate };
  await issueOf(em, issue.id)
    .set({ ...begun, updatedAt: now })
    .execute();
}

export async function endSnooze(em: EntityManager, issueId: string): Promise<void> {
  await issueOf(em, issueId).set(NOT_SNOOZED).execute();
}
