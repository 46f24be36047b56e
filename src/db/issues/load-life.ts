import { type Expression, sql } from 'kysely';
import type { IssueLife, LaterCall, LifeFacts } from '../../domain/issues/lifecycle.ts';
import type { IssueSource } from '../../domain/vocabulary.ts';
import { isOnItsWay } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { everyCall } from '../evidence/every-call.ts';
import { anyId, utcDay } from '../expressions.ts';
import type { Row } from '../tables.ts';

/** A living issue as the record holds it. Times are milliseconds since 1970. */
export interface LifeRow
  extends Pick<
    Row<'issues'>,
    'id' | 'code' | 'source' | 'title' | 'placeLabel' | 'status' | 'rejected' | 'fixVersion'
  > {
  confirmedMs: number | null;
  resolvedMs: number | null;
  reopenedMs: number | null;
  lastMs: number | null;
  /** It stood on the board once, so people heard of it. */
  listed: boolean;
}

export interface AgentLife {
  /**
   * The database's time at the begin of the transaction. For a demo agent that of its newest call: its record ends at
   * the first start, and a later start is to show the same.
   */
  nowMs: number;
  agent: { graceDays: number; boardSource: IssueSource };
  issues: { row: LifeRow; issue: IssueLife; facts: LifeFacts }[];
}

const ms = (time: Expression<string | null>) => sql<number | null>`(extract(epoch from ${time}) * 1000)::float8`;

/**
 * Confirmed problems that the analysis still produces; of the resolved ones only those with a later call.
 * @param issueId only this one.
 */
export async function loadLife(em: EntityManager, agentId: string, issueId: string | null = null): Promise<AgentLife> {
  const standing = await loadStanding(em, agentId);
  const rows = await loadLiving(em, agentId, issueId);
  const resolved = rows.filter((row) => row.status === 'resolved');
  const later = await loadLaterCalls(em, agentId, resolved);
  const { nowMs, timeStands, graceDays, boardSource, latestWaitingMs, importing } = standing;
  return {
    nowMs,
    agent: { graceDays, boardSource },
    issues: rows.map((row) => ({
      row,
      issue: {
        status: row.status,
        rejected: row.rejected,
        alive: true,
        confirmedMs: row.confirmedMs,
        resolvedMs: row.resolvedMs,
        reopenedMs: row.reopenedMs,
        fixVersion: row.fixVersion,
      },
      facts: {
        lastShownMs: row.lastMs,
        latestCallMs: standing.latestOf(row.code),
        latestWaitingMs,
        importing,
        timeStands,
        fixLiveFromMs: row.fixVersion === null ? null : (later.liveFrom.get(row.fixVersion) ?? null),
        laterCalls: later.byIssue.get(row.id) ?? [],
      },
    })),
  };
}

function loadLiving(em: EntityManager, agentId: string, issueId: string | null): Promise<LifeRow[]> {
  let living = db(em)
    .selectFrom('issues')
    .where('agentId', '=', agentId)
    .where('confirmed', '=', true)
    .where('withdrawnAt', 'is', null)
    .where('klass', '<>', 'behaviour')
    .where('countOnly', '=', false)
    .where((eb) => {
      const isSeenAgain = eb.and([eb('rejected', '=', false), eb('lastSeenAt', '>', eb.ref('resolvedAt'))]);
      return eb.or([eb('status', '<>', 'resolved'), isSeenAgain]);
    });
  if (issueId !== null) living = living.where('id', '=', issueId);
  return living
    .select(['id', 'code', 'source', 'title', 'placeLabel', 'status', 'rejected', 'fixVersion'])
    .select((eb) => [
      ms(eb.ref('confirmedAt')).as('confirmedMs'),
      ms(eb.ref('resolvedAt')).as('resolvedMs'),
      ms(eb.ref('reopenedAt')).as('reopenedMs'),
      ms(eb.ref('lastSeenAt')).as('lastMs'),
      eb('listedAt', 'is not', null).$castTo<boolean>().as('listed'),
    ])
    .orderBy('id')
    .execute();
}

/** The time by which an agent is judged: see `AgentLife`. */
const judgedAt = sql<string>`case when a.source = 'demo' then least(now(), coalesce(a.newest_call_at, now())) else now() end`;

