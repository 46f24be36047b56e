import { type Expression, type SqlBool, sql } from 'kysely';
import type { Filter } from '../../domain/filters/filter.ts';
import type { CallState, Outcome } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, anyText } from '../expressions.ts';
import { type IntentKind, slugsOfIntent } from '../intents/read-intents.ts';
import { setsThrough } from '../metrics/metric-sums.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';
import { ofCall } from './conditions.ts';
import { NO_START_TIME } from './entities.ts';
import { conditionOf, fewOf } from './filter-conditions.ts';

const COLUMNS = [
  'id',
  'agentId',
  'providerCallId',
  'version',
  'startedAt',
  'endedAt',
  'sortAt',
  'durationMs',
  'direction',
  'disconnectionReason',
  'outcome',
  'outcomeConfidence',
  'objective',
  'callerKind',
  'callerNth',
  'callerOf',
  'turns',
  'callerTurns',
  'agentTurns',
  'toolFailures',
  'frictions',
  'signalCodes',
  'redacted',
  'redactedNames',
] as const;

export interface CallView extends Pick<Row<'calls'>, (typeof COLUMNS)[number]> {
  intentSlug: string | null;
  intentLabel: string | null;
  useCaseSlug: string | null;
  useCaseLabel: string | null;
  subUseCaseSlug: string | null;
  subUseCaseLabel: string | null;
  personaSlug: string | null;
  personaLabel: string | null;
}

/**
 * Analysed calls `c` beside the labels of their intents. An agent has few intents and a page many calls: the labels are
 * read once a page, not four times a row.
 */
export const analysedCalls = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .with(
      (cte) => cte('labels').materialized(),
      (within) =>
        within
          .selectFrom('intents as i')
          .leftJoin('intents as m', 'm.id', 'i.mergedIntoId')
          .where('i.agentId', '=', anyId(scope.agentIds))
          .select(labelsBySlug.as('bySlug')),
    )
    .selectFrom('calls as c')
    .where('c.agentId', '=', anyAgent(scope))
    .where('c.workspaceId', '=', scope.workspaceId)
    .where('c.state', '=', 'analysed');

const labelsBySlug = sql`coalesce(jsonb_object_agg(i.agent_id || i.kind || '/' || i.slug,
  jsonb_build_array(coalesce(m.slug, i.slug), coalesce(m.label, i.label))), '{}')`;

const ofLabels = (kind: IntentKind, slug: Expression<string | null>, part: 'slug' | 'label') =>
  sql<string | null>`(select by_slug from labels) -> (c.agent_id || ${sql.lit(`${kind}/`)} || ${slug})
    ->> ${sql.lit(part === 'slug' ? 0 : 1)}`;

/** A slug that was merged is read as the one that it stands for now. */
export const standingSlug = (kind: IntentKind, slug: Expression<string | null>) =>
  ofCall.fn.coalesce(ofLabels(kind, slug, 'slug'), slug);

const SLUGS = [
  ['intent', 'intentSlug', 'intentLabel'],
  ['use_case', 'useCaseSlug', 'useCaseLabel'],
  ['sub_use_case', 'subUseCaseSlug', 'subUseCaseLabel'],
  ['persona', 'personaSlug', 'personaLabel'],
] as const;

const read = (calls: ReturnType<typeof analysedCalls>): Promise<CallView[]> =>
  calls
    .select(COLUMNS.map((column) => `c.${column}` as const))
    .select(SLUGS.map(([kind, slug]) => standingSlug(kind, ofCall.ref(`c.${slug}`)).as(slug)))
    .select(SLUGS.map(([kind, slug, label]) => ofLabels(kind, ofCall.ref(`c.${slug}`), 'label').as(label)))
    .execute();

