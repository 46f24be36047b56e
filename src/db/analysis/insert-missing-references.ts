import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type RoutedIssue, routeKey } from '../../domain/issues/evidence.ts';
import { issueKey, outcomeKey } from '../../domain/issues/identity.ts';
import { COUNT_CODE } from '../../domain/issues/rescore-outcomes.ts';
import type { CallPath, Place, Signal } from '../../domain/signals/signal.ts';
import type { IssueSource } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { type AnalysisContext, type StandingCall, type StandingIntent, stepKey } from './analysis-context.ts';

export interface NamedBatchItem {
  analysis: { signals: Signal[]; notComputable: { code: string; reason: string }[]; path?: CallPath };
  standing: StandingCall;
  profileDigest: string;
  visitSetDigest: string;
  places: Place[];
  endStep: Place | null;
  endedBadly: boolean;
}

export interface ReferenceIds {
  profiles: Map<string, string>;
  visitSets: Map<string, string>;
  issues: Map<string, RoutedIssue[]>;
  /** The issue of each step, by `stepKey`. */
  outcomes: Map<string, string>;
}

/** Makes the rows that a batch refers to and that are not there yet: profiles, visit sets, issues, versions, intents. One statement. */
export async function insertMissingReferences(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  given: { context: AnalysisContext; batch: NamedBatchItem[]; intents: StandingIntent[] },
): Promise<ReferenceIds> {
  const { context, batch } = given;
  const profiles = new Map<string, { id: string; digest: string; not_computable: unknown }>();
  const visitSets = new Map<string, NewVisitSet>();
  const issues = new Map<string, NewIssue>();
  const outcomes = new Map<string, NewIssue>();
  const labels = new Map<string, { id: string; place_label: string }>();
  const versions = new Set<number>();
  for (const { analysis, profileDigest, visitSetDigest, places, standing, endStep, endedBadly } of batch) {
    const version = standing.pending?.call.version ?? standing.version;
    versions.add(version);
    if (!context.profiles.has(profileDigest) && !profiles.has(profileDigest)) {
      profiles.set(profileDigest, { id: newId(), digest: profileDigest, not_computable: analysis.notComputable });
    }
    if (!context.visitSets.has(visitSetDigest) && !visitSets.has(visitSetDigest)) {
      const path = analysis.path ?? null;
      visitSets.set(visitSetDigest, { id: newId(), digest: visitSetDigest, places, end_step: endStep, path });
    }
    if (endStep !== null && endedBadly) {
      const step = stepKey(endStep);
      const known = context.outcomes.get(step);
      if (known && known.placeLabel !== endStep.label) {
        labels.set(known.issueId, { id: known.issueId, place_label: endStep.label });
      }
      if (!known && !outcomes.has(step)) outcomes.set(step, newOutcome(endStep));
    }
    for (const signal of analysis.signals) {
      const key = routeKey(signal.code, signal.place);
      const known = context.issues.get(key)?.filter((issue) => issue.splitCause === '') ?? [];
      if (known.length === 0 && !issues.has(key)) issues.set(key, newIssue(signal));
      for (const issue of known) {
        // A step that was renamed is shown under the name it has on the newest version that shows the issue.
        if (issue.placeLabel !== signal.place.label && version >= (issue.lastSeenVersion ?? 0)) {
          labels.set(issue.issueId, { id: issue.issueId, place_label: signal.place.label });
        }
      }
    }
  }
  await sql`
    with new_profiles as (
      insert into computability_profiles (id, agent_id, digest, not_computable)
      select id, ${agentId}, digest, not_computable
      from jsonb_to_recordset(${JSON.stringify([...profiles.values()])}::jsonb)
        as r(id uuid, digest text, not_computable jsonb)
    ), new_sets as (
      insert into visit_sets (id, agent_id, digest, places, end_step, path)
      select id, ${agentId}, digest, places, end_step, path
      from jsonb_to_recordset(${JSON.stringify([...visitSets.values()])}::jsonb)
        as r(id uuid, digest text, places jsonb, end_step jsonb, path jsonb)
    ), new_issues as (
      insert into issues (id, workspace_id, agent_id, key, source, code, count_only, place_kind, place_id, place_label,
        split_cause, klass, lane, severity, title, target_kind, target_id, target_label)
      select id, ${workspaceId}, ${agentId}, key, source, code, source = 'outcome', place_kind, place_id, place_label,
        '', klass, lane, severity, code, place_kind, place_id, place_label
      from jsonb_to_recordset(${JSON.stringify([...issues.values(), ...outcomes.values()])}::jsonb) as r(id uuid,
        key text, source text, code text, place_kind text, place_id text, place_label text, klass text, lane text,
        severity text)
    ), renamed as (
      update issues i set place_label = r.place_label, updated_at = now()
      from jsonb_to_recordset(${JSON.stringify([...labels.values()])}::jsonb) as r(id uuid, place_label text)
      where i.id = r.id
    ), new_versions as (
      insert into agent_versions (id, workspace_id, agent_id, version)
      select id, ${workspaceId}, ${agentId}, version
      from jsonb_to_recordset(${JSON.stringify([...versions].map((version) => ({ id: newId(), version })))}::jsonb)
        as r(id uuid, version int)
      where not exists (select 1 from agent_versions v where v.agent_id = ${agentId} and v.version = r.version)
      on conflict (agent_id, version) do nothing
    )
    insert into intents (id, workspace_id, agent_id, kind, slug, label, terms, parent_slug, calls)
    select id, ${workspaceId}, ${agentId}, kind, slug, label, terms, parent, calls
    from jsonb_to_recordset(${JSON.stringify(given.intents.map((intent) => ({ ...intent, id: newId() })))}::jsonb)
      as r(id uuid, kind text, slug text, label text, terms jsonb, parent text, calls int)
    on conflict (agent_id, kind, slug) do update set calls = excluded.calls, updated_at = now()`.execute(
    em.getKysely(),
  );

  return {
    profiles: merged(context.profiles, profiles),
    visitSets: merged(context.visitSets, visitSets),
    issues: withNewIssues(context.issues, issues),
    outcomes: new Map([
      ...[...context.outcomes].map(([step, { issueId }]) => [step, issueId] as const),
      ...[...outcomes].map(([step, { id }]) => [step, id] as const),
    ]),
  };
}

