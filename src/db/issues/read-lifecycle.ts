import { type ExpressionBuilder, sql } from 'kysely';
import type { SilenceFacts } from '../../domain/issues/certainty.ts';
import { type LifeStep, nextStep } from '../../domain/issues/lifecycle.ts';
import type { Spike } from '../../domain/issues/spike.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { everyCall, isComputable } from '../evidence/every-call.ts';
import { now } from '../expressions.ts';
import type { Tables } from '../tables.ts';
import { loadLife } from './load-life.ts';
import type { IssueView } from './read-issues.ts';

/** What time makes of an issue, and what is known about its silence. */
export interface ResolutionView {
  /** Null: it is resolved, or has no life (withdrawn, unconfirmed, a count, what callers do). */
  step: LifeStep | null;
  lastSeenAt: string | null;
  silence: SilenceFacts;
}

export async function readResolution(em: EntityManager, issue: IssueView): Promise<ResolutionView> {
  const { nowMs, agent, issues } = await loadLife(em, issue.agentId, issue.id);
  const [living] = issues;
  const step = living ? nextStep(living.issue, living.facts, nowMs, agent.graceDays) : null;
  const { lastSeenAt, total, later, sameDay, shown } = await readSilence(em, issue);
  const since = lastSeenAt === null ? 0 : later + sameDay;
  const computable = Math.max(0, total - since);
  return { step, lastSeenAt, silence: { shown: Math.min(shown, computable), computable, since } };
}

/** Whole days from the sums; of the day on which it was last seen the calls after that moment. */
function readSilence(em: EntityManager, { id, agentId }: IssueView) {
  const profiles = sql<string>`any(array(select p.id from computability_profiles p where p.agent_id = i.agent_id
    and ${isComputable(sql.ref('p.not_computable'), sql.ref('i.code'))}))`;
  const sum = sql<number>`sum(calls)`;
  const lastDay = sql<string>`(i.last_seen_at at time zone 'UTC')::date`;
  return db(em)
    .selectFrom('issues as i')
    .where('i.id', '=', id)
    .where('i.agentId', '=', agentId)
    .select('i.lastSeenAt')
    .select(({ eb, fn, val }) => {
      const sums = everyCall(em).where('agentId', '=', agentId).where('profileId', '=', profiles);
      const calls = () => fn.coalesce(sum, val(0)).as('calls');
      const ofIssue = eb.selectFrom('issue_rollups').where('issueId', '=', id);
      const sameDay = eb
        .selectFrom('calls as c')
        .where('c.agentId', '=', agentId)
        .where('c.state', '=', 'analysed')
        .whereRef('c.sortAt', '>', 'i.lastSeenAt')
        .where('c.sortAt', '<', sql<string>`(${lastDay} + 1)::timestamp at time zone 'UTC'`)
        .where('c.profileId', '=', profiles);
      return [
        sums.select(calls).$asScalar().$notNull().as('total'),
        sums.where('day', '>', lastDay).select(calls).$asScalar().$notNull().as('later'),
        sameDay.select(fn.countAll<number>().as('calls')).$asScalar().$notNull().as('sameDay'),
        ofIssue.select(calls).$asScalar().$notNull().as('shown'),
      ];
    })
    .executeTakeFirstOrThrow();
}

/** The last day on which it was far more common than before, or null. */
export async function readSpike(em: EntityManager, issue: IssueView): Promise<Spike | null> {
  const found = await db(em)
    .selectFrom('issues')
    .where('id', '=', issue.id)
    .where('agentId', '=', issue.agentId)
    .select('spike')
    .executeTakeFirst();
  return found?.spike ?? null;
}

/** What belongs to people about an issue. */
export interface IssueCare {
  rejected: boolean;
  resolvedAt: string | null;
  owner: { id: string; name: string } | null;
  snooze: { since: string; until: string | null; by: { id: string; name: string } | null; rate: number } | null;
  spike: Spike | null;
  comments: number;
}

/** A snooze whose time is over counts as ended, also where nobody has cleared it away yet. */
export async function readCare(em: EntityManager, issue: IssueView): Promise<IssueCare> {
  const row = await db(em)
    .selectFrom('issues as i')
    .leftJoin('people as o', 'o.id', 'i.ownerId')
    .leftJoin('people as s', 's.id', 'i.snoozedBy')
    .where('i.id', '=', issue.id)
    .where('i.agentId', '=', issue.agentId)
    .select(['i.rejected', 'i.resolvedAt', 'i.ownerId', 'o.name as ownerName', 'i.snoozedUntil', 'i.spike'])
    .select(['i.snoozedBy as snoozerId', 's.name as snoozerName', 'i.snoozeRate'])
    .select((eb) => [
      snoozedSince(eb).as('since'),
      eb
        .selectFrom('issue_comments as c')
        .whereRef('c.issueId', '=', 'i.id')
        .select(({ fn }) => fn.countAll<number>().as('comments'))
        .$asScalar()
        .$notNull()
        .as('comments'),
    ])
    .executeTakeFirstOrThrow();
  const { rejected, resolvedAt, spike, comments } = row;
  return { rejected, resolvedAt, ...careOf(row), spike, comments };
}

/** The issues of an agent that somebody owns or has snoozed, at most so many. */
export async function listCare(
  em: EntityManager,
  agentId: string,
  limit: number,
): Promise<(Pick<IssueCare, 'owner' | 'snooze'> & { issueId: string })[]> {
  const rows = await db(em)
    .selectFrom('issues as i')
    .leftJoin('people as o', 'o.id', 'i.ownerId')
    .leftJoin('people as s', 's.id', 'i.snoozedBy')
    .where('i.agentId', '=', agentId)
    .where((eb) => eb.or([eb('i.ownerId', 'is not', null), eb('i.snoozedAt', 'is not', null)]))
    .select(['i.id as issueId', 'i.ownerId', 'o.name as ownerName', 'i.snoozedUntil'])
    .select(['i.snoozedBy as snoozerId', 's.name as snoozerName', 'i.snoozeRate'])
    .select((eb) => snoozedSince(eb).as('since'))
    .orderBy('i.updatedAt', 'desc')
    .orderBy('i.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ issueId: row.issueId, ...careOf(row) }));
}

/** Null where nobody snoozed it, and where the time of the snooze is over. */
const snoozedSince = ({ or, eb, case: when, ref }: ExpressionBuilder<{ i: Tables['issues'] }, 'i'>) =>
  when()
    .when(or([eb('i.snoozedUntil', 'is', null), eb('i.snoozedUntil', '>', now)]))
    .then(ref('i.snoozedAt'))
    .end();

interface CareRow {
  ownerId: string | null;
  ownerName: string | null;
  since: string | null;
  snoozedUntil: string | null;
  snoozerId: string | null;
  snoozerName: string | null;
  snoozeRate: number | null;
}

function careOf(row: CareRow): Pick<IssueCare, 'owner' | 'snooze'> {
  const { since, snoozedUntil: until, snoozeRate } = row;
  const by = named(row.snoozerId, row.snoozerName);
  return {
    owner: named(row.ownerId, row.ownerName),
    snooze: since === null ? null : { since, until, by, rate: snoozeRate ?? 0 },
  };
}

const named = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });
