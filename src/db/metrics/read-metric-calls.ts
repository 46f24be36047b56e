import { type RawBuilder, sql } from 'kysely';
import { type CallView, findCallsById } from '../calls/read-calls.ts';
import type { EntityManager } from '../database.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';
import { callsIn, type MetricGroup, type MetricSlice } from './read-metrics.ts';

/** Which calls of a metric: all that it is taken over, those it is true of, the others, those that could not be read. */
export const METRIC_PARTS = ['all', 'yes', 'no', 'not_read'] as const;
export type MetricPart = (typeof METRIC_PARTS)[number];

interface Conditions {
  over: RawBuilder<unknown>;
  /** Left out for medians, which are true of no call. */
  is?: RawBuilder<unknown>;
  notRead?: RawBuilder<unknown>;
}

const contact = sql`c.outcome <> 'no_contact'`;
const unknown = sql`c.outcome is null`;
const outcome = (name: string): Conditions => ({ over: contact, is: sql`c.outcome = ${name}`, notRead: unknown });
const unread = (column: string): Conditions => ({
  over: sql`${sql.ref(column)} is not null`,
  notRead: sql`${contact} and ${sql.ref(column)} is null`,
});

function conditionsOf(metric: string, settledUntil: string): Conditions {
  const known = sql`c.caller_key is not null and c.started_at is not null`;
  const settled = sql`c.started_at < ${`${settledUntil}T00:00:00.000Z`}::timestamptz`;
  const all: Readonly<Record<string, Conditions>> = {
    got_it_done: outcome('resolved'),
    unresolved: outcome('unresolved'),
    abandoned: outcome('abandoned'),
    handed_off: outcome('transferred'),
    no_contact: { over: sql`c.outcome is not null`, is: sql`c.outcome = 'no_contact'`, notRead: unknown },
    tool_failure: { over: sql`c.tool_results > 0`, is: sql`c.tool_failures > 0` },
    friction: { over: sql`true`, is: sql`c.frictions > 0` },
    repeat_call: {
      over: sql`${known} and ${settled}`,
      is: sql`c.called_again`,
      notRead: sql`${known} and not ${settled}`,
    },
    response_latency_p50_ms: unread('c.response_median_ms'),
    response_latency_p90_ms: unread('c.response_slow_ms'),
    duration_ms: { over: contact },
  };
  return all[metric] ?? { over: sql`false` };
}

/** The parts that a metric can be asked for. */
export function partsOfMetric(metric: string): MetricPart[] {
  const { is, notRead } = conditionsOf(metric, '0001-01-01');
  return METRIC_PARTS.filter((part) => part === 'all' || (part === 'not_read' ? notRead : is) !== undefined);
}

export interface MetricCallGroup {
  /** As in the sums of the group. */
  key: string;
  /** How many calls of the part there are at most; the search ends with the last of them. */
  atMost: number;
}

export interface MetricCallsAsked {
  metric: string;
  part: MetricPart;
  settledUntil: string;
  by: MetricGroup;
  groups: readonly MetricCallGroup[];
  /** Calls a group at most. */
  limit: number;
}

/** The newest calls of each group. */
export async function readMetricCalls(
  em: EntityManager,
  scope: ReadScope,
  slice: MetricSlice,
  asked: MetricCallsAsked,
): Promise<Map<string, CallView[]>> {
  const branches = await branchesOf(em, scope, asked);
  if (branches.length === 0) return new Map();
  const conditions = conditionsOf(asked.metric, asked.settledUntil);
  const part = {
    all: conditions.over,
    yes: sql`${conditions.over} and ${conditions.is ?? sql`false`}`,
    no: sql`${conditions.over} and not (${conditions.is ?? sql`true`})`,
    not_read: conditions.notRead ?? sql`false`,
  }[asked.part];
  // One search a group, each with its own values: only so does each walk the index that holds its calls in order.
  const searches = branches.map(
    ({ key, where, limit }) => sql`(select ${key}::text as key, c.id, c.sort_at from calls c
      where ${callsIn(scope, slice)} and ${part} and ${where} order by c.sort_at desc, c.id desc limit ${limit})`,
  );
  const { rows } = await sql<{ key: string; id: string }>`
    select key, id from (${sql.join(searches, sql` union all `)}) found order by sort_at desc, id desc`.execute(
    em.getKysely(),
  );
  const ids = new Map<string, string[]>();
  for (const { key, id } of rows) {
    const group = ids.get(key) ?? [];
    ids.set(key, group);
    if (group.length < asked.limit) group.push(id);
  }
  const calls = new Map((await findCallsById(em, scope, [...ids.values()].flat())).map((call) => [call.id, call]));
  return new Map([...ids].map(([key, group]) => [key, group.flatMap((id) => calls.get(id) ?? [])]));
}

interface Branch {
  key: string;
  where: RawBuilder<unknown>;
  limit: number;
}

async function branchesOf(em: EntityManager, scope: ReadScope, asked: MetricCallsAsked): Promise<Branch[]> {
  const wanted = asked.groups.filter(({ atMost }) => atMost > 0);
  const limitOf = (group: MetricCallGroup) => Math.min(asked.limit, group.atMost);
  if (asked.by !== 'useCase') {
    return wanted.map((group) => ({ key: group.key, where: inGroup(asked.by, group.key), limit: limitOf(group) }));
  }
  // No index begins with the use case: its calls are found by the intents that are part of it.
  const { rows } = await sql<{ useCase: string; intent: string }>`
    select distinct use_case_slug as "useCase", intent_slug as intent from metric_counts
    where ${ofAgents('agent_id', scope)} and use_case_slug = any(${wanted.map(({ key }) => key)}::text[])
    order by 1, 2`.execute(em.getKysely());
  return wanted.flatMap((group) =>
    rows
      .filter(({ useCase }) => useCase === group.key)
      .map(({ intent }) => ({
        key: group.key,
        where: sql`${inGroup('intent', intent)} and ${inGroup('useCase', group.key)}`,
        limit: limitOf(group),
      })),
  );
}

function inGroup(by: MetricGroup, key: string): RawBuilder<unknown> {
  const slug = (column: RawBuilder<unknown>) => (key === '' ? sql`${column} is null` : sql`${column} = ${key}`);
  switch (by) {
    case 'none':
      return sql`true`;
    case 'version':
      return sql`c.version = ${Number(key)}`;
    case 'outcome':
      return key === '' ? unknown : sql`c.outcome = ${key}`;
    case 'intent':
      return slug(sql`c.intent_slug`);
    case 'useCase':
      return slug(sql`c.use_case_slug`);
    case 'day':
      return sql`c.sort_at >= ${`${key}T00:00:00.000Z`}::timestamptz
        and c.sort_at < ${`${key}T00:00:00.000Z`}::timestamptz + interval '1 day'`;
  }
}
