import { type RawBuilder, sql } from 'kysely';
import { type Side, SUMMARY_POINTS, type VersionFacts } from '../../domain/comparisons/facts.ts';
import { toNumber } from '../convert.ts';
import type { EntityManager } from '../database.ts';

interface FactsRow {
  calls: string;
  last_start: string | null;
  contact: string;
  resolved: string;
  unresolved: string;
  abandoned: string;
  transferred: string;
  no_contact: string;
  unknown: string;
  with_tool: string;
  tool_failed: string;
  friction: string;
  again: string;
  again_n: string;
  again_open: string;
  p50_n: string;
  p50: (number | null)[] | null;
  p50_unread: string;
  p90_n: string;
  p90: (number | null)[] | null;
  p90_unread: string;
  duration: (number | null)[] | null;
}

/** Evenly spaced parts of 1: a median and its spread follow from the values at them. */
const PARTS = sql`(select array_agg(point::float8 / ${SUMMARY_POINTS - 1}) from generate_series(0, ${SUMMARY_POINTS - 1}) as point)`;
const WEEK = sql`interval '7 days'`;

/**
 * All that a comparison needs of one version's analysed calls, summed up in the database; it means the same as
 * `factsOfCalls`.
 * @param until ISO 8601: only calls that had started by then, and those without a start; null for all.
 */
export async function readComparisonFacts(
  em: EntityManager,
  agentId: string,
  version: number,
  until: string | null,
): Promise<VersionFacts> {
  const chosen = sql`c.agent_id = ${agentId} and c.version = ${version} and c.state = 'analysed'
    and (${until}::timestamptz is null or c.started_at is null or c.started_at <= ${until}::timestamptz)`;
  const { rows } = await sql<FactsRow>`
    with chosen as (
      select c.*, outcome <> 'no_contact' as contact, c.caller_key is not null and c.started_at is not null as identified,
        a.newest_call_at >= c.started_at + ${WEEK} as settled,
        c.caller_key is not null and exists (select 1 from calls d where d.agent_id = c.agent_id
          and d.caller_key = c.caller_key and d.state = 'analysed' and d.started_at > c.started_at
          and d.started_at <= c.started_at + ${WEEK}) as again
      from calls c join agents a on a.id = c.agent_id where ${chosen}
    )
    select count(*) as calls,
      to_char(max(started_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_start,
      count(*) filter (where contact) as contact, count(*) filter (where outcome is null) as unknown, ${ofOutcome('resolved')}, ${ofOutcome('unresolved')},
      ${ofOutcome('abandoned')}, ${ofOutcome('transferred')}, ${ofOutcome('no_contact')},
      count(*) filter (where tool_results > 0) as with_tool,
      count(*) filter (where tool_results > 0 and tool_failures > 0) as tool_failed,
      count(*) filter (where frictions > 0) as friction,
      count(*) filter (where identified and settled and again) as again,
      count(*) filter (where identified and settled) as again_n,
      count(*) filter (where identified and not settled) as again_open,
      count(response_median_ms) as p50_n, percentile_disc(${PARTS}) within group (order by response_median_ms) as p50,
      count(*) filter (where contact and response_median_ms is null) as p50_unread,
      count(response_slow_ms) as p90_n, percentile_disc(${PARTS}) within group (order by response_slow_ms) as p90,
      count(*) filter (where contact and response_slow_ms is null) as p90_unread,
      percentile_disc(${PARTS}) within group (order by duration_ms) filter (where contact) as duration
    from chosen`.execute(em.getKysely());
  const { rows: intents } = await sql<{ intent_slug: string; n: string; k: string }>`
    select coalesce(intent_slug, '') as intent_slug, count(*) as n, count(*) filter (where outcome = 'resolved') as k
    from calls c where ${chosen} and outcome <> 'no_contact' group by 1 order by 1`.execute(em.getKysely());
  const [row] = rows;
  return {
    calls: toNumber(row?.calls ?? 0),
    lastStart: row?.last_start ?? '',
    sides: row ? sidesOf(row) : new Map(),
    intents: new Map(intents.map(({ intent_slug, k, n }) => [intent_slug, { k: toNumber(k), n: toNumber(n) }])),
  };
}

function ofOutcome(outcome: string): RawBuilder<unknown> {
  return sql`count(*) filter (where outcome = ${outcome}) as ${sql.ref(outcome)}`;
}

function sidesOf(row: FactsRow): Map<string, Side> {
  const share = (k: string, n: string, notRead = '0'): Side => ({
    k: toNumber(k),
    n: toNumber(n),
    notRead: toNumber(notRead),
    sorted: [],
  });
  const median = (values: (number | null)[] | null, n: string, notRead = '0'): Side => ({
    k: 0,
    n: toNumber(n),
    notRead: toNumber(notRead),
    sorted: (values ?? []).filter((value) => value !== null),
  });
  return new Map([
    ['got_it_done', share(row.resolved, row.contact, row.unknown)],
    ['unresolved', share(row.unresolved, row.contact, row.unknown)],
    ['abandoned', share(row.abandoned, row.contact, row.unknown)],
    ['handed_off', share(row.transferred, row.contact, row.unknown)],
    ['no_contact', share(row.no_contact, String(toNumber(row.calls) - toNumber(row.unknown)), row.unknown)],
    ['tool_failure', share(row.tool_failed, row.with_tool)],
    ['friction', share(row.friction, row.calls)],
    ['repeat_call', share(row.again, row.again_n, row.again_open)],
    ['response_latency_p50_ms', median(row.p50, row.p50_n, row.p50_unread)],
    ['response_latency_p90_ms', median(row.p90, row.p90_n, row.p90_unread)],
    ['duration_ms', median(row.duration, row.contact)],
  ]);
}
