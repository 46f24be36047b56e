import { sql } from 'kysely';
import { byVersion, type VersionCalls, type VersionTotals } from '../../domain/issues/by-version.ts';
import type { JsonObject } from '../../domain/json.ts';
import type {
  Impact,
  IssueClass,
  IssueSource,
  IssueStatus,
  Lane,
  PlaceKind,
  Section,
  Severity,
} from '../../domain/vocabulary.ts';
import { toIso, toNumber } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';

export interface IssueView {
  id: string;
  agentId: string;
  key: string;
  source: IssueSource;
  code: string;
  placeKind: PlaceKind;
  placeId: string;
  placeLabel: string;
  klass: IssueClass;
  lane: Lane | null;
  severity: Severity;
  title: string;
  status: IssueStatus;
  countOnly: boolean;
  confirmed: boolean;
  withdrawn: boolean;
  causeCode: string | null;
  causeLabel: string | null;
  causeDetail: string | null;
  causeEstablished: boolean;
  section: Section;
  sectionNote: string | null;
  targetKind: string;
  targetId: string;
  targetLabel: string;
  symptoms: { code: string; label: string; count: number }[];
  intentSlug: string | null;
  likelyCause: string | null;
  recommendation: string | null;
  volume: number;
  rate: number;
  failedOutcomeShare: number;
  impact: Impact;
  confidence: number;
  orderKey: number;
  priorityParts: JsonObject;
  downstreamOfKey: string | null;
  firstSeenVersion: number | null;
  lastSeenVersion: number | null;
  fellOnLive: boolean;
  byVersion: { version: number; calls: number; total: number; rate: number }[];
  diagnosis: JsonObject | null;
  fix: JsonObject | null;
  /** Calls linked as evidence. */
  evidenceCalls: number;
  consequences: { id: string; key: string; title: string; volume: number }[];
  createdAt: string;
  updatedAt: string;
}

// Linked calls are summed from the rollup, one row a version; consequences come with the row, so that a page is one statement.
const columns = sql`
  i.id, i.agent_id, i.key, i.source, i.code, i.place_kind, i.place_id,
  i.place_label, i.klass, i.lane, i.severity, i.title, i.status, i.count_only,
  i.confirmed, i.withdrawn_at is not null as withdrawn, i.cause_code, i.cause_label,
  i.cause_detail, i.cause_established, i.section,
  i.section_note, i.target_kind, i.target_id,
  i.target_label, i.symptoms, i.intent_slug, i.likely_cause,
  coalesce((select w.text from model_wordings w where w.subject_id = i.id and w.digest = md5(i.recommendation)),
    i.recommendation) as recommendation, i.volume, i.rate, i.failed_outcome_share, i.impact, i.confidence,
  i.order_key, i.priority_parts, parent.key as downstream_of_key,
  i.first_seen_version, i.last_seen_version,
  i.fell_on_live, i.calls_by_version,
  (select version_totals from agents where agents.id = i.agent_id) as version_totals, i.diagnosis, i.fix,
  i.created_at, i.updated_at,
  (select coalesce(sum(calls), 0) from issue_rollups where issue_id = i.id) as evidence_calls,
  (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'key', c.key, 'title', c.title, 'volume', c.volume)
      order by c.volume desc, c.id), '[]')
    from issues c where c.downstream_of_id = i.id and c.withdrawn_at is null) as consequences
`;
const tables = sql`issues i left join issues parent on parent.id = i.downstream_of_id`;

interface IssueViewRow extends Omit<IssueView, 'byVersion'> {
  callsByVersion: VersionCalls;
  versionTotals: VersionTotals;
}

function toView({ callsByVersion, versionTotals, ...row }: IssueViewRow): IssueView {
  return {
    ...row,
    byVersion: byVersion(versionTotals, callsByVersion),
    evidenceCalls: toNumber(row.evidenceCalls),
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  };
}

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
  const last = downstream ? sql`(not i.cause_established)` : sql`(i.section = 'not_established')`;
  const which = downstream
    ? sql`i.section = 'hidden' and i.downstream_of_id is not null and i.confirmed and not i.count_only`
    : sql`i.section <> 'hidden'`;
  const statuses = filter.statuses
    ? sql`and i.status = any(${[...filter.statuses]}::text[])`
    : filter.includeResolved
      ? sql``
      : sql`and i.status <> 'resolved'`;
  const classes = filter.classes ? sql`and i.klass = any(${[...filter.classes]}::text[])` : sql``;
  const beyond = after
    ? sql`and (${last}, i.fell_on_live, (- i.order_key), i.id)
        > (${after.last}::boolean, ${after.fell}::boolean, ${after.negatedOrderKey}::float8, ${after.id}::uuid)`
    : sql``;
  const { rows } = await sql<IssueViewRow>`
    select ${columns} from ${tables}
    where ${ofAgents('i.agent_id', scope)} and i.workspace_id = ${scope.workspaceId}
      and ${which} and i.withdrawn_at is null and i.klass <> 'behaviour' and i.source = ${filter.source}
      ${statuses} ${classes} ${beyond}
    order by ${last}, i.fell_on_live, (- i.order_key), i.id limit ${limit}
  `.execute(db(em));
  return rows.map(toView);
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
  const { rows } = await sql<IssueViewRow>`
    select ${columns} from ${tables}
    where i.id = ${issueId} and ${ofAgents('i.agent_id', scope)}
      and i.workspace_id = ${scope.workspaceId}
  `.execute(db(em));
  return rows[0] ? toView(rows[0]) : null;
}