export interface CallFilter {
  providerCallId: string | null;
  version: number | null;
  issueId: string | null;
  signal: string | null;
  outcome: Outcome | null;
  /** ISO 8601; at or after. */
  startedFrom: string | null;
  /** ISO 8601; before. */
  startedBefore: string | null;
  intent: string | null;
  /** What a line of text asks beside it. */
  line: Filter | null;
  /** A step of the flow that the call reached, by its id there. */
  step: string | null;
  /** The step that it went to from that one. */
  nextStep: string | null;
}

export const NO_CALL_FILTER: CallFilter = {
  providerCallId: null,
  version: null,
  issueId: null,
  signal: null,
  outcome: null,
  startedFrom: null,
  startedBefore: null,
  intent: null,
  line: null,
  step: null,
  nextStep: null,
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
  const few = filter.line === null ? null : await fewOf(em, scope, filter.line);
  const intents = filter.intent === null ? null : await slugsOfIntent(em, scope, filter.intent);
  const lead = few === null ? await chooseLead(em, scope, filter, intents) : 'few';
  const key = keyOf(lead);
  let calls = analysedCalls(em, scope);
  if (few !== null) calls = calls.where('c.id', '=', anyId(few));
  if (filter.line !== null) calls = calls.where(conditionOf(filter.line, scope));
  if (lead !== 'few' && lead !== 'calls') {
    // The link has the columns that are named by the key.
    calls = calls.$if(true, (all) => all.innerJoin(links(em, scope, filter)[lead].as('l'), 'l.callId', 'c.id'));
  }
  for (const condition of conditionsOf(filter, lead, key, scope)) calls = calls.where(condition);
  if (intents !== null) calls = calls.where(intentIn(intents));
  if (filter.step !== null) calls = calls.where(wentThrough(scope, filter.step, filter.nextStep));
  if (page.after) {
    const [sortAt, id] = page.after;
    calls = calls.where((eb) => eb(eb.refTuple(key.sortAt, key.id), '<', eb.tuple(sortAt, id)));
  }
  return read(
    calls
      .orderBy(key.sortAt, 'desc')
      .orderBy(key.id, 'desc')
      .limit(page.limit + 1),
  );
}

/** `few`: calls that are known by their ids already. */
type Lead = 'calls' | 'signal' | 'issue' | 'few';

/** The columns that a list is filtered and ordered by: of the link table where one leads. */
function keyOf(lead: Lead) {
  const of = lead === 'calls' || lead === 'few' ? 'c' : 'l';
  return {
    // In a form that no index answers where few calls are known: PostgreSQL would walk the others to find them.
    sortAt: lead === 'few' ? sql<string>`(c.sort_at + interval '0')` : sql.ref<string>(`${of}.sortAt`),
    id: sql.ref<string>(of === 'c' ? 'c.id' : 'l.callId'),
    outcome: sql.ref<Outcome | null>(`${of}.outcome`),
    version: sql.ref<number>(`${of}.version`),
  };
}

const links = (em: EntityManager, scope: ReadScope, { signal, issueId }: CallFilter) => ({
  signal: db(em)
    .selectFrom('call_codes')
    .where('agentId', '=', anyAgent(scope))
    .where('code', '=', signal)
    .select(['callId', 'sortAt', 'outcome', 'version']),
  issue: db(em)
    .selectFrom('issue_calls')
    .where('agentId', '=', anyAgent(scope))
    .where('issueId', '=', issueId)
    .select(['callId', 'sortAt', 'outcome', 'version']),
});

