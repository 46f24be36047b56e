import { sql } from 'kysely';
import { byVersion } from '../../domain/issues/by-version.ts';
import type { IssueClass, IssueSource, IssueStatus } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { digestOf } from '../evidence/every-call.ts';
import { anyText } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

type OfIssue = Exclude<(typeof COLUMNS)[number], 'callsByVersion'>;

export interface IssueView extends Pick<Row<'issues'>, OfIssue> {
  withdrawn: boolean;
  recommendation: string | null;
  downstreamOfKey: string | null;
  byVersion: { version: number; calls: number; total: number; rate: number }[];
  /** Calls linked as evidence. */
  evidenceCalls: number;
  consequences: { id: string; key: string; title: string; volume: number }[];
}

const COLUMNS = [
  'id',
  'agentId',
  'key',
  'source',
  'code',
  'placeKind',
  'placeId',
  'placeLabel',
  'klass',
  'lane',
  'severity',
  'title',
  'status',
  'countOnly',
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
  'volume',
  'rate',
  'failedOutcomeShare',
  'impact',
  'confidence',
  'orderKey',
  'priorityParts',
  'firstSeenVersion',
  'lastSeenVersion',
  'fellOnLive',
  'callsByVersion',
  'diagnosis',
  'fix',
  'createdAt',
  'updatedAt',
] as const;

const withinScope = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .selectFrom('issues as i')
    .where('i.agentId', '=', anyAgent(scope))
    .where('i.workspaceId', '=', scope.workspaceId);

/** Linked calls are summed from the rollup, one row a version; consequences come with the row, so that a page is one statement. */
async function read(issues: ReturnType<typeof withinScope>): Promise<IssueView[]> {
  const rows = await issues
    .leftJoin('issues as parent', 'parent.id', 'i.downstreamOfId')
    .select(COLUMNS.map((column) => `i.${column}` as const))
    .select('parent.key as downstreamOfKey')
    .select(({ eb, fn, ref, selectFrom, val }) => [
      eb('i.withdrawnAt', 'is not', null).$castTo<boolean>().as('withdrawn'),
      fn
        .coalesce(
          selectFrom('model_wordings as w')
            .whereRef('w.subjectId', '=', 'i.id')
            .where('w.digest', '=', digestOf(ref('i.recommendation')))
            .select('w.text'),
          'i.recommendation',
        )
        .as('recommendation'),
      selectFrom('agents')
        .whereRef('agents.id', '=', 'i.agentId')
        .select('agents.versionTotals')
        .$asScalar()
        .$notNull()
        .as('versionTotals'),
      fn
        .coalesce(
          selectFrom('issue_rollups as r')
            .whereRef('r.issueId', '=', 'i.id')
            .select((one) => one.fn.sum<number>('r.calls').as('calls')),
          val(0),
        )
        .as('evidenceCalls'),
      consequences.as('consequences'),
    ])
    .execute();
  return rows.map(({ callsByVersion, versionTotals, ...row }) => ({
    ...row,
    byVersion: byVersion(versionTotals, callsByVersion),
  }));
}

const consequences = sql<IssueView['consequences']>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'key', c.key, 'title', c.title, 'volume', c.volume)
    order by c.volume desc, c.id), '[]')
  from issues c where c.downstream_of_id = i.id and c.withdrawn_at is null)`;

export interface BoardFilter {
  source: IssueSource;
  statuses: readonly IssueStatus[] | null;
  classes: readonly IssueClass[] | null;
  includeResolved: boolean;
  includeDownstream: boolean;
}

/** Where a page of the board ended: among the listed rows, or among the consequences after them. */
export interface BoardPosition {
  downstream: boolean;
  last: boolean;
  fell: boolean;
  negatedOrderKey: number;
  id: string;
}

/** The board in its order: listed rows, then, where asked for, the consequences that are folded under others. */
export async function listBoard(
  em: EntityManager,
  scope: ReadScope,
  filter: BoardFilter,
  page: { after: BoardPosition | null; limit: number },
): Promise<IssueView[]> {
  const rows =
    page.after?.downstream === true ? [] : await listRows(em, scope, filter, false, page.after, page.limit + 1);
  if (!filter.includeDownstream || rows.length > page.limit) return rows;
  const after = page.after?.downstream ? page.after : null;
  return [...rows, ...(await listRows(em, scope, filter, true, after, page.limit + 1 - rows.length))];
}

async function listRows(
  em: EntityManager,
  scope: ReadScope,
  filter: BoardFilter,
  downstream: boolean,
  after: BoardPosition | null,
  limit: number,
): Promise<IssueView[]> {
  let issues = withinScope(em, scope)
    .where('i.withdrawnAt', 'is', null)
    .where('i.klass', '<>', 'behaviour')
    .where('i.source', '=', filter.source);
  if (downstream) {
    issues = issues
      .where('i.section', '=', 'hidden')
      .where('i.downstreamOfId', 'is not', null)
      .where('i.confirmed', '=', true)
      .where('i.countOnly', '=', false);
  } else issues = issues.where('i.section', '<>', 'hidden');
  if (filter.statuses) issues = issues.where('i.status', '=', anyText(filter.statuses));
  else if (!filter.includeResolved) issues = issues.where('i.status', '<>', 'resolved');
  if (filter.classes) issues = issues.where('i.klass', '=', anyText(filter.classes));
  const last = downstream ? sql<boolean>`(not i.cause_established)` : sql<boolean>`(i.section = 'not_established')`;
  if (after) {
    issues = issues.where(sql<boolean>`(${last}, i.fell_on_live, i.board_rank, i.id)
      > (${after.last}::boolean, ${after.fell}::boolean, ${after.negatedOrderKey}::float8, ${after.id}::uuid)`);
  }
  return read(issues.orderBy(last).orderBy('i.fellOnLive').orderBy('i.boardRank').orderBy('i.id').limit(limit));
}

export function boardPosition(issue: IssueView): BoardPosition {
  const downstream = issue.section === 'hidden';
  return {
    downstream,
    last: downstream ? !issue.causeEstablished : issue.section === 'not_established',
    fell: issue.fellOnLive,
    negatedOrderKey: -issue.orderKey,
    id: issue.id,
  };
}

/** Any issue of the agent, also hidden and withdrawn ones. */
export async function findIssue(em: EntityManager, scope: ReadScope, issueId: string): Promise<IssueView | null> {
  const [issue] = await read(withinScope(em, scope).where('i.id', '=', issueId));
  return issue ?? null;
}
