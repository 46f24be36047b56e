import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Turn } from '../../domain/calls/call.ts';
import { type DraftTexts, withTexts } from '../../domain/drafts/parts.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { AttemptScore, PlayedCall } from '../../domain/runs/attempt.ts';
import type { PlayedStep } from '../../domain/runs/played-steps.ts';
import { playedCallOf } from '../../domain/runs/played-steps.ts';
import type { TestSpec } from '../../domain/tests/spec.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import type { AttemptResult } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { AttemptKey } from '../../temporal/run-tests.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, asId, now } from '../expressions.ts';
import { findPlanned, queryPlanned } from '../planned.ts';
import type { Tables } from '../tables.ts';

/** One simulated call with all that playing and judging it needs. */
export interface StoredAttempt {
  attemptId: string;
  runId: string;
  testId: string;
  /** A persona's id, or `@source`. */
  persona: string;
  attempt: number;
  spec: TestSpec;
  testRevision: number;
  version: number;
  /** Texts of the draft that is played over the version; none where the version itself is. */
  texts: DraftTexts;
  /** What is played, the draft's texts in it. Null where nobody captured the version. */
  configuration: AgentConfiguration | null;
  state: 'playing' | 'played' | 'scored';
  /** What is stored so far; complete unless `state` is `playing`. */
  played: PlayedCall;
  /** The conversation in the platform's own shape, oldest first. */
  raw: JsonObject[];
  result: AttemptResult | null;
  score: AttemptScore | null;
  earlierScores: AttemptScore[];
  providerGraderStatus: string | null;
  providerGraderExplanation: string | null;
  platformNanoUsd: number;
  serviceNanoUsd: number;
  startedAt: string;
  finishedAt: string | null;
  rescoredAt: string | null;
}

/** What only the one who plays it on needs. */
export interface OpenAttempt extends StoredAttempt {
  steps: PlayedStep[];
  /** What its writes are held against: whoever opens it later has a higher one. */
  player: number;
  /** The platform's document of the version as captured. */
  document: JsonObject | null;
  providerRef: string | null;
  /** Whether a copy is played in the place of the version, and the one that is ready; null: none is. */
  playsCopy: boolean;
  copy: { providerAgentId: string; version: number } | null;
  /** What a simulated call costs at the platform by the agent's settings; null: the platform's usual rate. */
  simulatedCallUsd: number | null;
}

/** @returns null where nobody has begun this attempt. */
export async function loadPlayed(em: EntityManager, key: AttemptKey): Promise<StoredAttempt | null> {
  return (await findAttempt(em, key.agentId, named(key)))?.stored ?? null;
}

type Which = (eb: ExpressionBuilder<Tables & { a: Tables['attempts'] }, 'a'>) => Expression<SqlBool>;

/** In the order in which they began; in two statements, however many there are. */
export async function loadAllPlayed(em: EntityManager, agentId: string, which: Which): Promise<StoredAttempt[]> {
  return (await findAttempts(em, agentId, which)).map(({ stored }) => stored);
}

const named =
  (key: AttemptKey): Which =>
  (eb) =>
    eb.and({ 'a.runId': key.runId, 'a.testId': key.testId, 'a.persona': key.persona, 'a.attempt': key.attempt });

/** @returns null where the agent has no such attempt. */
export async function loadPlayedById(
  em: EntityManager,
  agentId: string,
  attemptId: string,
): Promise<StoredAttempt | null> {
  return (await findAttempt(em, agentId, (eb) => eb('a.id', '=', attemptId)))?.stored ?? null;
}

/** Another player has taken the attempt over, or it was erased. */
export class TakenOverError extends Error {
  override name = 'TakenOverError';

  constructor() {
    super('Another player took this attempt over.');
  }
}

/**
 * Begins an attempt, or takes it over as it was left: the natural key makes every start of one attempt the same row, and
 * from now on whoever played it before no longer writes.
 * @returns null where the run has no such cell any more.
 */
