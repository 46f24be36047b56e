import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import { type RoutedIssue, routeKey } from '../../domain/issues/evidence.ts';
import type { Place } from '../../domain/signals/signal.ts';
import type { Direction, Outcome, PlaceKind } from '../../domain/vocabulary.ts';

/** A call as it stands before a batch is stored. */
export interface StandingCall {
  id: string;
  payload_digest: string;
  state: 'waiting' | 'analysed' | 'failed';
  version: number;
  started_at: string | null;
  ended_at: string | null;
  duration_ms: number;
  direction: Direction;
  disconnection_reason: string;
  cost_usd: number | null;
  caller_key: string | null;
  /** What the last reading said; null on calls never analysed. */
  outcome: Outcome | null;
  ended_badly: boolean;
  caller_spoke: boolean;
  /** Turns of the last reading, and how sure its outcome was. */
  turns: number;
  outcome_confidence: number | null;
  /** As the rules read it; what is shown may be a model's sentence. */
  objective: string | null;
  intent_slug: string | null;
  request_intents: string[];
  use_case_slug: string | null;
  sub_use_case_slug: string | null;
  persona_slug: string | null;
  profile_id: string | null;
  places: Place[] | null;
  end_step: Place | null;
  requests: { turn: number; text: string }[] | null;
  signals: StandingSignal[];
  pending: { call: NormalisedCall; callerKey: string | null } | null;
}

export interface StandingSignal {
  code: string;
  place_kind: PlaceKind;
  place_id: string;
  cause_code: string | null;
  turn_index: number;
  confidence: number;
}

export interface StandingIntent {
  kind: 'intent' | 'use_case' | 'sub_use_case' | 'persona';
  slug: string;
  label: string;
  terms: Record<string, number>;
  calls: number;
  parent: string | null;
  /** A person named it or merged into it. */
  kept: boolean;
  /** The slug that it stands for since it was merged; null while it stands for itself. */
  into: string | null;
}

export interface KnownIssue extends RoutedIssue {
  placeLabel: string;
  lastSeenVersion: number | null;
}

export interface AnalysisContext {
  calls: StandingCall[];
  intents: StandingIntent[];
  /** By digest. */
  profiles: Map<string, string>;
  visitSets: Map<string, string>;
  /** By `routeKey`. */
  issues: Map<string, KnownIssue[]>;
  /** Issues of the steps at which these calls end, or ended before; by `stepKey`. */
  outcomes: Map<string, KnownOutcome>;
}

export interface KnownOutcome {
  issueId: string;
  placeLabel: string;
}

export function stepKey({ kind, id }: Pick<Place, 'kind' | 'id'>): string {
  return JSON.stringify([kind, id]);
}

interface ContextRow {
  calls: StandingCall[];
  intents: StandingIntent[];
  profiles: { id: string; digest: string }[];
  visit_sets: { id: string; digest: string }[];
  issues: {
    id: string;
    code: string;
    place_kind: PlaceKind;
    place_id: string;
    place_label: string;
    split_cause: string;
    merged_into_id: string | null;
    last_seen_version: number | null;
  }[];
  outcomes: { id: string; place_kind: PlaceKind; place_id: string; place_label: string }[];
}

