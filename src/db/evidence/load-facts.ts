import { type RawBuilder, sql } from 'kysely';
import { CONFIRM_CALLS } from '../../domain/issues/confirm.ts';
import type {
  AgentFacts,
  AgentVersionSums,
  GroupFacts,
  GroupVersionSums,
  OutcomeSums,
} from '../../domain/issues/facts.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import { isOnItsWay } from '../calls/conditions.ts';
import { toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { Row } from '../tables.ts';
import { addDays } from './load-days.ts';

export interface LoadedFacts {
  agent: AgentFacts;
  /** Groups of signals. */
  groups: GroupFacts[];
  /** Issues of steps at which calls ended badly; `loadSteps` adds what came before. */
  outcomes: GroupFacts[];
  /** What the last regroup wrote, by issue. */
  digests: Map<string, string>;
}

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
  await addDays(em, agentId, { groups, newestCallAt: agent.newestCallAt, entryOf });
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
  thirdOn: string | null;
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
    ), thirds as (
      select issue_id, min(day)::text as third_on from (select issue_id, day, sum(calls) over (partition by issue_id
        order by day) as calls from issue_days where agent_id = ${agentId}) so_far
      where calls >= ${CONFIRM_CALLS} group by issue_id
    ), intents as (
      select distinct on (issue_id) issue_id, intent_slug, calls
      from issue_intents where agent_id = ${agentId} and calls >= 4 order by issue_id, calls desc, intent_slug
    )
    select i.id, i.key, i.source, i.code, i.place_kind, i.place_id, i.place_label, i.split_cause, i.confirmed,
      i.confirmed_at, i.withdrawn_at is not null as withdrawn, i.cause_established, i.cause_code, i.status,
      i.fell_on_live, i.merged_into_id, i.fix_version, i.resolved_at, i.state_digest, s.versions, c.causes, f.follows,
      n.intent_slug, n.calls as intent_calls, t.third_on, first.at as first_at, last.at as last_at
    from issues i
    left join sums s on s.issue_id = i.id
    left join causes c on c.issue_id = i.id
    left join follows f on f.issue_id = i.id
    left join intents n on n.issue_id = i.id
    left join thirds t on t.issue_id = i.id
    left join lateral (select sort_at as at from issue_calls where issue_id = i.id and sort_at > ${DATED}
      order by sort_at limit 1) first on true
    left join lateral (select sort_at as at from issue_calls where issue_id = i.id and sort_at > ${DATED}
      order by sort_at desc limit 1) last on true
    where i.agent_id = ${agentId} order by i.key`.execute(db(em));
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
    thirdOn: row.thirdOn,
    days: null,
    heldCause: null,
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
