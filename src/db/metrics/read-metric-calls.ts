import type { Expression, SqlBool } from 'kysely';
import type { Outcome } from '../../domain/vocabulary.ts';
import { ofCall } from '../calls/conditions.ts';
import { isCounted } from '../calls/nobodys-failure.ts';
import { type CallView, findCallsById } from '../calls/read-calls.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import { callsIn, type MetricGroup, type MetricSlice } from './read-metrics.ts';

/** Which calls of a metric: all that it is taken over, those it is true of, the others, those that could not be read. */
export const METRIC_PARTS = ['all', 'yes', 'no', 'not_read'] as const;
export type MetricPart = (typeof METRIC_PARTS)[number];

type Condition = Expression<SqlBool>;

interface Conditions {
  over: Condition;
  /** Left out for medians, which are true of no call. */
  is?: Condition;
  notRead?: Condition;
  /** What the metric takes from a call, more of which is worse; left out where it only is true or not. */
  measure?: Measure;
}

type Measure = 'c.responseMedianMs' | 'c.responseSlowMs' | 'c.durationMs' | 'c.toolFailures' | 'c.frictions';

const { and, lit, not } = ofCall;
const contact = ofCall('c.outcome', '<>', 'no_contact');
const unknown = ofCall('c.outcome', 'is', null);
const outcome = (name: Outcome): Conditions => ({
  over: isCounted,
  is: ofCall('c.outcome', '=', name),
  notRead: unknown,
});
const unread = (column: 'c.responseMedianMs' | 'c.responseSlowMs'): Conditions => ({
  measure: column,
  over: ofCall(column, 'is not', null),
  notRead: and([contact, ofCall(column, 'is', null)]),
});

function conditionsOf(metric: string, settledUntil: string): Conditions {
  const known = and([ofCall('c.callerKey', 'is not', null), ofCall('c.startedAt', 'is not', null)]);
  const settled = ofCall('c.startedAt', '<', dayStart(settledUntil));
  const all: Readonly<Record<string, Conditions>> = {
    got_it_done: outcome('resolved'),
    unresolved: outcome('unresolved'),
    abandoned: outcome('abandoned'),
    handed_off: outcome('transferred'),
    no_contact: {
      over: ofCall('c.outcome', 'is not', null),
      is: ofCall('c.outcome', '=', 'no_contact'),
      notRead: unknown,
    },
    tool_failure: {
      over: ofCall('c.toolResults', '>', 0),
      is: ofCall('c.toolFailures', '>', 0),
      measure: 'c.toolFailures',
    },
    friction: { over: lit(true), is: ofCall('c.frictions', '>', 0), measure: 'c.frictions' },
    repeat_call: {
      over: and([known, settled]),
      is: ofCall('c.calledAgain', '=', true),
      notRead: and([known, not(settled)]),
    },
    response_latency_p50_ms: unread('c.responseMedianMs'),
    response_latency_p90_ms: unread('c.responseSlowMs'),
    duration_ms: { over: contact, measure: 'c.durationMs' },
  };
  return all[metric] ?? { over: lit(false) };
}

const dayStart = (day: string) => `${day}T00:00:00.000Z`;

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
  /** Newest first, or by what the metric takes from each, most first. */
  order: 'newest' | 'worst';
  /** Calls a group at most. */
  limit: number;
}

export interface MetricCall {
  call: CallView;
  /** Milliseconds, a count, or 1 and 0; null where it could not be read. */
  value: number | null;
}

