import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Signs, startSigns } from '../../activities/shared/sign-of-life.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import { keepReconciled } from '../../src/services/outbox/keep-reconciled.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { untilTrue } from '../support/pipeline.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const leading = async (...workers: Signs[]) => Promise.all(workers.map((worker) => worker.leads()));

test('of all workers the one that has polled for the longest leads; where it ends, the next one does', async () => {
  let polls = false;
  const settings = readConfig({ DATABASE_URL: database.url, EARSHOT_SECRET: 'a'.repeat(32), EARSHOT_DATA: '.' });
  const [first, second] = [startSigns(database, settings, () => polls), startSigns(database, settings, () => true)];
  expect(await leading(first, second)).toEqual([false, false]);
  await second.now();
  await sleep(10);
  polls = true;
  await first.now();
  expect(await leading(first, second)).toEqual([false, true]);
  await second.stop();
  expect(await leading(first, second)).toEqual([true, false]);
  await first.stop();
});

test('who leads reconciles at once, and takes it up anew after another one did', async () => {
  const leads = { a: true, b: false };
  const passes: string[] = [];
  const followed = new Set<string>();
  const logger = createLogger('test', 'silent');
  const reconcilers = (['a', 'b'] as const).map((name) =>
    keepReconciled({
      leads: async () => {
        if (!leads[name]) followed.add(name);
        return leads[name];
      },
      reconcile: async (isFirst) => void passes.push(`${name} ${isFirst}`),
      temporalData: async () => 'data',
      logger,
    }),
  );
  await untilTrue(async () => passes.length === 1);
  [leads.a, leads.b] = [false, true];
  // Who looks only once it leads again has not seen that another one did.
  await untilTrue(async () => passes.length === 2 && followed.has('a'));
  [leads.a, leads.b] = [true, false];
  await untilTrue(async () => passes.length === 3);
  await Promise.all(reconcilers.map((each) => each.stop()));
  expect(passes).toEqual(['a true', 'b true', 'a true']);
});

test('who leads reconciles anew when Temporal has lost its data, and not because it keeps silent', async () => {
  const passes: boolean[] = [];
  let data: string | null = 'data';
  const asked: (string | null)[] = [];
  const reconciler = keepReconciled(
    {
      leads: async () => true,
      reconcile: async (isFirst) => void passes.push(isFirst),
      temporalData: async () => {
        asked.push(data);
        if (data === null) throw new Error('Temporal does not answer.');
        return data;
      },
      logger: createLogger('test', 'silent'),
    },
    0,
  );
  const untilAsked = async () => {
    const before = asked.length;
    await untilTrue(async () => asked.length > before);
  };
  await untilTrue(async () => passes.length === 1);
  for (const next of ['data', null, 'data']) {
    data = next;
    await untilAsked();
  }
  expect(passes).toEqual([true]);
  data = 'other data';
  await untilTrue(async () => passes.length === 2);
  await untilAsked();
  await reconciler.stop();
  expect(passes).toEqual([true, true]);
});
