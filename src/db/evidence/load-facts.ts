import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { needsWindow } from '../../domain/issues/confirm.ts';
import type {
  AgentFacts,
  AgentVersionSums,
  GroupFacts,
  GroupVersionSums,
  OutcomeSums,
} from '../../domain/issues/facts.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import type { IssueSource, IssueStatus, PlaceKind } from '../../domain/vocabulary.ts';
import { toIsoOrNull, toNumber } from '../convert.ts';

export interface LoadedFacts {
  agent: AgentFacts;
  /** Groups of signals. */
  groups: GroupFacts[];
  /** Issues of steps at which calls ended badly; `loadSteps` adds what came before. */
  outcomes: GroupFacts[];
  /** What the last regroup wrote, by issue. */
  digests: Map<string, string>;
}

/** Days that the confirmation rule looks back from the newest call; undated calls count as within. */
const WINDOW_DAYS = 30;

/**
 * The facts of all issues of an agent, from sums alone: what it costs depends on the number of issues, versions and
 * days, never on the number of calls.
 */
export async function loadFacts(
  em: EntityManager,
  agentId: string,
  entryOf: (code: string) => CatalogueEntry,
): Promise<LoadedFacts> {
  const agent = await loadAgent(em, agentId);
  const rows = await loadIssues(em, agentId);
  const all = rows.map(toGroup);
  const groups = all.filter(({ source }) => source === 'detector');
  const outcomes = all.filter(({ source }) => source === 'outcome');
  const digests = new Map(rows.map((row) => [row.id, row.state_digest]));
  const asking = groups.filter((group) => needsWindow(group, entryOf(group.code)));
  if (asking.length > 0) {
    const windows = await loadWindows(em, agentId, asking, agent.newestCallAt, entryOf);
    for (const group of asking) group.window = windows.get(group.issueId) ?? { calls: 0, base: 0 };
  }
  return { agent, groups, outcomes, digests };
}

/** The sums of outcomes in the order in which `toSums` reads them. */
const sums = sql`sum(calls), sum(spoke), sum(bad), sum(resolved), sum(unresolved), sum(transferred), sum(abandoned),
  sum(no_contact), sum(duration_s), sum(duration_square_s)`;

function toSums(values: readonly (number | string)[]): OutcomeSums {
  const at = (index: number) => toNumber(values[index] ?? 0);
  return {
    calls: at(0),
    spoke: at(1),
    bad: at(2),
    resolved: at(3),
    unresolved: at(4),
    transferred: at(5),
    abandoned: at(6),
    noContact: at(7),
    durationS: at(8),
    durationSquareS: at(9),
  };
}

async function loadAgent(em: EntityManager, agentId: string): Promise<AgentFacts> {
  const { rows } = await sql<{
    call_count: number;
    grace_days: number;
    current_version: number;
    board_source: IssueSource;
    newest_call_at: string | null;
    waiting_on_live: boolean;
    profiles: {
      not_computable: { code: string }[];
      versions: { version: number; sums: number[]; first_at: string | null; last_at: string | null }[];
    }[];
  }>`
    select call_count, grace_days, current_version, board_source, newest_call_at,
      exists (select 1 from calls c where c.agent_id = a.id and (c.state <> 'analysed' or c.reanalyse)
        and (c.state = 'waiting' or c.reanalyse) and c.version = a.current_version) as waiting_on_live,
      (select coalesce(jsonb_agg(jsonb_build_object('not_computable', p.not_computable, 'versions', v.versions)), '[]')
        from (select profile_id, jsonb_agg(jsonb_build_object('version', version, 'sums', sums, 'first_at', first_at,
              'last_at', last_at) order by version) as versions
          from (select profile_id, version, jsonb_build_array(${sums}) as sums, min(first_started_at) as first_at,
              max(last_started_at) as last_at
            from place_rollups where agent_id = a.id and place_kind = 'agent' and place_digest = md5('agent')
            group by profile_id, version) counted
          group by profile_id) v
        join computability_profiles p on p.id = v.profile_id) as profiles
    from agents a where id = ${agentId}`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('The agent is gone.');
  return {
    callCount: row.call_count,
    graceDays: row.grace_days,
    currentVersion: row.current_version,
    boardSource: row.board_source,
    newestCallAt: toIsoOrNull(row.newest_call_at),
    waitingOnLive: row.waiting_on_live,
    profiles: row.profiles.map(({ not_computable, versions }) => ({
      notComputable: new Set(not_computable.map(({ code }) => code)),
      versions: versions.map(
        (version): AgentVersionSums => ({
          version: version.version,
          ...toSums(version.sums),
          firstStartedAt: toIsoOrNull(version.first_at),
          lastStartedAt: toIsoOrNull(version.last_at),
        }),
      ),
    })),
  };
}

