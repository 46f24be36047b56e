import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { digestOf, everyCall } from '../evidence/every-call.ts';
import type { Row } from '../tables.ts';
import type { IssueView } from './read-issues.ts';

/** On how many calls of the issue each cause's evidence was present, most frequent first. */
export function readIssueCauses(
  em: EntityManager,
  issue: IssueView,
): Promise<{ code: string; label: string; calls: number }[]> {
  return db(em)
    .selectFrom('issue_causes as c')
    .where('c.issueId', '=', issue.id)
    .where('c.agentId', '=', issue.agentId)
    .where('c.calls', '>', 0)
    .select(({ fn, selectFrom }) => [
      'c.causeCode as code',
      'c.calls',
      fn
        .coalesce(
          selectFrom('call_signals as s')
            .whereRef('s.agentId', '=', 'c.agentId')
            .where('s.code', '=', issue.code)
            .where('s.placeKind', '=', issue.placeKind)
            .where((eb) =>
              eb(digestOf(eb.ref('s.placeId')), '=', digestOf(eb.cast<string>(eb.val(issue.placeId), 'text'))),
            )
            .whereRef('s.causeCode', '=', 'c.causeCode')
            .select('s.causeLabel')
            .limit(1),
          'c.causeCode',
        )
        .as('label'),
    ])
    .orderBy('calls', 'desc')
    .orderBy('c.causeCode')
    .limit(50)
    .execute();
}

export interface HistoryEntry extends Pick<Row<'issue_history'>, 'trigger' | 'personId' | 'reason'> {
  from: Row<'issue_history'>['fromStatus'];
  to: Row<'issue_history'>['toStatus'];
  at: string;
}

/** Changes of the issue's status, oldest first. Who looks after it and snoozes are the workspace's own affair. */
export function readIssueHistory(em: EntityManager, issue: IssueView): Promise<HistoryEntry[]> {
  return db(em)
    .selectFrom('issue_history')
    .where('issueId', '=', issue.id)
    .where('agentId', '=', issue.agentId)
    .where('trigger', 'not in', ['owner', 'snoozed', 'snooze_ended'])
    .select(['fromStatus as from', 'toStatus as to', 'trigger', 'personId', 'reason', 'createdAt as at'])
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1000)
    .execute();
}

/** Calls of a detector issue on which its code stands on a model's reading alone. */
export async function countCallsByModel(em: EntityManager, issue: IssueView): Promise<number> {
  const { calls } = await db(em)
    .with('found', (within) =>
      within
        .selectFrom('issue_calls as l')
        .innerJoin('call_signals as s', 's.callId', 'l.callId')
        .where('l.issueId', '=', issue.id)
        .where('l.agentId', '=', issue.agentId)
        .where('s.code', '=', issue.code)
        .where('s.placeKind', '=', issue.placeKind)
        .where('s.placeId', '=', issue.placeId)
        .groupBy('s.callId')
        .having(({ eb, fn }) => fn.agg<boolean>('bool_and', [eb('s.basis', '=', 'model')]))
        .select('s.callId'),
    )
    .selectFrom('found')
    .select(({ fn }) => fn.countAll<number>().as('calls'))
    .executeTakeFirstOrThrow();
  return calls;
}

/** Calls of which it is known how they ended, and those that ended badly. */
const known = sql<number>`coalesce(sum(resolved + unresolved + transferred + abandoned + no_contact), 0)`;

/** Outcomes of the calls of the issue, and of all calls: the two sides of "ended badly". */
export async function readBadEndings(
  em: EntityManager,
  issue: IssueView,
): Promise<{ affected: { calls: number; bad: number }; all: { calls: number; bad: number } }> {
  const all = everyCall(em).where('agentId', '=', issue.agentId);
  const row = await db(em)
    .selectFrom('issue_rollups')
    .where('issueId', '=', issue.id)
    .where('agentId', '=', issue.agentId)
    .select(({ fn, lit }) => [known.as('calls'), fn.coalesce(fn.sum<number>('bad'), lit(0)).as('bad')])
    .select([
      all.select(known.as('calls')).$asScalar().$notNull().as('allCalls'),
      all
        .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('bad'), lit(0)).as('bad'))
        .$asScalar()
        .$notNull()
        .as('allBad'),
    ])
    .executeTakeFirstOrThrow();
  return { affected: { calls: row.calls, bad: row.bad }, all: { calls: row.allCalls, bad: row.allBad } };
}