/** The first calls of each group, with what the metric takes from each. */
export async function readMetricCalls(
  em: EntityManager,
  scope: ReadScope,
  slice: MetricSlice,
  asked: MetricCallsAsked,
): Promise<Map<string, MetricCall[]>> {
  const branches = await branchesOf(em, scope, asked);
  if (branches.length === 0) return new Map();
  const { over, is, notRead, measure } = conditionsOf(asked.metric, asked.settledUntil);
  const part = {
    all: over,
    yes: and([over, is ?? lit(false)]),
    no: and([over, not(is ?? lit(true))]),
    not_read: notRead ?? lit(false),
  }[asked.part];
  const isWorstFirst = asked.order === 'worst' && measure !== undefined;
  // One search a group, each with its own values: only so does each walk the index that holds its calls in order.
  const searches = branches.map(({ key, where, limit }) =>
    db(em)
      .selectFrom('calls as c')
      .where(callsIn(scope, slice))
      .where(part)
      .where(where)
      .select(({ cast, val }) => [cast<string>(val(key), 'text').as('key'), 'c.id', 'c.sortAt'])
      .select((eb) => (measure ? eb.ref(measure) : eb.cast<number | null>(is ?? lit(null), 'integer')).as('value'))
      .$if(isWorstFirst, (search) => search.orderBy('value', (by) => by.desc().nullsLast()))
      .orderBy('c.sortAt', 'desc')
      .orderBy('c.id', 'desc')
      .limit(limit),
  );
  const found = searches
    .map((search) => db(em).selectFrom(search.as('found')).selectAll())
    .reduce((all, search) => all.unionAll(search));
  const rows = await db(em)
    .selectFrom(found.as('found'))
    .select(['key', 'id', 'value'])
    .$if(isWorstFirst, (all) => all.orderBy('value', (by) => by.desc().nullsLast()))
    .orderBy('sortAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const chosen = new Map<string, { id: string; value: number | null }[]>();
  for (const { key, ...row } of rows) {
    const group = chosen.get(key) ?? [];
    chosen.set(key, group);
    if (group.length < asked.limit) group.push(row);
  }
  const ids = [...chosen.values()].flat().map(({ id }) => id);
  const calls = new Map((await findCallsById(em, scope, ids)).map((call) => [call.id, call]));
  const withCall = ({ id, value }: { id: string; value: number | null }) => {
    const call = calls.get(id);
    return call ? [{ call, value }] : [];
  };
  return new Map([...chosen].map(([key, group]) => [key, group.flatMap(withCall)]));
}

interface Branch {
  key: string;
  where: Condition;
  limit: number;
}

async function branchesOf(em: EntityManager, scope: ReadScope, asked: MetricCallsAsked): Promise<Branch[]> {
  const wanted = asked.groups.filter(({ atMost }) => atMost > 0);
  const limitOf = (group: MetricCallGroup) => Math.min(asked.limit, group.atMost);
  if (asked.by !== 'useCase') {
    return wanted.map((group) => ({ key: group.key, where: inGroup(asked.by, group.key), limit: limitOf(group) }));
  }
  // No index begins with the use case: its calls are found by the intents that are part of it.
  const rows = await db(em)
    .selectFrom('metric_counts')
    .where('agentId', '=', anyAgent(scope))
    .where('useCaseSlug', '=', anyText(wanted.map(({ key }) => key)))
    .select(['useCaseSlug as useCase', 'intentSlug as intent'])
    .distinct()
    .orderBy('useCaseSlug')
    .orderBy('intentSlug')
    .execute();
  return wanted.flatMap((group) =>
    rows
      .filter(({ useCase }) => useCase === group.key)
      .map(({ intent }) => ({
        key: group.key,
        where: and([inGroup('intent', intent), inGroup('useCase', group.key)]),
        limit: limitOf(group),
      })),
  );
}

function inGroup(by: MetricGroup, key: string): Condition {
  switch (by) {
    case 'none':
      return lit(true);
    case 'version':
      return ofCall('c.version', '=', Number(key));
    case 'outcome':
      return isEmptyOr('c.outcome', key);
    case 'intent':
      return isEmptyOr('c.intentSlug', key);
    case 'useCase':
      return isEmptyOr('c.useCaseSlug', key);
    case 'day':
      return and([
        ofCall('c.sortAt', '>=', dayStart(key)),
        ofCall('c.sortAt', '<', new Date(Date.parse(dayStart(key)) + DAY_MS).toISOString()),
      ]);
  }
}

const DAY_MS = 86_400_000;

function isEmptyOr(column: 'c.outcome' | 'c.intentSlug' | 'c.useCaseSlug', key: string): Condition {
  return key === '' ? ofCall(column, 'is', null) : ofCall(ofCall.ref(column).$castTo<string | null>(), '=', key);
}
