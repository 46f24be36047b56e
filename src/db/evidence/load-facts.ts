import { type RawBuilder, sql } from 'kysely';
import { needsWindow } from '../../domain/issues/confirm.ts';
import type {
  AgentFacts,
  AgentVersionSums,
  GroupFacts,
  GroupVersionSums,
  OutcomeSums,
} from '../../domain/issues/facts.ts';
import { NO_DAY } from '../../domain/issues/ledger.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import { isOnItsWay } from '../calls/conditions.ts';
import { toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId } from '../expressions.ts';
import type { Row } from '../tables.ts';
import { digestOf, EVERYWHERE } from './every-call.ts';

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
  const digests = new Map(rows.map((row) => [row.id, row.stateDigest]));
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

function toSums(values: readonly number[]): OutcomeSums {
  const at = (index: number) => values[index] ?? 0;
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
  const agent = await db(em)
    .selectFrom('agents as a')
    .where('a.id', '=', agentId)
    .select(['a.callCount', 'a.graceDays', 'a.currentVersion', 'a.boardSource', 'a.newestCallAt'])
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('calls')
            .whereRef('calls.agentId', '=', 'a.id')
            .where(isOnItsWay)
            .whereRef('calls.version', '=', 'a.currentVersion')
            .select('calls.id'),
        )
        .$castTo<boolean>()
        .as('waitingOnLive'),
      profilesOfAgent.as('profiles'),
    ])
    .executeTakeFirst();
  if (!agent) throw new Error('The agent is gone.');
  return {
    ...agent,
    profiles: agent.profiles.map(({ notComputable, versions }) => ({
      notComputable: new Set(notComputable.map(({ code }) => code)),
      versions: versions.map(
        ({ version, sums: values, firstAt, lastAt }): AgentVersionSums => ({
          version,
          ...toSums(values),
          firstStartedAt: toIsoOrNull(firstAt),
          lastStartedAt: toIsoOrNull(lastAt),
        }),
      ),
    })),
  };
}

interface ProfileOfAgent {
  notComputable: { code: string }[];
  versions: { version: number; sums: number[]; firstAt: string | null; lastAt: string | null }[];
}

const profilesOfAgent = sql<ProfileOfAgent[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('notComputable', p.not_computable, 'versions', v.versions)), '[]')
  from (select profile_id, jsonb_agg(jsonb_build_object('version', version, 'sums', sums, 'firstAt', first_at,
        'lastAt', last_at) order by version) as versions
    from (select profile_id, version, jsonb_build_array(${sums}) as sums, min(first_started_at) as first_at,
        max(last_started_at) as last_at
      from place_rollups where agent_id = a.id and place_kind = 'agent' and place_digest = md5('agent')
      group by profile_id, version) counted
    group by profile_id) v
  join computability_profiles p on p.id = v.profile_id)`;

type OfIssue =
  | 'id'
  | 'key'
  | 'source'
  | 'code'
  | 'placeKind'
  | 'placeId'
  | 'placeLabel'
  | 'splitCause'
  | 'confirmed'
  | 'confirmedAt'
  | 'causeEstablished'
  | 'causeCode'
  | 'status'
  | 'fellOnLive'
  | 'mergedIntoId'
  | 'fixVersion'
  | 'resolvedAt'
  | 'stateDigest'
  | 'intentSlug';

interface IssueFactsRow extends Pick<Row<'issues'>, OfIssue> {
  withdrawn: boolean;
  /** `version,calls,…` for each version, joined by `;`: half the price of JSON for some ten thousand rows. */
  versions: string | null;
  causes: { code: string; calls: number }[] | null;
  follows: { issueId: string; calls: number }[] | null;
  intentCalls: number | null;
  firstAt: string | null;
  lastAt: string | null;
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
      where p.agent_id = ${agentId} and p.calls >= 2 and p.calls * 2 >= s.own group by p.then_issue_id
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
    where i.agent_id = ${agentId} order by i.id`.execute(db(em));
  return rows;
}

