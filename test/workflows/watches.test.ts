import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { insertBacktest } from '../../src/db/watches/backtests.ts';
import { setWatchState } from '../../src/db/watches/watches.ts';
import { FLAGGED_SAMPLES } from '../../src/domain/watches/draw-samples.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { backtestEntry } from '../../src/temporal/backtest-watch.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { seedCalls } from '../support/seed.ts';
import { readWatched, spoken } from '../support/watched-calls.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import { expectFailure, type Loose, type World } from '../support/world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('a watch from its words to its first live call', () => {
  let worked: WorkedWorld;
  let world: World;
  let agentId: string;
  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    ({ world } = worked);
  });
  afterAll(() => worked.close());
  beforeEach(async () => {
    agentId = await world.makeAgent({ provider: 'file' });
  });

  async function ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) {
    const surface = path.endsWith('/labels') || method === 'GET' ? 'v1' : 'app';
    const as = await world.token();
    return world.ask(method, `/${surface}/agents/${agentId}/watches${path}`, {
      as,
      ...(body === undefined ? {} : { body }),
    });
  }
  const send = () => sendOutbox({ database: world.database, temporal: worked.temporal.gateway });
  const goodbyes = { name: 'Goodbyes', lane: 'speaking', expectation: { text: 'Always say "goodbye".' } };
  const make = async (): Promise<Loose> => (await ask('POST', '', goodbyes)).body;
  const calls = (broken: number, held: number) =>
    seedCalls(world, agentId, [
      ...Array.from({ length: broken }, (_, nth) => spoken(`broken ${nth}`, false)),
      ...Array.from({ length: held }, (_, nth) => spoken(`held ${nth}`, true)),
    ]);
  async function until(id: string, state: string): Promise<Loose> {
    let body: Loose = null;
    await untilTrue(async () => {
      await send();
      ({ body } = await ask('GET', `/${id}`));
      return body.state === state;
    });
    return body;
  }

  test('beside a custom metric, which is computed on the calls that were there before it', async () => {
    await calls(30, 120);
    const said = (text: string) => ({ on: 'said', by: 'agent', text });
    const body = {
      name: 'Goodbyes',
      better: 'higher',
      on: true,
      backfill: true,
      form: { kind: 'pattern', after: said('hello'), expect: said('goodbye'), within: { turns: 50 } },
    };
    const path = `/v1/agents/${agentId}/custom-metrics/goodbyes`;
    const { body: made } = await world.ask('PUT', path, { as: world.writeKey, body });
    expect(made.backfill).toEqual({ state: 'queued', done: 0, total: 150 });
    let metric: Loose = null;
    await untilTrue(async () => {
      await send();
      ({ metric } = (await world.get(path)).body);
      return metric.backfill.state === 'complete';
    });
    expect(metric.backfill).toEqual({ state: 'complete', done: 150, total: 150 });
    expect(metric.figure).toMatchObject({ n: 150, value: 0.8, unknown: 0 });
  });

  test('is backtested, labelled, refused by the bar, turned on, and catches a new call', async () => {
    await calls(30, 120);
    const made = await make();
    expect(made).toMatchObject({
      state: 'draft',
      revision: 1,
      origin: 'person',
      passRate: null,
      calls: 0,
      backtest: null,
      samples: [],
      source: null,
      expectation: { polarity: 'must', code: { kind: 'says', text: 'goodbye' } },
    });
    expectFailure(await ask('POST', `/${made.id}/turn-on`), 409, 'watch_state_refused');
    expect((await ask('POST', `/${made.id}/backtest`)).body.state).toBe('backtesting');
    const review = await until(made.id, 'review');
    expect(review).toMatchObject({
      backtest: { considered: 150, inScope: 150, flagged: 30 },
      calls: 150,
      passRate: 0.8,
    });
    const flagged = review.samples.filter(({ kind }: Loose) => kind === 'flagged');
    const cleared = review.samples.find(({ kind }: Loose) => kind === 'cleared');
    expect(flagged).toHaveLength(FLAGGED_SAMPLES);

    const label = (callId: string, word: string, revision = 1) =>
      ask('POST', `/${made.id}/labels`, { callId, label: word, revision });
    expectFailure(await label(cleared.callId, 'right'), 400, 'sample_not_flagged', 'callId');
    expectFailure(await label(flagged[0].callId, 'right', 2), 409, 'revision_conflict', 'revision');
    for (const { callId } of flagged.slice(0, 9)) await label(callId, 'right');
    const refused = await ask('POST', `/${made.id}/turn-on`);
    expectFailure(refused, 409, 'watch_bar_not_met');
    expect(refused.body.error.message).toContain('10 flagged samples have to be labelled, 9 are.');
    // The same call again replaces, also by two people at once.
    await Promise.all(['wrong', 'right', 'wrong'].map((word) => label(flagged[0].callId, word)));
    const { body: labelled } = await label(flagged[9].callId, 'right');
    expect(labelled).toMatchObject({ labelled: 10, goLiveBlock: null });
    expect((await ask('POST', `/${made.id}/turn-on`)).body.state).toBe('live');

    await readWatched(world, agentId, [spoken('new', false)]);
    const { body: live } = await ask('GET', `/${made.id}`);
    expect(live).toMatchObject({ calls: 151, passRate: 120 / 151 });
    const { body: results } = await ask('GET', `/${made.id}/results`);
    expect(results).toMatchObject({ byVersion: [{ version: 1, calls: 151 }], byDay: [{ calls: 151 }], failing: null });
    expect((await ask('POST', `/${made.id}/pause`)).body.state).toBe('paused');

    const change = { expectation: { text: 'Never say "goodbye".' }, revision: 1 };
    const { body: edited } = await ask('PATCH', `/${made.id}`, change);
    expect(edited).toMatchObject({ state: 'backtesting', revision: 2, samples: [], labelled: 0, calls: 0 });
    expectFailure(await ask('PATCH', `/${made.id}`, change), 409, 'revision_conflict', 'revision');
    expect(await until(made.id, 'review')).toMatchObject({
      backtest: { watchRevision: 2, inScope: 151, flagged: 120 },
    });
    expect((await ask('POST', `/${made.id}/reject`)).body.state).toBe('rejected');
  });

  test('can be paused, taken up, cancelled and edited while it is backtested', async () => {
    await calls(20, 100);
    const { id } = await make();
    await ask('POST', `/${id}/backtest`);
    // Before the workflow is started: then it finds the record paused.
    expect((await ask('POST', `/${id}/backtest/pause`)).status).toBe(200);
    await send();
    await ask('POST', `/${id}/backtest/go-on`);
    expect(await until(id, 'review')).toMatchObject({ backtest: { inScope: 120, flagged: 20 } });
    expectFailure(await ask('POST', `/${id}/backtest/cancel`), 409, 'watch_state_refused');

    // A second backtest is of the next revision; edited before it runs, it is of the one after.
    expect((await ask('POST', `/${id}/backtest`)).body.revision).toBe(2);
    await ask('PATCH', `/${id}`, { expectation: { text: 'Never say "goodbye".' } });
    expect(await until(id, 'review')).toMatchObject({ revision: 3, backtest: { watchRevision: 3, flagged: 100 } });
    const { rows } =
      await sql<Loose>`select revision, status, considered from backtests where watch_id = ${id} order by 1
    `.execute(world.database.em().getKysely());
    expect(rows.map(({ status }) => status)).toEqual(['complete', 'cancelled', 'complete']);

    await ask('POST', `/${id}/backtest`);
    expect((await ask('POST', `/${id}/backtest/cancel`)).body.state).toBe('draft');
  });

  test('that only a model can judge ends its backtest with the reason where the workers have none', async () => {
    await calls(1, 1);
    const { body: judged } = await ask('POST', '', { ...goodbyes, expectation: { text: 'Sound as if you cared.' } });
    const { workspaceId } = world;
    const em = world.database.within(workspaceId);
    // As if a model had been configured when it was asked for.
    const key = { workspaceId, agentId, watchId: judged.id, revision: 1 };
    await insertBacktest(em, { ...key, createdBy: world.personId });
    await setWatchState(em, judged.id, 'backtesting');
    await addToOutbox(em, { entry: backtestEntry(key), workspaceId, agentId });
    await until(judged.id, 'draft');
    const { body: results } = await ask('GET', `/${judged.id}/results`);
    expect(results.backtest).toMatchObject({ status: 'failed', reason: expect.stringContaining('no judge model') });
  });

  test('that could say nothing is refused before it is saved, and what only a model can judge says so', async () => {
    const never = { ...goodbyes, scope: { code: { kind: 'outcome', outcome: 'resolved' } } };
    const refused = await ask('POST', '', {
      ...never,
      expectation: { text: 'x', code: { kind: 'outcome', outcome: 'abandoned' } },
    });
    expectFailure(refused, 400, 'invalid_parameter', 'expectation');
    const two = { ...goodbyes, expectation: { text: 'Always say "goodbye". Never be rude.' } };
    const refusedTwo = await ask('POST', '', two);
    expectFailure(refusedTwo, 400, 'invalid_parameter', 'expectation.text');
    expect(refusedTwo.body.error.message).toMatch(/^Not read: "Never be rude\."\. .*says “goodbye”/);
    const counted = await ask('POST', '', { ...goodbyes, expectation: { text: 'Say "goodbye" at most twice.' } });
    expectFailure(counted, 400, 'invalid_parameter', 'expectation.text');
    expect(counted.body.error.message).toContain('Not read: "most twice".');
    const read = await ask('POST', '/read', { expectation: { text: 'Sound as if you cared.' } });
    expect(read.body).toMatchObject({ needsModel: true, unread: ['Sound as if you cared.'], problem: null });
    const { body: judged } = await ask('POST', '', { ...goodbyes, expectation: { text: 'Sound as if you cared.' } });
    expect(judged.goLiveBlock).toContain('model');
    expectFailure(await ask('POST', `/${judged.id}/backtest`), 409, 'watch_state_refused');
  });
});