interface NewVisitSet {
  id: string;
  digest: string;
  places: Place[];
  end_step: Place | null;
  path: CallPath | null;
}

export interface NewIssue {
  id: string;
  key: string;
  source: IssueSource;
  code: string;
  place_kind: string;
  place_id: string;
  place_label: string;
  klass: string;
  lane: string | null;
  severity: string;
}

/** A group seen for the first time: hidden until a regroup confirms it. The catalogue's title comes with the regroup. */
function newIssue({ code, place, klass, lane, severity }: Signal): NewIssue {
  return {
    id: newId(),
    key: issueKey({ code, place, splitCause: '' }),
    source: 'detector',
    code,
    place_kind: place.kind,
    place_id: place.id,
    place_label: place.label,
    klass,
    lane,
    severity,
  };
}

/** The issue of a step at which a call ended badly for the first time: a count, until something is nominated. */
function newOutcome(step: Place): NewIssue {
  return {
    id: newId(),
    key: outcomeKey(step),
    source: 'outcome',
    code: COUNT_CODE,
    place_kind: step.kind,
    place_id: step.id,
    place_label: step.label,
    klass: 'flow',
    lane: 'flow',
    severity: 'low',
  };
}

function merged(known: Map<string, string>, added: Map<string, { id: string }>): Map<string, string> {
  return new Map([...known, ...[...added].map(([digest, { id }]) => [digest, id] as const)]);
}

function withNewIssues(known: AnalysisContext['issues'], added: Map<string, NewIssue>): Map<string, RoutedIssue[]> {
  const issues = new Map<string, RoutedIssue[]>(known);
  for (const [key, { id }] of added) {
    issues.set(key, [...(known.get(key) ?? []), { issueId: id, splitCause: '', parentId: null }]);
  }
  return issues;
}
