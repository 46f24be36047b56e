import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImport, finishImport, saveImport } from '../../../src/db/imports/imports.ts';
import { type ImportRequestKey, type ImportStanding, NO_COUNTS } from '../../../src/temporal/import-calls.ts';
import { createWorld, type World } from '../../support/world.ts';

const WAITS = 'waits for the platform: rate limit until 14:17 UTC, page 3, 296 stored';

let world: World;
let request: ImportRequestKey;
beforeAll(async () => {
  world = await createWorld();
  const { workspaceId, agentId } = world;
  request = await createImport(em(), { workspaceId, agentId, kind: 'manual', limit: null, from: null });
});
afterAll(() => world.close());

const em = () => world.database.within(world.workspaceId);

function save(waitsFor: string | null, stored: number): Promise<void> {
  const counts = { ...NO_COUNTS, listed: 300, stored };
  const standing: ImportStanding = {
    cursor: null,
    listingEnded: false,
    pages: 3,
    counts,
    reasons: [],
    oldestOngoingAt: null,
  };
  return saveImport(em(), request, { standing, status: 'running', waitsFor });
}

async function stuckSince(): Promise<string | null> {
  const query = sql<{
    since: string | null;
  }>`select stuck_since::text as since from imports where id = ${request.importId}`;
  return (await query.execute(em().getKysely())).rows[0]?.since ?? null;
}

test('an import stands still from its first wait on, however often it asks in between, until it gets on', async () => {
  await save(null, 296);
  expect(await stuckSince()).toBeNull();
  await save(WAITS, 296);
  const since = await stuckSince();
  expect(since).not.toBeNull();
  await save(null, 296);
  await save(WAITS, 296);
  expect(await stuckSince()).toBe(since);
  await save(null, 297);
  expect(await stuckSince()).toBeNull();
});

test('what a person paused does not stand still', async () => {
  await save('paused by a person, page 3, 297 stored', 297);
  expect(await stuckSince()).toBeNull();
});

test('a wait after progress is another one, and an import that ended waits for nothing', async () => {
  await save(WAITS, 298);
  expect(await stuckSince()).not.toBeNull();
  await finishImport(em(), request, { status: 'cancelled', reason: null });
  expect(await stuckSince()).toBeNull();
});
