import { MockActivityEnvironment } from '@temporalio/testing';
import type { sql } from 'kysely';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createAnalysisActivities, createControlActivities } from '../../activities/index.ts';
import { createImport } from '../../src/db/imports/imports.ts';
import type { ImportKind } from '../../src/domain/vocabulary.ts';
import { openDeps, type PipelineDeps, type StoredAgent, storeAgent } from '../support/pipeline.ts';
import { type StandInPlatform, startStandInPlatform } from '../support/stand-in-platform.ts';

type Activities = ReturnType<typeof createAnalysisActivities> & ReturnType<typeof createControlActivities>;

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Activities run one by one, without a Temporal server, on a real database and a platform over HTTP. */
export interface ActivityWorld extends PipelineDeps {
  platform: StandInPlatform;
  agent: StoredAgent;
  /** Runs one attempt. @returns its result and the heartbeats that it sent. */
  run<Name extends keyof Activities>(
    name: Name,
    request: Parameters<Activities[Name]>[0],
    attempt?: number,
    deps?: ActivityDeps,
  ): Promise<Awaited<ReturnType<Activities[Name]>>>;
  heartbeats: unknown[];
  newImport(kind: ImportKind): Promise<string>;
  rows<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]>;
}

export async function openActivityWorld(): Promise<ActivityWorld> {
  const platform = await startStandInPlatform();
  const world = await openDeps();
  const agent = await storeAgent(world.database.em(), world.deps.vault, { provider: 'retell', baseUrl: platform.url });
  const heartbeats: unknown[] = [];
  return {
    ...world,
    platform,
    agent,
    heartbeats,
    run(name, request, attempt = 1, deps = world.deps) {
      const environment = new MockActivityEnvironment({ attempt }, { logger: SILENT });
      environment.on('heartbeat', (details: unknown) => heartbeats.push(details));
      const activities = { ...createControlActivities(deps), ...createAnalysisActivities(deps) };
      const activity = activities[name] as unknown as (argument: never) => Promise<never>;
      return environment.run(activity, request as never);
    },
    async newImport(kind) {
      const made = await createImport(world.database.em(), { ...agent, kind, limit: null, from: null });
      return made.importId;
    },
    async rows(query) {
      return (await query.execute(world.database.em().getKysely())).rows;
    },
    async close() {
      await platform.close();
      await world.close();
    },
  };
}