interface IssueFactsRow {
  id: string;
  key: string;
  source: IssueSource;
  code: string;
  place_kind: PlaceKind;
  place_id: string;
  place_label: string;
  split_cause: string;
  confirmed: boolean;
  confirmed_at: string | null;
  withdrawn: boolean;
  cause_established: boolean;
  cause_code: string | null;
  status: IssueStatus;
  fell_on_live: boolean;
  merged_into_id: string | null;
  fix_version: number | null;
  resolved_at: string | null;
  state_digest: string;
  /** `version,calls,…` for each version, joined by `;`: half the price of JSON for some ten thousand rows. */
  versions: string | null;
  causes: { code: string; calls: number }[] | null;
  follows: { issueId: string; calls: number }[] | null;
  intent_slug: string | null;
  intent_calls: number | null;
  first_at: string | null;
  last_at: string | null;
}

/** One row an issue. First and last call are read off the link table's index, so that calls taken out need no care. */
async function loadIssues(em: EntityManager, agentId: string): Promise<IssueFactsRow[]> {
  const { rows } = await sql<IssueFactsRow>`
    with sums as (
      select issue_id, sum(own_calls) as own, string_agg(concat_ws(',', version, calls, spoke, bad, resolved,
        unresolved, transferred, abandoned, no_contact, duration_s, duration_square_s, own_calls, confidence_milli),
        ';' order by version) as versions
      from issue_rollups where agent_id = ${agentId} group by issue_id
    ), causes as (
      select issue_id, jsonb_agg(jsonb_build_object('code', cause_code, 'calls', calls) order by cause_code) as causes
      from issue_causes where agent_id = ${agentId} group by issue_id
    ), follows as (
      select p.then_issue_id as issue_id,
        jsonb_agg(jsonb_build_object('issueId', p.first_issue_id, 'calls', p.calls) order by p.first_issue_id) as follows
      from issue_pairs p join sums s on s.issue_id = p.then_issue_id
      where p.agent_id = ${agentId} and p.calls >= 2 and p.calls * 5 >= s.own * 4 group by p.then_issue_id
    ), intents as (
      select distinct on (issue_id) issue_id, intent_slug, calls
      from issue_intents where agent_id = ${agentId} and calls >= 4 order by issue_id, calls desc, intent_slug
    )
    select i.id, i.key, i.source, i.code, i.place_kind, i.place_id, i.place_label, i.split_cause, i.confirmed,
      i.confirmed_at, i.withdrawn_at is not null as withdrawn, i.cause_established, i.cause_code, i.status,
      i.fell_on_live, i.merged_into_id, i.fix_version, i.resolved_at, i.state_digest, s.versions, c.causes, f.follows,
      n.intent_slug, n.calls as intent_calls, first.at as first_at, last.at as last_at
    from issues i
    left join sums s on s.issue_id = i.id
    left join causes c on c.issue_id = i.id
    left join follows f on f.issue_id = i.id
    left join intents n on n.issue_id = i.id
    left join lateral (select sort_at as at from issue_calls where issue_id = i.id and sort_at > ${DATED}
      order by sort_at limit 1) first on true
    left join lateral (select sort_at as at from issue_calls where issue_id = i.id and sort_at > ${DATED}
      order by sort_at desc limit 1) last on true
    where i.agent_id = ${agentId} order by i.id`.execute(em.getKysely());
  return rows;
}