/** All that storing a batch has to know, in one round trip: the calls with their old reading, and the names they share. */
export async function loadContext(
  em: EntityManager,
  agentId: string,
  asked: {
    callIds: string[];
    groups: { code: string; place: Pick<Place, 'kind' | 'id'> }[];
    profileDigests: string[];
    visitSetDigests: string[];
    endSteps: Pick<Place, 'kind' | 'id'>[];
  },
): Promise<AnalysisContext> {
  const groups = asked.groups.map(({ code, place }) => ({ code, kind: place.kind, id: place.id }));
  const { rows } = await sql<ContextRow>`
    with old_signals as (
      select call_id, code, place_kind, place_id, cause_code, turn_index, confidence from call_signals
      where call_id = any(${asked.callIds}::uuid[]) order by call_id, ordinal
    ), groups as (
      select code, kind, md5(id) as digest
      from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as g(code text, kind text, id text)
      union select code, place_kind, md5(place_id) from old_signals
    ), steps as (
      select kind, md5(id) as digest
      from jsonb_to_recordset(${JSON.stringify(asked.endSteps)}::jsonb) as e(kind text, id text)
      union select v.end_step ->> 'kind', md5(v.end_step ->> 'id') from calls c join visit_sets v on v.id = c.visit_set_id
      where c.agent_id = ${agentId} and c.id = any(${asked.callIds}::uuid[])
    )
    select
      (select coalesce(jsonb_agg(to_jsonb(found)), '[]') from (
        select c.id, c.payload_digest, c.state, c.version, c.started_at, c.ended_at, c.duration_ms, c.direction,
          c.disconnection_reason, c.cost_usd, c.caller_key, c.outcome, c.ended_badly, c.caller_spoke, c.turns,
          c.outcome_confidence, coalesce(a.analysis ->> 'objective', c.objective) as objective,
          c.intent_slug, c.request_intents, c.use_case_slug, c.sub_use_case_slug, c.persona_slug, c.profile_id, v.places, v.end_step,
          a.analysis -> 'requests' as requests, t.pending,
          coalesce((select jsonb_agg(to_jsonb(s)) from old_signals s where s.call_id = c.id), '[]') as signals
        from calls c
        left join visit_sets v on v.id = c.visit_set_id
        left join call_analyses a on a.call_id = c.id
        left join transcripts t on t.call_id = c.id and t.pending is not null
        where c.agent_id = ${agentId} and c.id = any(${asked.callIds}::uuid[])) found) as calls,
      (select coalesce(jsonb_agg(to_jsonb(found)), '[]') from (
        select i.kind, i.slug, i.label, case when m.id is null then i.terms else '{}' end as terms, i.calls,
          i.parent_slug as parent, i.kept_at is not null as kept, m.slug as "into"
        from intents i left join intents m on m.id = i.merged_into_id
        where i.agent_id = ${agentId} order by i.kind, i.slug) found) as intents,
      (select coalesce(jsonb_agg(to_jsonb(found)), '[]') from (
        select id, digest from computability_profiles
        where agent_id = ${agentId} and digest = any(${asked.profileDigests}::text[])) found) as profiles,
      (select coalesce(jsonb_agg(to_jsonb(found)), '[]') from (
        select id, digest from visit_sets
        where agent_id = ${agentId} and digest = any(${asked.visitSetDigests}::text[])) found) as visit_sets,
      (select coalesce(jsonb_agg(to_jsonb(found)), '[]') from (
        select i.id, i.code, i.place_kind, i.place_id, i.place_label, i.split_cause, i.merged_into_id,
          i.last_seen_version
        from issues i join groups g on g.code = i.code and g.kind = i.place_kind and g.digest = md5(i.place_id)
        where i.agent_id = ${agentId} and i.source = 'detector') found) as issues,
      (select coalesce(jsonb_agg(to_jsonb(found)), '[]') from (
        select i.id, i.place_kind, i.place_id, i.place_label from issues i
        join steps s on s.kind = i.place_kind and s.digest = md5(i.place_id)
        where i.agent_id = ${agentId} and i.source = 'outcome') found) as outcomes`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('A select without a table gave no row.');
  return {
    calls: row.calls,
    intents: row.intents,
    profiles: new Map(row.profiles.map(({ digest, id }) => [digest, id])),
    visitSets: new Map(row.visit_sets.map(({ digest, id }) => [digest, id])),
    issues: groupIssues(row.issues),
    outcomes: new Map(
      row.outcomes.map((issue) => [
        stepKey({ kind: issue.place_kind, id: issue.place_id }),
        { issueId: issue.id, placeLabel: issue.place_label },
      ]),
    ),
  };
}

function groupIssues(rows: ContextRow['issues']): Map<string, KnownIssue[]> {
  const issues = new Map<string, KnownIssue[]>();
  for (const row of rows) {
    const key = routeKey(row.code, { kind: row.place_kind, id: row.place_id });
    const known = {
      issueId: row.id,
      splitCause: row.split_cause,
      parentId: row.merged_into_id,
      placeLabel: row.place_label,
      lastSeenVersion: row.last_seen_version,
    };
    issues.set(key, [...(issues.get(key) ?? []), known]);
  }
  return issues;
}