export async function openAttempt(em: EntityManager, key: AttemptKey): Promise<OpenAttempt | null> {
  const begun = db(em)
    .insertInto('attempts')
    .columns(['workspaceId', 'agentId', 'runId', 'testId', 'persona', 'testRevision', 'version', 'id', 'attempt'])
    .expression((eb) =>
      eb
        .selectFrom('run_cells as c')
        .innerJoin('runs as r', 'r.id', 'c.runId')
        .where('c.runId', '=', key.runId)
        .where('c.testId', '=', key.testId)
        .where('c.persona', '=', key.persona)
        .innerJoin('test_revisions as t', (join) =>
          join.onRef('t.testId', '=', 'c.testId').onRef('t.revision', '=', 'c.testRevision'),
        )
        // Held until the attempt is there, so that an erasure of the test finds it.
        .forKeyShare('t')
        .select(['c.workspaceId', 'c.agentId', 'c.runId', 'c.testId', 'c.persona', 'c.testRevision', 'r.version'])
        .select([asId(newId()).as('id'), eb.cast<number>(eb.val(key.attempt), 'integer').as('attempt')]),
    )
    .onConflict((conflict) => conflict.columns(['runId', 'testId', 'persona', 'attempt']).doNothing());
  await queryPlanned(em, begun);
  const player = await takeOver(em, key);
  const found = await findAttempt(em, key.agentId, named(key));
  if (found === null) return null;
  const { stored, steps } = found;
  const played = db(em)
    .selectFrom('agents as g')
    .leftJoin('agent_versions as v', (join) =>
      join.onRef('v.agentId', '=', 'g.id').on('v.version', '=', stored.version),
    )
    .innerJoin('runs as r', (join) => join.on('r.id', '=', key.runId))
    .leftJoin('agent_copies as c', (join) => join.onRef('c.id', '=', 'r.shadowAgentId').on('c.state', '=', 'ready'))
    .where('g.id', '=', key.agentId)
    .select(['v.capturedDocument as document', 'v.providerRef', 'g.simulatedCallUsd'])
    .select(['r.playsCopy', 'c.providerAgentId', 'c.providerVersion']);
  const version = await findPlanned(em, played);
  if (version === null) return null;
  const { providerAgentId, providerVersion, ...rest } = version;
  const copy = providerAgentId === null ? null : { providerAgentId, version: providerVersion ?? 0 };
  return { ...stored, ...rest, copy, steps, player };
}

/** @returns the number of the new player; 0 where there is nothing to play. A step that is being stored is waited for. */
async function takeOver(em: EntityManager, key: AttemptKey): Promise<number> {
  const { runId, testId, persona, attempt } = key;
  const taken = db(em)
    .updateTable('attempts')
    .where((eb) => eb.and({ runId, testId, persona, attempt, state: 'playing' as const }))
    .set((eb) => ({ player: eb('player', '+', 1) }))
    .returning('player');
  return (await findPlanned(em, taken))?.player ?? 0;
}

export interface Owned {
  workspaceId: string;
  agentId: string;
  attemptId: string;
  player: number;
}

/**
 * Notes that a step is about to be made, unless another player took over: who finds it without turns knows that its
 * question may have been asked.
 */
export async function beginStep(em: EntityManager, of: Owned, step: number, by: 'caller' | 'agent'): Promise<void> {
  const { attemptId, workspaceId, agentId, player } = of;
  const begun = db(em)
    .insertInto('attempt_steps')
    .columns(['attemptId', 'step', 'workspaceId', 'agentId', 'by'])
    .expression((eb) =>
      eb
        .selectFrom('attempts')
        .where('id', '=', attemptId)
        .where('player', '=', player)
        .forShare()
        .select(['id', eb.cast<number>(eb.val(step), 'integer').as('step')])
        .select([asId(workspaceId).as('workspaceId'), asId(agentId).as('agentId'), eb.val(by).as('by')]),
    )
    .onConflict((conflict) => conflict.columns(['attemptId', 'step']).doNothing());
  await queryPlanned(em, begun);
}

/** How a call ended that is played to its end, or why it broke off, and what it cost that no step is charged with. */
export type EndOfPlaying = Pick<PlayedCall, 'endedBy' | 'trouble' | 'noFixture'> & { serviceNanoUsd: number };

/**
 * Says that it is played to its end, or why it broke off.
 * @throws TakenOverError where that is another player's to say.
 */
export async function endPlaying(
  em: EntityManager,
  { attemptId, player }: Pick<Owned, 'attemptId' | 'player'>,
  end: EndOfPlaying,
): Promise<void> {
  const { endedBy, trouble, noFixture, serviceNanoUsd } = end;
  const ended = db(em)
    .updateTable('attempts')
    .where('id', '=', attemptId)
    .where('player', '=', player)
    .where('state', '=', 'playing')
    .set((eb) => ({
      state: 'played',
      endedBy,
      trouble: storable(trouble),
      noFixture: storable(noFixture),
      serviceNanoUsd: eb('serviceNanoUsd', '+', serviceNanoUsd),
      finishedAt: now,
    }))
    .returning('id');
  if ((await findPlanned(em, ended)) === null) throw new TakenOverError();
}

