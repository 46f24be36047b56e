import { issueKey, outcomeKey } from '../../domain/issues/identity.ts';
import { COUNT_CODE } from '../../domain/issues/rescore-outcomes.ts';
import { type RoutedIssue, routeKey } from '../../domain/issues/signals-to-issues.ts';
import type { CallPath } from '../../domain/signals/call-analysis.ts';
import type { Place, Signal } from '../../domain/signals/signal.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { given, now } from '../expressions.ts';
import { NEW_ISSUE_COLUMNS, type NewIssue, newIssues } from '../issues/insert-issues.ts';
import { queryPlanned } from '../planned.ts';
import type { Row } from '../tables.ts';
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
  {
    context,
    batch,
    intents: changed,
  }: { context: AnalysisContext; batch: NamedBatchItem[]; intents: StandingIntent[] },
): Promise<ReferenceIds> {
  const profiles = new Map<
    string,
    Pick<Row<'computability_profiles'>, 'id' | 'agentId' | 'digest' | 'notComputable'>
  >();
  const visitSets = new Map<
    string,
    Pick<Row<'visit_sets'>, 'id' | 'agentId' | 'digest' | 'places' | 'endStep' | 'path'>
  >();
  const issues = new Map<string, NewIssue>();
  const outcomes = new Map<string, NewIssue>();
  const labels = new Map<string, { id: string; placeLabel: string }>();
  const versions = new Set<number>();
  for (const { analysis, profileDigest, visitSetDigest, places, standing, endStep, endedBadly } of batch) {
    const version = standing.pending?.call.version ?? standing.version;
    versions.add(version);
    if (!context.profiles.has(profileDigest) && !profiles.has(profileDigest)) {
      profiles.set(profileDigest, {
        id: newId(),
        agentId,
        digest: profileDigest,
        notComputable: analysis.notComputable,
      });
    }
    if (!context.visitSets.has(visitSetDigest) && !visitSets.has(visitSetDigest)) {
      const path = analysis.path ?? null;
      visitSets.set(visitSetDigest, { id: newId(), agentId, digest: visitSetDigest, places, endStep, path });
    }
    if (endStep !== null && endedBadly) {
      const step = stepKey(endStep);
      const known = context.outcomes.get(step);
      if (known && known.placeLabel !== endStep.label) {
        labels.set(known.issueId, { id: known.issueId, placeLabel: endStep.label });
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
          labels.set(issue.issueId, { id: issue.issueId, placeLabel: signal.place.label });
        }
      }
    }
  }
  const newVersions = [...versions].map((version) => ({ id: newId(), workspaceId, agentId, version }));
  const intents = changed.map(({ kind, slug, label, terms, parent, calls }) => ({
    id: newId(),
    workspaceId,
    agentId,
    kind,
    slug,
    label,
    terms,
    parentSlug: parent,
    calls,
  }));
  const missing = db(em)
    .with('profiles', (within) =>
      within
        .insertInto('computability_profiles')
        .columns(PROFILE)
        .expression((eb) => eb.selectFrom(given('computability_profiles', [...profiles.values()])).select(PROFILE)),
    )
    .with('sets', (within) =>
      within
        .insertInto('visit_sets')
        .columns(VISIT_SET)
        .expression((eb) => eb.selectFrom(given('visit_sets', [...visitSets.values()])).select(VISIT_SET)),
    )
    .with('made', (within) =>
      within
        .insertInto('issues')
        .columns(NEW_ISSUE_COLUMNS)
        .expression(newIssues(em, agentId, [...issues.values(), ...outcomes.values()])),
    )
    .with('renamed', (within) =>
      within
        .updateTable('issues')
        .from(given('issues', [...labels.values()]))
        .whereRef('issues.id', '=', 'given.id')
        .set((eb) => ({ placeLabel: eb.ref('given.placeLabel'), updatedAt: now })),
    )
    .with('versions', (within) =>
      within
        .insertInto('agent_versions')
        .columns(VERSION)
        .expression((eb) => eb.selectFrom(given('agent_versions', newVersions)).select(VERSION))
        .onConflict((conflict) => conflict.columns(['agentId', 'version']).doNothing()),
    )
    .insertInto('intents')
    .columns(INTENT)
    .expression((eb) => eb.selectFrom(given('intents', intents)).select(INTENT))
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'kind', 'slug'])
        .doUpdateSet((eb) => ({ calls: eb.ref('excluded.calls'), updatedAt: now })),
    );
  await queryPlanned(em, missing);

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

const PROFILE = ['id', 'agentId', 'digest', 'notComputable'] as const;
const VISIT_SET = ['id', 'agentId', 'digest', 'places', 'endStep', 'path'] as const;
const VERSION = ['id', 'workspaceId', 'agentId', 'version'] as const;
const INTENT = ['id', 'workspaceId', 'agentId', 'kind', 'slug', 'label', 'terms', 'parentSlug', 'calls'] as const;

/** A group seen for the first time: hidden until a regroup confirms it. The catalogue's title comes with the regroup. */
function newIssue({ code, place, klass, lane, severity }: Signal): NewIssue {
  return {
    id: newId(),
    key: issueKey({ code, place, splitCause: '' }),
    source: 'detector',
    code,
    countOnly: false,
    placeKind: place.kind,
    placeId: place.id,
    placeLabel: place.label,
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
    countOnly: true,
    placeKind: step.kind,
    placeId: step.id,
    placeLabel: step.label,
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