const DATED: RawBuilder<unknown> = sql`'0002-01-01 00:00:00+00'::timestamptz`;

function toGroup(row: IssueFactsRow): GroupFacts {
  const { intentSlug: slug, intentCalls: calls } = row;
  return {
    issueId: row.id,
    key: row.key,
    source: row.source,
    code: row.code,
    place: { kind: row.placeKind, id: row.placeId, label: row.placeLabel },
    splitCause: row.splitCause,
    versions: (row.versions?.split(';') ?? []).map(toVersion),
    causes: row.causes ?? [],
    window: null,
    topIntent: slug === null || calls === null ? null : { slug, calls },
    follows: row.follows ?? [],
    firstSeenAt: row.firstAt,
    lastSeenAt: row.lastAt,
    memory: {
      confirmed: row.confirmed,
      confirmedAt: row.confirmedAt,
      withdrawn: row.withdrawn,
      causeEstablished: row.causeEstablished,
      causeCode: row.causeCode,
      status: row.status,
      fellOnLive: row.fellOnLive,
      mergedIntoId: row.mergedIntoId,
      fixVersion: row.fixVersion,
      resolvedAt: row.resolvedAt,
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
  const from = newestCallAt === null ? NO_DAY : shiftDays(newestCallAt, -WINDOW_DAYS);
  const ids = groups.map((group) => group.issueId);
  const own = await db(em)
    .selectFrom('issue_days')
    .where('agentId', '=', agentId)
    .where('issueId', '=', anyId(ids))
    .where((eb) => eb.or([eb('day', '>', from), eb('day', '=', NO_DAY)]))
    .groupBy('issueId')
    .select(({ fn }) => ['issueId', fn.sum<number>('calls').as('calls')])
    .execute();
  const bases = await db(em)
    .selectFrom('place_rollups as r')
    .innerJoin('computability_profiles as p', 'p.id', 'r.profileId')
    .where('r.agentId', '=', agentId)
    .where((eb) => eb.or([eb('r.day', '>', from), eb('r.day', '=', NO_DAY)]))
    .groupBy(['r.placeKind', 'r.placeDigest', 'p.id'])
    .select(({ fn }) => ['r.placeKind', 'r.placeDigest', 'p.notComputable', fn.sum<number>('r.calls').as('calls')])
    .execute();
  const places = await db(em)
    .selectFrom('issues')
    .where('id', '=', anyId(ids))
    .select(['id', 'placeKind'])
    .select(({ ref, val, cast }) => [
      digestOf(ref('placeId')).as('digest'),
      digestOf(cast<string>(val(EVERYWHERE), 'text')).as('everywhere'),
    ])
    .execute();
  const byPlace = Map.groupBy(bases, ({ placeKind, placeDigest }) => `${placeKind}:${placeDigest}`);
  const calls = new Map(own.map((row) => [row.issueId, row.calls]));
  const placeOf = new Map(
    places.map(({ id, placeKind, digest, everywhere }) => [
      id,
      { place: `${placeKind}:${digest}`, everywhere: `${EVERYWHERE}:${everywhere}` },
    ]),
  );
  return new Map(
    groups.map((group) => {
      const { code } = entryOf(group.code);
      const { place = '', everywhere = '' } = placeOf.get(group.issueId) ?? {};
      // Places that no call visits by itself (the prompt, the platform's parts) are reached by every call.
      const reached = byPlace.get(place) ?? byPlace.get(everywhere) ?? [];
      const computable = reached.filter((base) => !base.notComputable.some((one) => one.code === code));
      const base = computable.reduce((sum, row) => sum + row.calls, 0);
      return [group.issueId, { calls: calls.get(group.issueId) ?? 0, base }];
    }),
  );
}

function shiftDays(time: string, days: number): string {
  return new Date(Date.parse(time) + days * 86_400_000).toISOString().slice(0, 10);
}
