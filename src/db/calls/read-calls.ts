import { type RawBuilder, sql } from 'kysely';
import type { CallerKind, CallState, Direction, Outcome } from '../../domain/vocabulary.ts';
import { toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { slugsOfIntent } from '../intents/read-intents.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';
import { NO_START_TIME } from './entities.ts';

export interface CallView {
  id: string;
  agentId: string;
  providerCallId: string;
  version: number;
  startedAt: string | null;
  endedAt: string | null;
  /** PostgreSQL's own text of the sort key: what cursors carry, so that no digit is lost. */
  sortAt: string;
  durationMs: number;
  direction: Direction;
  disconnectionReason: string;
  outcome: Outcome | null;
  outcomeConfidence: number | null;
  objective: string | null;
  intentSlug: string | null;
  intentLabel: string | null;
  useCaseSlug: string | null;
  useCaseLabel: string | null;
  subUseCaseSlug: string | null;
  subUseCaseLabel: string | null;
  personaSlug: string | null;
  personaLabel: string | null;
  callerKind: CallerKind;
  callerNth: number;
  callerOf: number;
  turns: number;
  callerTurns: number;
  agentTurns: number;
  toolFailures: number;
  frictions: number;
  signalCodes: string[];
}

/** An agent has few intents and a page many calls: the labels are read once a page, not four times a row. */
export const labels = (scope: ReadScope) => sql`
  labels as materialized (
    select coalesce(jsonb_object_agg(i.agent_id || i.kind || '/' || i.slug,
      jsonb_build_array(coalesce(m.slug, i.slug), coalesce(m.label, i.label))), '{}') as by_slug
    from intents i left join intents m on m.id = i.merged_into_id
    where i.agent_id = any(${[...scope.agentIds]}::uuid[])
  )
`;

const named = (kind: string, slug: RawBuilder<unknown>) => sql`
  (select by_slug from labels) -> (c.agent_id || ${sql.lit(`${kind}/`)} || ${slug})
`;
const label = (kind: string, slug: RawBuilder<unknown>) => sql`${named(kind, slug)} ->> 1`;
/** A slug that was merged is read as the one that it stands for now. */
export const standingSlug = (kind: string, slug: RawBuilder<unknown>) =>
  sql`coalesce(${named(kind, slug)} ->> 0, ${slug})`;

const columns = sql`
  c.id, c.agent_id, c.provider_call_id, c.version, c.started_at,
  c.ended_at, c.sort_at, c.duration_ms, c.direction,
  c.disconnection_reason, c.outcome, c.outcome_confidence, c.objective,
  ${standingSlug('intent', sql`c.intent_slug`)} as intent_slug, ${label('intent', sql`c.intent_slug`)} as intent_label,
  ${standingSlug('use_case', sql`c.use_case_slug`)} as use_case_slug, ${label('use_case', sql`c.use_case_slug`)} as use_case_label,
  ${standingSlug('sub_use_case', sql`c.sub_use_case_slug`)} as sub_use_case_slug, ${label('sub_use_case', sql`c.sub_use_case_slug`)} as sub_use_case_label,
  ${standingSlug('persona', sql`c.persona_slug`)} as persona_slug, ${label('persona', sql`c.persona_slug`)} as persona_label,
  c.caller_kind, c.caller_nth, c.caller_of, c.turns,
  c.caller_turns, c.agent_turns, c.tool_failures, c.frictions,
  c.signal_codes
`;

const toView = (row: CallView): CallView => ({
  ...row,
  startedAt: toIsoOrNull(row.startedAt),
  endedAt: toIsoOrNull(row.endedAt),
});

export interface CallFilter {
  version: number | null;
  issueId: string | null;
  signal: string | null;
  outcome: Outcome | null;
  /** ISO 8601; at or after. */
  startedFrom: string | null;
  /** ISO 8601; before. */
  startedBefore: string | null;
  intent: string | null;
}

export const NO_CALL_FILTER: CallFilter = {
  version: null,
  issueId: null,
  signal: null,
  outcome: null,
  startedFrom: null,
  startedBefore: null,
  intent: null,
};

export type CallPosition = readonly [sortAt: string, id: string];

/**
 * Analysed calls, newest first, those without a start time last. The order of a call never changes, so that a walk
 * shows each call that was there at its start exactly once. Signals and issues have link tables in the same order:
 * the rarest of the given filters leads, and the others are looked up call by call.
 */
export async function listCalls(
  em: EntityManager,
  scope: ReadScope,
  filter: CallFilter,
  page: { after: CallPosition | null; limit: number },
): Promise<CallView[]> {
  const intents = filter.intent === null ? null : await slugsOfIntent(em, scope, filter.intent);
  const lead = await chooseLead(em, scope, filter, intents);
  const from = {
    calls: sql`calls c`,
    signal: sql`call_codes l join calls c on c.id = l.call_id`,
    issue: sql`issue_calls l join calls c on c.id = l.call_id`,
  }[lead];
  const key =
    lead === 'calls' ? { sortAt: sql`c.sort_at`, id: sql`c.id` } : { sortAt: sql`l.sort_at`, id: sql`l.call_id` };
  const facts =
    lead === 'calls'
      ? { outcome: sql`c.outcome`, version: sql`c.version` }
      : { outcome: sql`l.outcome`, version: sql`l.version` };

  const where: RawBuilder<unknown>[] = [
    sql`${ofAgents('c.agent_id', scope)}`,
    sql`c.workspace_id = ${scope.workspaceId}`,
    sql`c.state = 'analysed'`,
  ];
  if (lead === 'signal') where.push(sql`${ofAgents('l.agent_id', scope)}`, sql`l.code = ${filter.signal}`);
  else if (filter.signal !== null) {
    where.push(sql`exists (select 1 from call_codes x where x.call_id = c.id and x.code = ${filter.signal})`);
  }
  if (lead === 'issue') where.push(sql`${ofAgents('l.agent_id', scope)}`, sql`l.issue_id = ${filter.issueId}`);
  else if (filter.issueId !== null) {
    where.push(sql`exists (select 1 from issue_calls x where x.call_id = c.id and x.issue_id = ${filter.issueId}
      and ${ofAgents('x.agent_id', scope)})`);
  }
  if (filter.outcome !== null) where.push(sql`${facts.outcome} = ${filter.outcome}`);
  if (filter.version !== null) where.push(sql`${facts.version} = ${filter.version}`);
  if (intents !== null) where.push(intentIn(intents));
  if (filter.startedFrom !== null) where.push(sql`${key.sortAt} >= ${filter.startedFrom}::timestamptz`);
  if (filter.startedBefore !== null) where.push(sql`${key.sortAt} < ${filter.startedBefore}::timestamptz`);
  if (filter.startedFrom !== null || filter.startedBefore !== null) {
    where.push(sql`${key.sortAt} > ${NO_START_TIME}::timestamptz`);
  }
  if (page.after) {
    where.push(sql`(${key.sortAt}, ${key.id}) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`);
  }

  const { rows } = await sql<CallView>`
    with ${labels(scope)}
    select ${columns} from ${from} where ${sql.join(where, sql` and `)}
    order by ${key.sortAt} desc, ${key.id} desc limit ${page.limit + 1}
  `.execute(db(em));
  return rows.map(toView);
}

/** One slug is an equality, for which the index hands out calls in order; several are there only while a merge goes on. */
function intentIn(slugs: readonly string[]): RawBuilder<unknown> {
  const [only, second] = slugs;
  return second === undefined ? sql`c.intent_slug = ${only}` : sql`c.intent_slug = any(${[...slugs]}::text[])`;
}

/** One filter with a link table leads by itself; of several the one with the fewest calls does, by counts that are kept anyway. */
async function chooseLead(
  em: EntityManager,
  scope: ReadScope,
  filter: CallFilter,
  intents: string[] | null,
): Promise<'calls' | 'signal' | 'issue'> {
  const { signal, issueId } = filter;
  if (signal === null && issueId === null) return 'calls';
  if (intents === null && issueId === null) return 'signal';
  if (intents === null && signal === null) return 'issue';
  const { rows } = await sql<{ signal: number | null; issue: number | null; intent: number | null }>`
    select
      (select sum(volume)::float8 from issues where ${ofAgents('agent_id', scope)} and code = ${signal}) as signal,
      (select volume::float8 from issues where ${ofAgents('agent_id', scope)} and id = ${issueId}::uuid) as issue,
      (select sum(calls)::float8 from intents where ${ofAgents('agent_id', scope)} and kind = 'intent'
        and slug = any(${intents}::text[])) as intent
  `.execute(db(em));
  const counts = {
    signal: signal === null ? Number.POSITIVE_INFINITY : (rows[0]?.signal ?? 0),
    issue: issueId === null ? Number.POSITIVE_INFINITY : (rows[0]?.issue ?? 0),
    calls: intents === null ? Number.POSITIVE_INFINITY : (rows[0]?.intent ?? 0),
  };
  const leads = ['signal', 'issue', 'calls'] as const;
  return leads.reduce((best, lead) => (counts[lead] < counts[best] ? lead : best));
}

export async function findAnalysedCall(em: EntityManager, scope: ReadScope, callId: string): Promise<CallView | null> {
  const { rows } = await sql<CallView>`
    with ${labels(scope)}
    select ${columns} from calls c
    where c.id = ${callId} and ${ofAgents('c.agent_id', scope)}
      and c.workspace_id = ${scope.workspaceId} and c.state = 'analysed'
  `.execute(db(em));
  return rows[0] ? toView(rows[0]) : null;
}

/** Analysed calls of the agents by their ids, in no order; others are left out. */
export async function findCallsById(em: EntityManager, scope: ReadScope, ids: readonly string[]): Promise<CallView[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<CallView>`
    with ${labels(scope)}
    select ${columns} from calls c
    where c.id = any(${[...ids]}::uuid[]) and ${ofAgents('c.agent_id', scope)}
      and c.workspace_id = ${scope.workspaceId} and c.state = 'analysed'
  `.execute(db(em));
  return rows.map(toView);
}

/** Any call of the agent with where it stands, also one that waits. */
export async function findCallState(
  em: EntityManager,
  scope: ReadScope,
  callId: string,
): Promise<{ id: string; state: CallState } | null> {
  const { rows } = await sql<{ id: string; state: CallState }>`
    select id, state from calls
    where id = ${callId} and ${ofAgents('agent_id', scope)} and workspace_id = ${scope.workspaceId}
  `.execute(db(em));
  return rows[0] ?? null;
}