function conditionsOf(
  { providerCallId, signal, issueId, outcome, version, startedFrom, startedBefore }: CallFilter,
  lead: Lead,
  key: ReturnType<typeof keyOf>,
  scope: ReadScope,
): Expression<SqlBool>[] {
  const { exists, selectFrom } = ofCall;
  const conditions: Expression<SqlBool>[] = [];
  if (signal !== null && lead !== 'signal') {
    const code = selectFrom('call_codes as x').whereRef('x.callId', '=', 'c.id').where('x.code', '=', signal);
    conditions.push(exists(code.select('x.code')));
  }
  if (issueId !== null && lead !== 'issue') {
    const link = selectFrom('issue_calls as x').whereRef('x.callId', '=', 'c.id').where('x.issueId', '=', issueId);
    conditions.push(exists(link.where('x.agentId', '=', anyAgent(scope)).select('x.issueId')));
  }
  if (providerCallId !== null) conditions.push(ofCall('c.providerCallId', '=', providerCallId));
  if (outcome !== null) conditions.push(ofCall(key.outcome, '=', outcome));
  if (version !== null) conditions.push(ofCall(key.version, '=', version));
  if (startedFrom !== null) conditions.push(ofCall(key.sortAt, '>=', startedFrom));
  if (startedBefore !== null) conditions.push(ofCall(key.sortAt, '<', startedBefore));
  if (startedFrom !== null || startedBefore !== null) conditions.push(ofCall(key.sortAt, '>', NO_START_TIME));
  return conditions;
}

/** Calls share few sets of places. */
const wentThrough = (scope: ReadScope, step: string, next: string | null) =>
  sql<SqlBool>`c.visit_set_id in (${setsThrough(sql`v.agent_id = ${anyAgent(scope)}`, step, next)})`;

/** One slug is an equality, for which the index hands out calls in order; several are there only while a merge goes on. */
function intentIn(slugs: readonly string[]): Expression<SqlBool> {
  const [only, second] = slugs;
  return ofCall('c.intentSlug', '=', only !== undefined && second === undefined ? only : anyText(slugs));
}

/** One filter with a link table leads by itself; of several the one with the fewest calls does, by counts that are kept anyway. */
async function chooseLead(
  em: EntityManager,
  scope: ReadScope,
  filter: CallFilter,
  intents: string[] | null,
): Promise<Lead> {
  const { signal, issueId } = filter;
  if (signal === null && issueId === null) return 'calls';
  if (intents === null && issueId === null) return 'signal';
  if (intents === null && signal === null) return 'issue';
  const found = await db(em)
    .selectNoFrom(({ fn, selectFrom }) => {
      const issues = selectFrom('issues').where('agentId', '=', anyAgent(scope));
      const named = selectFrom('intents').where('agentId', '=', anyAgent(scope)).where('kind', '=', 'intent');
      return [
        issues
          .where('code', '=', signal)
          .select(fn.sum<number | null>(sql.ref('volume')).as('calls'))
          .as('signal'),
        issues.where('id', '=', issueId).select('volume').as('issue'),
        named
          .where('slug', '=', anyText(intents ?? []))
          .select(fn.sum<number | null>(sql.ref('calls')).as('calls'))
          .as('intent'),
      ];
    })
    .executeTakeFirstOrThrow();
  const counts = {
    signal: signal === null ? Number.POSITIVE_INFINITY : (found.signal ?? 0),
    issue: issueId === null ? Number.POSITIVE_INFINITY : (found.issue ?? 0),
    calls: intents === null ? Number.POSITIVE_INFINITY : (found.intent ?? 0),
  };
  const leads = ['signal', 'issue', 'calls'] as const;
  return leads.reduce((best, lead) => (counts[lead] < counts[best] ? lead : best));
}

export async function findAnalysedCall(em: EntityManager, scope: ReadScope, callId: string): Promise<CallView | null> {
  const [call] = await read(analysedCalls(em, scope).where('c.id', '=', callId));
  return call ?? null;
}

/** Analysed calls of the agents by their ids, in no order; others are left out. */
export async function findCallsById(em: EntityManager, scope: ReadScope, ids: readonly string[]): Promise<CallView[]> {
  return ids.length === 0 ? [] : read(analysedCalls(em, scope).where('c.id', '=', anyId(ids)));
}

/** Any call of the agent with where it stands, also one that waits. */
export async function findCallState(
  em: EntityManager,
  scope: ReadScope,
  callId: string,
): Promise<{ id: string; state: CallState } | null> {
  const call = await db(em)
    .selectFrom('calls')
    .where('id', '=', callId)
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .select(['id', 'state'])
    .executeTakeFirst();
  return call ?? null;
}
