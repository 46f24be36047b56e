import { sql } from 'kysely';
import type { HiddenIssues } from '../../domain/issues/board-summary.ts';
import { endingOf, type UnexplainedCall } from '../../domain/issues/unexplained.ts';
import type { IssueSource } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';

/** So many of the newest calls that ended badly without a finding are looked at. */
const UNEXPLAINED_READ = 2_000;

/** Problems of one kind that the analysis still produces. */
const problems = (em: EntityManager, scope: ReadScope, source: IssueSource) =>
  db(em)
    .selectFrom('issues as i')
    .where('i.agentId', '=', anyAgent(scope))
    .where('i.workspaceId', '=', scope.workspaceId)
    .where('i.source', '=', source)
    .where('i.withdrawnAt', 'is', null)
    .where('i.klass', '<>', 'behaviour')
    .where('i.countOnly', '=', false);

/** Issues that stand on the board of their kind, and those that are folded under one of them. */
const shown = (em: EntityManager, scope: ReadScope, source: IssueSource) =>
  problems(em, scope, source)
    .leftJoin('issues as parent', 'parent.id', 'i.downstreamOfId')
    .where(({ eb, fn }) => eb(fn.coalesce('parent.section', 'i.section'), '<>', 'hidden'))
    .select('i.id');

const analysed = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .selectFrom('calls as c')
    .where('c.agentId', '=', anyAgent(scope))
    .where('c.workspaceId', '=', scope.workspaceId)
    .where('c.state', '=', 'analysed');

export interface BoardCounts {
  calls: number;
  endedBadly: number;
  explained: number;
  signals: number;
  callsWithSignals: number;
}

export function readBoardCounts(em: EntityManager, scope: ReadScope, source: IssueSource): Promise<BoardCounts> {
  const explained = analysed(em, scope)
    .where('c.endedBadly', '=', true)
    .innerJoin('issue_calls as l', 'l.callId', 'c.id')
    .where('l.issueId', 'in', shown(em, scope, source))
    .select(({ fn }) => fn.count<number>('l.callId').distinct().as('calls'));
  return analysed(em, scope)
    .select(({ eb, fn, val }) => {
      const codes = fn<number>('cardinality', ['c.signalCodes']);
      return [
        fn.countAll<number>().as('calls'),
        fn.countAll<number>().filterWhere('c.endedBadly', '=', true).as('endedBadly'),
        fn
          .countAll<number>()
          .filterWhere(eb(codes, '>', 0))
          .as('callsWithSignals'),
        fn.coalesce(fn.sum<number>(codes), val(0)).as('signals'),
      ];
    })
    .select(explained.$asScalar().$notNull().as('explained'))
    .executeTakeFirstOrThrow();
}

/** The newest calls that ended badly and show no issue of the board, with the last refusal and how they ended. */
export async function readUnexplained(
  em: EntityManager,
  scope: ReadScope,
  source: IssueSource,
): Promise<UnexplainedCall[]> {
  const rows = await db(em)
    .with('explained', (within) =>
      within
        .selectFrom('issue_calls')
        .where('issueId', 'in', shown(em, scope, source))
        .select('callId')
        .distinct(),
    )
    .with('leftOver', (within) =>
      analysed(em, scope)
        .where('c.endedBadly', '=', true)
        .where('c.id', 'not in', within.selectFrom('explained').select('callId'))
        .select(['c.id', 'c.agentId', 'c.intentSlug', 'c.sortAt', 'c.outcome'])
        .orderBy('c.sortAt', 'desc')
        .orderBy('c.id')
        .limit(UNEXPLAINED_READ),
    )
    .selectFrom('leftOver as c')
    .leftJoin('call_analyses as a', 'a.callId', 'c.id')
    .leftJoin('intents as n', (join) =>
      join.onRef('n.agentId', '=', 'c.agentId').on('n.kind', '=', 'intent').onRef('n.slug', '=', 'c.intentSlug'),
    )
    .select(['c.id as callId', 'c.intentSlug as slug', 'n.label', 'c.outcome', lastRefusal.as('refusal')])
    .select(({ ref }) => [
      ref('a.analysis', '->>').key('outcomeReason').key('rule').as('rule'),
      ref('a.analysis', '->>').key('outcomeReason').key('text').as('text'),
    ])
    .orderBy('c.sortAt', 'desc')
    .orderBy('c.id')
    .execute();
  return rows.map(({ callId, slug, label, outcome, refusal, rule, text }) => ({
    callId,
    intent: slug === null ? null : { slug, label: label ?? slug },
    refusal,
    rule: endingOf(rule === null ? null : { rule, text }, outcome),
  }));
}

const lastRefusal = sql<string | null>`(select o ->> 'detail' from jsonb_array_elements(a.analysis -> 'observations') o
  where o ->> 'rule' = 'step_blocked' order by (o ->> 'turnIndex')::int desc limit 1)`;

/** How many issues the open list leaves out, by why. */
export function countHidden(em: EntityManager, scope: ReadScope, source: IssueSource): Promise<HiddenIssues> {
  return problems(em, scope, source)
    .select(({ eb, fn }) => {
      const count = () => fn.countAll<number>();
      const hidden = eb('i.section', '=', 'hidden');
      const alone = eb.and([hidden, eb('i.downstreamOfId', 'is', null), eb('i.volume', '>', 0)]);
      const listed = eb.and([eb('i.section', '<>', 'hidden'), eb('i.status', '<>', 'resolved')]);
      return [
        count()
          .filterWhere(eb.and([hidden, eb('i.downstreamOfId', 'is not', null)]))
          .as('folded'),
        count()
          .filterWhere(eb.and([alone, eb('i.confirmed', '=', false)]))
          .as('tooSmall'),
        count()
          .filterWhere(eb.and([alone, eb('i.confirmed', '=', true)]))
          .as('heldBack'),
        count()
          .filterWhere(eb.and([listed, eb('i.snoozedAt', 'is not', null)]))
          .as('snoozed'),
        count()
          .filterWhere(eb.and([eb('i.section', '<>', 'hidden'), eb('i.status', '=', 'resolved')]))
          .as('resolved'),
      ];
    })
    .executeTakeFirstOrThrow();
}

/** Patterns that were seen and are no issue yet, the largest first. */
export function readUnconfirmed(
  em: EntityManager,
  scope: ReadScope,
  source: IssueSource,
): Promise<{ id: string; title: string; place: string; calls: number }[]> {
  return problems(em, scope, source)
    .where('i.confirmed', '=', false)
    .where('i.volume', '>', 0)
    .select(['i.id', 'i.title', 'i.placeLabel as place', 'i.volume as calls'])
    .orderBy('i.volume', 'desc')
    .orderBy('i.severity')
    .orderBy('i.id')
    .limit(10)
    .execute();
}