interface Found {
  stored: StoredAttempt;
  steps: PlayedStep[];
}

/** @param which finds one by a unique key. */
async function findAttempt(em: EntityManager, agentId: string, which: Which): Promise<Found | null> {
  const row = await findPlanned(em, attemptRows(em, agentId, which));
  if (row === null) return null;
  const steps = await loadSteps(em, [row.attemptId]);
  return asFound(row, steps.get(row.attemptId) ?? []);
}

async function findAttempts(em: EntityManager, agentId: string, which: Which): Promise<Found[]> {
  const rows = await attemptRows(em, agentId, which).execute();
  if (rows.length === 0) return [];
  const steps = await loadSteps(
    em,
    rows.map(({ attemptId }) => attemptId),
  );
  return rows.map((row) => asFound(row, steps.get(row.attemptId) ?? []));
}

const attemptRows = (em: EntityManager, agentId: string, which: Which) =>
  db(em)
    .selectFrom('attempts as a')
    .where('a.agentId', '=', agentId)
    .where(which)
    .innerJoin('test_revisions as t', (join) =>
      join.onRef('t.testId', '=', 'a.testId').onRef('t.revision', '=', 'a.testRevision'),
    )
    .leftJoin('agent_versions as v', (join) =>
      join.onRef('v.agentId', '=', 'a.agentId').onRef('v.version', '=', 'a.version'),
    )
    .innerJoin('runs as run', 'run.id', 'a.runId')
    .leftJoin('draft_revisions as d', (join) =>
      join.onRef('d.draftId', '=', 'run.draftId').onRef('d.revision', '=', 'run.draftRevision'),
    )
    .select(['d.base as draftBase', 'd.texts as draftTexts'])
    .select(['a.id as attemptId', 'a.runId', 'a.testId', 'a.persona', 'a.attempt', 't.spec', 'a.testRevision'])
    .select(['a.version', 'v.configuration', 'a.state', 'a.endedBy', 'a.trouble', 'a.noFixture', 'a.result'])
    .select(['a.score', 'a.earlierScores', 'a.providerGraderStatus', 'a.providerGraderExplanation'])
    .select(['a.platformNanoUsd', 'a.serviceNanoUsd', 'a.startedAt', 'a.finishedAt', 'a.rescoredAt'])
    .orderBy('a.id');
type AttemptRow = Awaited<ReturnType<ReturnType<typeof attemptRows>['execute']>>[number];

function asFound(row: AttemptRow, steps: PlayedStep[]): Found {
  const { endedBy, trouble, noFixture, draftBase, draftTexts, configuration, ...rest } = row;
  const texts = draftTexts ?? {};
  const captured = draftBase ?? configuration;
  const stored = {
    ...rest,
    texts,
    configuration: captured && withTexts(captured, texts),
    ...playedSoFar(steps, { endedBy, trouble, noFixture }),
  };
  return { stored, steps };
}

/** What was said and done by these steps, in our shape and the platform's. */
export const playedSoFar = (
  steps: readonly PlayedStep[],
  { endedBy, trouble, noFixture }: Pick<PlayedCall, 'endedBy' | 'trouble' | 'noFixture'>,
): Pick<StoredAttempt, 'played' | 'raw'> => ({
  played: { ...playedCallOf(steps), endedBy, trouble, noFixture },
  raw: steps.flatMap(({ messages }) => messages),
});

/** Steps that were made, oldest first, by their attempt. One that was only begun is made again. */
async function loadSteps(em: EntityManager, attemptIds: readonly string[]): Promise<Map<string, PlayedStep[]>> {
  const rows = await db(em)
    .selectFrom('attempt_steps')
    .where('attemptId', '=', anyId(attemptIds))
    .where('turns', 'is not', null)
    .select(['attemptId', 'step', 'by', 'turns', 'messages', 'state', 'flowSteps', 'noFixture', 'ended'])
    .$narrowType<{ turns: Turn[] }>()
    .orderBy('attemptId')
    .orderBy('step')
    .execute();
  const steps = new Map<string, PlayedStep[]>(attemptIds.map((id) => [id, []]));
  for (const { attemptId, messages, ...row } of rows) {
    steps.get(attemptId)?.push({ ...row, messages: messages ?? [] });
  }
  return steps;
}
