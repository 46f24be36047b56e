import { type Expression, expressionBuilder, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { type RoutedIssue, routeKey } from '../../domain/issues/signals-to-issues.ts';
import type { Place } from '../../domain/signals/signal.ts';
import type { Outcome, PlaceKind } from '../../domain/vocabulary.ts';
import { toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { digestOf } from '../evidence/every-call.ts';
import { alsoOfAgent, anyId, anyText, given, json } from '../expressions.ts';
import { findPlanned } from '../planned.ts';
import type { Row, Tables } from '../tables.ts';

type OfCall =
  | 'id'
  | 'payloadDigest'
  | 'state'
  | 'version'
  | 'startedAt'
  | 'endedAt'
  | 'durationMs'
  | 'direction'
  | 'disconnectionReason'
  | 'costUsd'
  | 'callerKey'
  | 'endedBadly'
  | 'callerSpoke'
  | 'intentSlug'
  | 'requestIntents'
  | 'useCaseSlug'
  | 'subUseCaseSlug'
  | 'personaSlug'
  | 'profileId'
  | 'wordsGone';

/** A call as it stands before a batch is stored. */
export interface StandingCall extends Pick<Row<'calls'>, OfCall> {
  /** What the last reading said; null on calls never analysed. */
  outcome: Outcome | null;
  /** Turns of the last reading, and how sure its outcome was. */
  turns: number;
  outcomeConfidence: number | null;
  /** As the rules read it; what is shown may be a model's sentence. */
  objective: string | null;
  places: Place[] | null;
  endStep: Place | null;
  requests: { turn: number; text: string }[] | null;
  /** The name that a reader gave its intent. */
  readIntent: string | null;
  signals: StandingSignal[];
  pending: Row<'transcripts'>['pending'];
}

export type StandingSignal = Pick<
  Row<'call_signals'>,
  'code' | 'placeKind' | 'placeId' | 'causeCode' | 'turnIndex' | 'confidence'
>;

export interface StandingIntent {
  kind: Row<'intents'>['kind'];
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

interface Asked {
  callIds: string[];
  groups: { code: string; place: Pick<Place, 'kind' | 'id'> }[];
  profileDigests: string[];
  visitSetDigests: string[];
  endSteps: Pick<Place, 'kind' | 'id'>[];
}

/** All that storing a batch has to know, in one round trip: the calls with their old reading, and the names they share. */
export async function loadContext(em: EntityManager, agentId: string, asked: Asked): Promise<AnalysisContext> {
  const asking = named(em, agentId, asked).selectNoFrom((eb) => [
    callsOf(agentId, asked.callIds).as('calls'),
    intentsOf(agentId).as('intents'),
    eb
      .selectFrom('computability_profiles as p')
      .where('p.agentId', '=', agentId)
      .where('p.digest', '=', anyText(asked.profileDigests))
      .select(({ fn, ref }) => fn.jsonAgg(jsonBuildObject({ id: ref('p.id'), digest: ref('p.digest') })).as('rows'))
      .as('profiles'),
    eb
      .selectFrom('visit_sets as v')
      .where('v.agentId', '=', agentId)
      .where('v.digest', '=', anyText(asked.visitSetDigests))
      .select(({ fn, ref }) => fn.jsonAgg(jsonBuildObject({ id: ref('v.id'), digest: ref('v.digest') })).as('rows'))
      .as('visitSets'),
    eb
      .selectFrom('issues as i')
      .innerJoin('groups as g', (join) => join.onRef('g.code', '=', 'i.code').onRef('g.placeKind', '=', 'i.placeKind'))
      .where('i.agentId', '=', agentId)
      .where('i.source', '=', 'detector')
      .where(({ eb: on, ref }) => on(ref('g.digest'), '=', digestOf(ref('i.placeId'))))
      .select(({ fn, ref }) =>
        fn
          .jsonAgg(
            jsonBuildObject({
              issueId: ref('i.id'),
              code: ref('i.code'),
              placeKind: ref('i.placeKind'),
              placeId: ref('i.placeId'),
              placeLabel: ref('i.placeLabel'),
              splitCause: ref('i.splitCause'),
              parentId: ref('i.mergedIntoId'),
              lastSeenVersion: ref('i.lastSeenVersion'),
            }),
          )
          .as('rows'),
      )
      .as('issues'),
    eb
      .selectFrom('issues as i')
      .innerJoin('steps as s', 's.placeKind', 'i.placeKind')
      .where('i.agentId', '=', agentId)
      .where('i.source', '=', 'outcome')
      .where(({ eb: on, ref }) => on(ref('s.digest'), '=', digestOf(ref('i.placeId'))))
      .select(({ fn, ref }) =>
        fn
          .jsonAgg(
            jsonBuildObject({
              issueId: ref('i.id'),
              kind: ref('i.placeKind'),
              id: ref('i.placeId'),
              placeLabel: ref('i.placeLabel'),
            }),
          )
          .as('rows'),
      )
      .as('outcomes'),
  ]);
  const found = await findPlanned(em, asking);
  if (found === null) throw new Error('PostgreSQL answered a question for one row with none.');
  return {
    // Times within documents are in PostgreSQL's own form.
    calls: (found.calls ?? []).map((call) => ({
      ...call,
      startedAt: toIsoOrNull(call.startedAt),
      endedAt: toIsoOrNull(call.endedAt),
    })),
    intents: found.intents ?? [],
    profiles: new Map((found.profiles ?? []).map(({ digest, id }) => [digest, id])),
    visitSets: new Map((found.visitSets ?? []).map(({ digest, id }) => [digest, id])),
    issues: groupIssues(found.issues ?? []),
    outcomes: new Map((found.outcomes ?? []).map(({ kind, id, ...known }) => [stepKey({ kind, id }), known])),
  };
}

/** With the groups of signals and the steps that the batch names, and those that its calls named before. */
const named = (em: EntityManager, agentId: string, { callIds, groups, endSteps }: Asked) =>
  db(em)
    .with('groups', (within) =>
      within
        .selectFrom(
          given(
            'call_signals',
            groups.map(({ code, place }) => ({ code, placeKind: place.kind, placeId: place.id })),
          ),
        )
        .select(({ ref }) => ['code', 'placeKind', digestOf(ref('placeId')).as('digest')])
        .union(
          within
            .selectFrom('call_signals')
            .where('callId', '=', anyId(callIds))
            .select(({ ref }) => ['code', 'placeKind', digestOf(ref('placeId')).as('digest')]),
        ),
    )
    .with('steps', (within) =>
      within
        .selectFrom(
          given(
            'issues',
            endSteps.map(({ kind, id }) => ({ placeKind: kind, placeId: id })),
          ),
        )
        .select(({ ref }) => ['placeKind', digestOf(ref('placeId')).as('digest')])
        .union(
          within
            .selectFrom('calls as c')
            .innerJoin('visit_sets as v', 'v.id', 'c.visitSetId')
            .where('c.id', '=', anyId(callIds))
            .where(alsoOfAgent('c', agentId))
            .select(({ ref }) => [
              ref('v.endStep', '->>').key('kind').$notNull().as('placeKind'),
              digestOf(ref('v.endStep', '->>').key('id')).as('digest'),
            ]),
        ),
    );

const callsOf = (agentId: string, callIds: readonly string[]) =>
  expressionBuilder<Tables>()
    .selectFrom('calls as c')
    .leftJoin('visit_sets as v', 'v.id', 'c.visitSetId')
    .leftJoin('call_analyses as a', 'a.callId', 'c.id')
    .leftJoin('transcripts as t', (join) => join.onRef('t.callId', '=', 'c.id').on('t.pending', 'is not', null))
    .where('c.id', '=', anyId(callIds))
    .where(alsoOfAgent('c', agentId))
    .select(({ fn, ref }) =>
      fn
        .jsonAgg(
          jsonBuildObject({
            id: ref('c.id'),
            payloadDigest: ref('c.payloadDigest'),
            state: ref('c.state'),
            version: ref('c.version'),
            startedAt: ref('c.startedAt'),
            endedAt: ref('c.endedAt'),
            durationMs: ref('c.durationMs'),
            direction: ref('c.direction'),
            disconnectionReason: ref('c.disconnectionReason'),
            costUsd: ref('c.costUsd'),
            callerKey: ref('c.callerKey'),
            outcome: ref('c.outcome'),
            endedBadly: ref('c.endedBadly'),
            callerSpoke: ref('c.callerSpoke'),
            turns: ref('c.turns'),
            outcomeConfidence: ref('c.outcomeConfidence'),
            objective: fn.coalesce(ref('a.analysis', '->>').key('objective'), 'c.objective'),
            intentSlug: ref('c.intentSlug'),
            requestIntents: ref('c.requestIntents'),
            useCaseSlug: ref('c.useCaseSlug'),
            subUseCaseSlug: ref('c.subUseCaseSlug'),
            personaSlug: ref('c.personaSlug'),
            profileId: ref('c.profileId'),
            wordsGone: ref('c.wordsGone'),
            places: ref('v.places'),
            endStep: ref('v.endStep'),
            requests: ref('a.analysis', '->').key('requests'),
            readIntent: ref('a.analysis', '->>').key('readIntent'),
            pending: ref('t.pending'),
            signals: signals(ref('c.id')),
          }),
        )
        .$castTo<StandingCall[] | null>()
        .as('rows'),
    );

function signals(callId: Expression<string>) {
  const eb = expressionBuilder<Tables>();
  const rows = eb
    .selectFrom('call_signals as s')
    .where('s.callId', '=', callId)
    .select(({ fn, ref }) =>
      fn
        .jsonAgg(
          jsonBuildObject({
            code: ref('s.code'),
            placeKind: ref('s.placeKind'),
            placeId: ref('s.placeId'),
            causeCode: ref('s.causeCode'),
            turnIndex: ref('s.turnIndex'),
            confidence: ref('s.confidence'),
          }),
        )
        .orderBy('s.ordinal')
        .as('rows'),
    );
  return eb.fn.coalesce(rows.$asScalar(), sql<StandingSignal[]>`'[]'::json`);
}

const intentsOf = (agentId: string) =>
  expressionBuilder<Tables>()
    .selectFrom('intents as i')
    .leftJoin('intents as m', 'm.id', 'i.mergedIntoId')
    .where('i.agentId', '=', agentId)
    .select(({ eb, fn, ref }) =>
      fn
        .jsonAgg(
          jsonBuildObject({
            kind: ref('i.kind'),
            slug: ref('i.slug'),
            label: ref('i.label'),
            terms: eb
              .case()
              .when('m.id', 'is', null)
              .then(ref('i.terms'))
              .else(json<StandingIntent['terms']>({}))
              .end(),
            calls: ref('i.calls'),
            parent: ref('i.parentSlug'),
            kept: eb('i.keptAt', 'is not', null).$castTo<boolean>(),
            into: ref('m.slug'),
          }),
        )
        .orderBy('i.kind')
        .orderBy('i.slug')
        .as('rows'),
    );

type IssueRow = KnownIssue & { code: string; placeKind: PlaceKind; placeId: string };

function groupIssues(rows: readonly IssueRow[]): Map<string, KnownIssue[]> {
  const issues = new Map<string, KnownIssue[]>();
  for (const { code, placeKind, placeId, ...known } of rows) {
    const key = routeKey(code, { kind: placeKind, id: placeId });
    issues.set(key, [...(issues.get(key) ?? []), known]);
  }
  return issues;
}