async function loadStanding(em: EntityManager, agentId: string) {
  const agent = await db(em)
    .selectFrom('agents as a')
    .where('a.id', '=', agentId)
    .select((eb) => [
      ms(judgedAt).$castTo<number>().as('nowMs'),
      eb('a.source', '=', 'demo').$castTo<boolean>().as('timeStands'),
      'a.graceDays',
      'a.boardSource',
      eb
        .selectFrom('calls')
        .whereRef('calls.agentId', '=', 'a.id')
        .where(isOnItsWay)
        .where('calls.sortAt', '>', sql<string>`${judgedAt} - make_interval(days => a.grace_days)`)
        .select(({ fn }) => ms(fn.max('calls.startedAt')).as('ms'))
        .as('latestWaitingMs'),
      eb
        .exists(
          eb
            .selectFrom('imports as i')
            .whereRef('i.agentId', '=', 'a.id')
            .where('i.kind', '<>', 'poll')
            .where('i.status', 'in', ['queued', 'running', 'paused'])
            .select('i.id'),
        )
        .$castTo<boolean>()
        .as('importing'),
    ])
    .executeTakeFirstOrThrow();
  const profiles = await loadProfiles(em, agentId);
  const known = new Map<string, number | null>();
  return {
    ...agent,
    latestOf(code: string): number | null {
      let latest = known.get(code);
      if (latest === undefined) {
        const starts = profiles.flatMap(({ codes, latestMs }) => (codes.includes(code) ? [] : (latestMs ?? [])));
        latest = starts.length === 0 ? null : Math.max(...starts);
        known.set(code, latest);
      }
      return latest;
    },
  };
}

/** A row of the rollup is a day: of one that has begun only what lies not after now counts. */
async function loadProfiles(
  em: EntityManager,
  agentId: string,
): Promise<{ codes: string[]; latestMs: number | null }[]> {
  const latest = sql<string | null>`case when last_started_at <= now() then last_started_at
    when first_started_at <= now() then first_started_at end`;
  const profiles = await everyCall(em)
    .innerJoin('computability_profiles as p', 'p.id', 'place_rollups.profileId')
    .where('place_rollups.agentId', '=', agentId)
    .groupBy(['p.id', 'p.notComputable'])
    .select(({ fn }) => ['p.notComputable', ms(fn.max<string | null>(latest)).as('latestMs')])
    .execute();
  return profiles.map(({ notComputable, latestMs }) => ({ codes: notComputable.map(({ code }) => code), latestMs }));
}

/** The first call of each version and day that shows a resolved issue again, and which versions were current then. */
async function loadLaterCalls(em: EntityManager, agentId: string, resolved: readonly LifeRow[]) {
  const byIssue = new Map<string, LaterCall[]>();
  const liveFrom = new Map<number, number>();
  if (resolved.length === 0) return { byIssue, liveFrom };
  const calls = await db(em)
    .selectFrom('issues as i')
    .innerJoin('issue_calls as c', (join) =>
      join.onRef('c.issueId', '=', 'i.id').onRef('c.sortAt', '>', 'i.resolvedAt'),
    )
    .where('i.id', '=', anyId(resolved.map(({ id }) => id)))
    .select(({ fn, ref }) => [
      'i.id as issueId',
      'c.version',
      utcDay(ref('c.sortAt')).as('day'),
      ms(fn.min('c.sortAt')).$castTo<number>().as('startedMs'),
    ])
    .groupBy(['i.id', 'c.version', 'day'])
    .execute();
  const days = await everyCall(em)
    .where('agentId', '=', agentId)
    .groupBy(['version', 'day'])
    .select(({ cast, fn }) => [
      'version',
      cast<string>('day', 'text').as('day'),
      fn.sum<number>('calls').as('calls'),
      ms(fn.min('firstStartedAt')).as('firstMs'),
    ])
    .execute();
  const current = new Map<string, { version: number; calls: number }>();
  for (const { version, day, calls: taken, firstMs } of days) {
    const top = current.get(day);
    if (!top || taken > top.calls || (taken === top.calls && version > top.version)) {
      current.set(day, { version, calls: taken });
    }
    if (firstMs !== null) liveFrom.set(version, Math.min(firstMs, liveFrom.get(version) ?? firstMs));
  }
  for (const { issueId, version, day, startedMs } of calls) {
    const liveFromMs = liveFrom.get(version) ?? startedMs;
    const call = { startedMs, version, liveFromMs, wasCurrent: current.get(day)?.version === version };
    byIssue.set(issueId, [...(byIssue.get(issueId) ?? []), call]);
  }
  return { byIssue, liveFrom };
}
