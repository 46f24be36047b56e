import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createModelActivities } from '../../activities/index.ts';
import type { ScoreRequest } from '../../activities/play-cells/score-attempt.ts';
import { endPlaying, openAttempt } from '../../src/db/runs/attempts.ts';
import type { NewRun } from '../../src/db/runs/runs.ts';
import type { Standing } from '../../src/db/runs/scores.ts';
import { storeStep } from '../../src/db/runs/store-step.ts';
import { OWN_CALLER, type PlayedCall } from '../../src/domain/runs/attempt.ts';
import type { ResultDocument } from '../../src/domain/runs/result-document-shape.ts';
import type { TestSpec } from '../../src/domain/tests/spec.ts';
import { finishDocument } from '../../src/services/runs/finish-document.ts';
import type { AttemptKey, RescoreWindow } from '../../src/temporal/run-tests.ts';
import { type ModelWorld, openModelWorld } from './model-world.ts';
import { makeRun, makeTests } from './runs.ts';
import type { Loose } from './world.ts';

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Runs whose attempts are stored as if they had been played, and a judge over HTTP. */
export interface ScoringWorld extends ModelWorld {
  /** A run of so many tests of one spec. @returns the keys of their first attempts, in order. */
  run(spec: Partial<TestSpec>, count?: number, made?: Partial<NewRun>): Promise<AttemptKey[]>;
  /** Another run of the same tests. @returns its keys. */
  runAgain(keys: readonly AttemptKey[]): Promise<AttemptKey[]>;
  /** Stores an attempt as it was played. */
  play(key: AttemptKey, call: PlayedCall): Promise<void>;
  /** Scores an attempt as Temporal would start it. */
  score(request: ScoreRequest, deps?: ActivityDeps): Promise<Standing>;
  /** Scores the attempts of a window of cells again, as Temporal would start it. */
  rescore(window: RescoreWindow, deps?: ActivityDeps): Promise<{ scored: number }>;
  attempt(key: AttemptKey): Promise<Loose>;
  cell(key: AttemptKey): Promise<Loose>;
  /** Ends a run and writes its document. */
  finish(runId: string, score?: number): Promise<{ document: ResultDocument; body: string; sha256: string }>;
}

export async function openScoringWorld(): Promise<ScoringWorld> {
  const world = await openModelWorld();
  const { database, agent, deps, rows } = world;
  const em = () => database.within(agent.workspaceId);
  return {
    ...world,
    async run(spec, count = 1, made = {}) {
      const testIds = await makeTests(database, agent, count, spec);
      const runId = await makeRun(database, agent, testIds, made);
      return testIds.map((testId) => ({ ...agent, runId, testId, persona: OWN_CALLER, attempt: 1 }));
    },
    async runAgain(keys) {
      const runId = await makeRun(
        database,
        agent,
        keys.map(({ testId }) => testId),
      );
      return keys.map((key) => ({ ...key, runId }));
    },
    async play(key, call) {
      const open = await openAttempt(em(), key);
      if (open === null) throw new Error('the run has no such cell');
      const of = { ...agent, attemptId: open.attemptId, player: open.player };
      const made = {
        step: 0,
        by: 'agent' as const,
        turns: call.turns,
        messages: [],
        state: null,
        flowSteps: call.steps,
        noFixture: call.noFixture,
        ended: null,
      };
      await storeStep(em(), of, made, { platformNanoUsd: 20_000_000, serviceNanoUsd: 0 });
      await endPlaying(em(), open, { ...call, serviceNanoUsd: 0 });
    },
    score: (request, given = deps) =>
      new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(
        createModelActivities(given).scoreAttempt as never,
        request as never,
      ),
    rescore: (window, given = deps) =>
      new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(
        createModelActivities(given).rescoreCells as never,
        window as never,
      ),
    async attempt({ runId, testId, attempt }) {
      const [row] = await rows(sql`
        select *, service_nano_usd::float8 as service from attempts
        where run_id = ${runId} and test_id = ${testId} and attempt = ${attempt}`);
      return row;
    },
    async cell({ runId, testId }) {
      const [row] = await rows(sql`
        select c.result, c.k, c.n, c.reason, r.cells_done as "cellsDone" from run_cells c join runs r on r.id = c.run_id
        where c.run_id = ${runId} and c.test_id = ${testId}`);
      return row;
    },
    async finish(runId, score = 0) {
      await rows(sql`
        update runs set status = 'complete', finished_at = coalesce(finished_at, clock_timestamp()) where id = ${runId}`);
      const { body, sha256 } = await em().transactional((tx) => finishDocument(tx, { ...agent, runId, score }));
      return { document: JSON.parse(body) as ResultDocument, body, sha256 };
    },
  };
}