const DATED: RawBuilder<unknown> = sql`'0002-01-01 00:00:00+00'::timestamptz`;

function toGroup(row: IssueFactsRow): GroupFacts {
  const { intent_slug: slug, intent_calls: calls } = row;
  return {
    issueId: row.id,
    key: row.key,
    source: row.source,
    code: row.code,
    place: { kind: row.place_kind, id: row.place_id, label: row.place_label },
    splitCause: row.split_cause,
    versions: (row.versions?.split(';') ?? []).map(toVersion),
    causes: row.causes ?? [],
    window: null,
    topIntent: slug === null || calls === null ? null : { slug, calls },
    follows: row.follows ?? [],
    firstSeenAt: toIsoOrNull(row.first_at),
    lastSeenAt: toIsoOrNull(row.last_at),
    memory: {
      confirmed: row.confirmed,
      confirmedAt: toIsoOrNull(row.confirmed_at),
      withdrawn: row.withdrawn,
      causeEstablished: row.cause_established,
      causeCode: row.cause_code,
      status: row.status,
      fellOnLive: row.fell_on_live,
      mergedIntoId: row.merged_into_id,
      fixVersion: row.fix_version,
      resolvedAt: toIsoOrNull(row.resolved_at),
    },
  };
}

function toVersion(text: string): GroupVersionSums {
  const [version = 0, ...values] = text.split(',').map(Number);
  return { version, ...toSums(values), ownCalls: values[10] ?? 0, confidenceMilli: values[11] ?? 0 };
}

/** The last 30 days of the groups that ask: their own calls, and the computable calls that reached their place. */
async function loadWindows(
  em: EntityManager,
  agentId: string,
  groups: GroupFacts[],
  newestCallAt: string | null,
  entryOf: (code: string) => CatalogueEntry,
): Promise<Map<string, { calls: number; base: number }>> {
  const from = newestCallAt === null ? '0001-01-01' : shiftDays(newestCallAt, -WINDOW_DAYS);
  const within = sql`(day > ${from}::date or day = '0001-01-01'::date)`;
  const ids = groups.map((group) => group.issueId);
  const { rows: own } = await sql<{ issue_id: string; calls: string }>`
    select issue_id, sum(calls) as calls from issue_days
    where agent_id = ${agentId} and issue_id = any(${ids}::uuid[]) and ${within} group by issue_id`.execute(
    em.getKysely(),
  );
  const { rows: bases } = await sql<{ place: string; codes: string[]; calls: string }>`
    select r.place_kind || ':' || r.place_digest as place, sum(r.calls) as calls,
      array(select jsonb_array_elements(p.not_computable) ->> 'code') as codes
    from place_rollups r join computability_profiles p on p.id = r.profile_id
    where r.agent_id = ${agentId} and ${within} group by r.place_kind, r.place_digest, p.id`.execute(em.getKysely());
  const { rows: places } = await sql<{ id: string; place: string; everywhere: string }>`
    select id, place_kind || ':' || md5(place_id) as place, 'agent:' || md5('agent') as everywhere
    from issues where id = any(${ids}::uuid[])`.execute(em.getKysely());
  const byPlace = Map.groupBy(bases, (base) => base.place);
  const calls = new Map(own.map((row) => [row.issue_id, toNumber(row.calls)]));
  const placeOf = new Map(places.map((row) => [row.id, row]));
  return new Map(
    groups.map((group) => {
      const { code } = entryOf(group.code);
      const { place = '', everywhere = '' } = placeOf.get(group.issueId) ?? {};
      // Places that no call visits by itself (the prompt, the platform's parts) are reached by every call.
      const reached = byPlace.get(place) ?? byPlace.get(everywhere) ?? [];
      const computable = reached.filter((base) => !base.codes.includes(code));
      const base = computable.reduce((sum, row) => sum + toNumber(row.calls), 0);
      return [group.issueId, { calls: calls.get(group.issueId) ?? 0, base }];
    }),
  );
}

function shiftDays(time: string, days: number): string {
  return new Date(Date.parse(time) + days * 86_400_000).toISOString().slice(0, 10);
}
