import { sql } from 'kysely';
import { type Side, SUMMARY_POINTS, type VersionFacts } from '../../domain/comparisons/facts.ts';
import type { Outcome } from '../../domain/vocabulary.ts';
import { isCounted } from '../calls/nobodys-failure.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** Evenly spaced parts of 1: a median and its spread follow from the values at them. */
const PARTS = Array.from({ length: SUMMARY_POINTS }, (_, point) => point / (SUMMARY_POINTS - 1));
const week = sql<string>`interval '7 days'`;

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
  const chosen = chosenCalls(em, agentId, version, until);
  const sums = await readSums(em, chosen);
  const intents = await chosen
    .where(isCounted)
    .select(({ fn, val }) => [
      fn.coalesce('c.intentSlug', val('')).as('slug'),
      fn.countAll<number>().as('n'),
      fn.countAll<number>().filterWhere('c.outcome', '=', 'resolved').as('k'),
    ])
    .groupBy('slug')
    .orderBy('slug')
    .execute();
  return {
    calls: sums.calls,
    lastStart: sums.lastStart ?? '',
    sides: sidesOf(sums),
    intents: new Map(intents.map(({ slug, k, n }) => [slug, { k, n }])),
  };
}

function chosenCalls(em: EntityManager, agentId: string, version: number, until: string | null) {
  const calls = db(em)
    .selectFrom('calls as c')
    .where('c.agentId', '=', agentId)
    .where('c.version', '=', version)
    .where('c.state', '=', 'analysed');
  if (until === null) return calls;
  return calls.where((eb) => eb.or([eb('c.startedAt', 'is', null), eb('c.startedAt', '<=', until)]));
}

type Sums = Awaited<ReturnType<typeof readSums>>;

function readSums(em: EntityManager, calls: ReturnType<typeof chosenCalls>) {
  const chosen = calls
    .innerJoin('agents as a', 'a.id', 'c.agentId')
    .select(['c.startedAt', 'c.outcome', 'c.toolResults', 'c.toolFailures', 'c.frictions', 'c.durationMs'])
    .select(['c.responseMedianMs', 'c.responseSlowMs'])
    .select((eb) => [
      eb('c.outcome', '<>', 'no_contact').as('contact'),
      sql<boolean | null>`${isCounted}`.as('counted'),
      eb.and([eb('c.callerKey', 'is not', null), eb('c.startedAt', 'is not', null)]).as('identified'),
      eb('a.newestCallAt', '>=', eb('c.startedAt', '+', week)).as('settled'),
      eb
        .exists(
          eb
            .selectFrom('calls as d')
            .whereRef('d.agentId', '=', 'c.agentId')
            .whereRef('d.callerKey', '=', 'c.callerKey')
            .where('d.state', '=', 'analysed')
            .whereRef('d.startedAt', '>', 'c.startedAt')
            .where('d.startedAt', '<=', (within) => within('c.startedAt', '+', week))
            .select('d.id'),
        )
        .as('again'),
    ]);
  return db(em)
    .with('chosen', () => chosen)
    .selectFrom('chosen')
    .select((eb) => {
      const count = () => eb.fn.countAll<number>();
      const ending = (outcome: Outcome) =>
        count().filterWhere('counted', '=', true).filterWhere('outcome', '=', outcome);
      const identified = () => count().filterWhere('identified', '=', true);
      const spread = (column: 'responseMedianMs' | 'responseSlowMs' | 'durationMs') =>
        eb.fn.agg<(number | null)[] | null>('percentile_disc', [sql`${PARTS}::float8[]`]).withinGroupOrderBy(column);
      const unread = (column: 'responseMedianMs' | 'responseSlowMs') =>
        count().filterWhere('contact', '=', true).filterWhere(column, 'is', null);
      return [
        count().as('calls'),
        eb.fn.max('startedAt').as('lastStart'),
        count().filterWhere('contact', '=', true).as('contact'),
        count().filterWhere('counted', '=', true).as('counted'),
        count().filterWhere('outcome', 'is', null).as('unknown'),
        ending('resolved').as('resolved'),
        ending('unresolved').as('unresolved'),
        ending('abandoned').as('abandoned'),
        ending('transferred').as('transferred'),
        count().filterWhere('outcome', '=', 'no_contact').as('noContact'),
        count().filterWhere('toolResults', '>', 0).as('withTool'),
        count().filterWhere('toolResults', '>', 0).filterWhere('toolFailures', '>', 0).as('toolFailed'),
        count().filterWhere('frictions', '>', 0).as('friction'),
        identified().filterWhere('settled', '=', true).filterWhere('again', '=', true).as('again'),
        identified().filterWhere('settled', '=', true).as('settledCallers'),
        identified().filterWhere('settled', '=', false).as('openCallers'),
        eb.fn.count<number>('responseMedianMs').as('medians'),
        spread('responseMedianMs').as('median'),
        unread('responseMedianMs').as('medianUnread'),
        eb.fn.count<number>('responseSlowMs').as('slowest'),
        spread('responseSlowMs').as('slow'),
        unread('responseSlowMs').as('slowUnread'),
        spread('durationMs').filterWhere('contact', '=', true).as('duration'),
      ];
    })
    .executeTakeFirstOrThrow();
}

function sidesOf(sums: Sums): Map<string, Side> {
  const share = (k: number, n: number, notRead = 0): Side => ({ k, n, notRead, sorted: [] });
  const median = (values: (number | null)[] | null, n: number, notRead = 0): Side => ({
    k: 0,
    n,
    notRead,
    sorted: (values ?? []).filter((value) => value !== null),
  });
  const { calls, contact, counted, unknown } = sums;
  return new Map([
    ['got_it_done', share(sums.resolved, counted, unknown)],
    ['unresolved', share(sums.unresolved, counted, unknown)],
    ['abandoned', share(sums.abandoned, counted, unknown)],
    ['handed_off', share(sums.transferred, counted, unknown)],
    ['no_contact', share(sums.noContact, calls - unknown, unknown)],
    ['tool_failure', share(sums.toolFailed, sums.withTool)],
    ['friction', share(sums.friction, calls)],
    ['repeat_call', share(sums.again, sums.settledCallers, sums.openCallers)],
    ['response_latency_p50_ms', median(sums.median, sums.medians, sums.medianUnread)],
    ['response_latency_p90_ms', median(sums.slow, sums.slowest, sums.slowUnread)],
    ['duration_ms', median(sums.duration, contact)],
  ]);
}
