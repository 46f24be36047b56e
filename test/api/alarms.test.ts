import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertChannel } from '../../src/db/channels/channels.ts';
import { MESSAGE_EVENTS } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { lookAtAlarms } from '../../src/services/alarms/look-at-alarms.ts';
import { commandLineFor } from '../support/command-line.ts';
import { seedCalls } from '../support/seed.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

let world: World;
let agentId: string;
let base: string;

const HANG_UPS = {
  name: 'Callers hang up',
  measure: { kind: 'metric', metric: 'abandoned' },
  window: '1h',
  leastCalls: 10,
  is: 'above',
  warning: 0.2,
  critical: 0.5,
};

const put = (slug: string, body: Loose, as = world.writeKey) => world.ask('PUT', `${base}/${slug}`, { as, body });
const post = (path: string, body?: Loose, as = world.writeKey) => world.ask('POST', `${base}${path}`, { as, body });
async function read(path = ''): Promise<Loose> {
  const answer = await world.get(`${base}${path}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}
const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(world.database.em().getKysely())).rows;

/** Looks as the workflow does, as if the next window were over. */
async function look() {
  await rows(sql`update alarms set due_at = now() where agent_id = ${agentId}`);
  return lookAtAlarms(world.database.within(world.workspaceId), agentId);
}
const told = async () =>
  (await rows(sql`select event from notices where agent_id = ${agentId} order by created_at, id`)).map(
    ({ event }) => event,
  );

let calls = 0;
/** Calls that are wholly in the newest window of an hour, whatever time it is. */
async function seed(outcomes: ('abandoned' | 'resolved')[], more: Loose = {}) {
  const newest = Math.floor((Date.now() - 600_000) / 900_000) * 900_000;
  const seeded = outcomes.map((outcome, at) => {
    calls += 1;
    const startedAt = new Date(newest - 60_000 * (2 + (at % 50))).toISOString();
    return { call: { providerCallId: `call-${calls}`, startedAt, ...more }, analysis: { outcome } };
  });
  await seedCalls(world, agentId, seeded);
}
const times = (outcome: 'abandoned' | 'resolved', n: number) => Array.from({ length: n }, () => outcome);

beforeAll(async () => {
  world = await createWorld();
  const made = { workspaceId: world.workspaceId, kind: 'slack', personId: null, name: 'All', threads: false } as const;
  const subscription = { minSeverity: null, agentId: null, timeZone: 'UTC', quietHours: null };
  const subscriptions = [{ ...subscription, events: [...MESSAGE_EVENTS], digest: { every: 'immediate' as const } }];
  const address = { shownAddress: 'hooks.example.com', sealedAddress: 'sealed' };
  const em = world.database.within(world.workspaceId);
  await insertChannel(em, { ...made, ...address, subscriptions, createdBy: newId() }, 20);
});
afterAll(() => world.close());
beforeEach(async () => {
  agentId = await world.makeAgent({ provider: 'file' });
  base = `/v1/agents/${agentId}/alarms`;
});

describe('an alarm', () => {
  test('rings once, is acknowledged, and recovers once', async () => {
    await seed([...times('abandoned', 12), ...times('resolved', 8)]);
    expect((await put('hang_ups', HANG_UPS)).body).toMatchObject({ state: null, level: null, unit: 'share', on: true });
    expect(await look()).toMatchObject({ alarms: 1, ringing: 1, nextMs: expect.any(Number) });
    const { data } = await read();
    expect(data).toEqual([expect.objectContaining({ state: 'critical', value: 0.6, calls: 20 })]);
    expect(data[0].message).toMatch(
      /^Abandoned: 60 % over 20 calls in the hour up to .* It is critical when above 50 %\.$/,
    );
    await look();
    expect(await told()).toEqual(['alarm.raised']);

    expect((await post('/hang_ups/acknowledge')).body.acknowledged).toMatchObject({
      by: expect.stringMatching(/^key:/),
    });
    await seed(times('resolved', 80));
    await look();
    expect(await told()).toEqual(['alarm.raised', 'alarm.recovered']);
    const { alarm, events } = await read('/hang_ups');
    expect(alarm).toMatchObject({ state: 'ok', ringsSince: null, acknowledged: null });
    expect(events.map(({ state, act }: Loose) => [state, act])).toEqual([
      ['ok', 'recovered'],
      ['critical', 'acknowledged'],
      ['critical', 'raised'],
    ]);
    expectFailure(await post('/hang_ups/acknowledge'), 409, 'alarm_is_quiet');
  });

  test('says nothing by too few calls, and counts those of its filter alone', async () => {
    await seed(times('abandoned', 9), { variables: { tier: 'gold' } });
    await put('hang_ups', HANG_UPS);
    await seed(times('resolved', 30), { variables: { tier: 'silver' } });
    await put('gold', { ...HANG_UPS, filter: 'tier:gold' });
    await put('gold_missing', { ...HANG_UPS, filter: 'tier:gold', noData: 'warning' });
    await look();
    const { data } = await read();
    expect(data.map(({ slug, state, level, calls: n }: Loose) => [slug, state, level, n])).toEqual([
      ['gold', 'no_data', 'ok', 9],
      ['gold_missing', 'no_data', 'warning', 9],
      ['hang_ups', 'warning', 'warning', 39],
    ]);
    expect(data[0].message).toContain('9 calls say something of it; 10 are asked for.');
  });

  test('tells nobody while it is silenced, and then what still rings', async () => {
    await seed(times('abandoned', 20));
    await put('hang_ups', HANG_UPS);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect((await post('/hang_ups/silence', { until })).body.silencedUntil).toBe(until);
    expect(await look()).toMatchObject({ ringing: 1 });
    expect(await told()).toEqual([]);
    await post('/hang_ups/silence', { until: null });
    await look();
    expect(await told()).toEqual(['alarm.raised']);
    // Another name is no other rule; another limit is, and turning it off ends what rings.
    await put('hang_ups', { ...HANG_UPS, name: 'Hang-ups' });
    await look();
    expect(await told()).toEqual(['alarm.raised']);
    await put('hang_ups', { ...HANG_UPS, warning: 0.3 });
    await look();
    expect(await told()).toEqual(['alarm.raised', 'alarm.recovered', 'alarm.raised']);
    const path = `/app/agents/${agentId}/alarms/hang_ups`;
    expect((await world.ask('DELETE', path, { as: await world.token() })).body).toMatchObject({ removed: true });
    expect((await told()).at(-1)).toBe('alarm.recovered');
    expect(await look()).toMatchObject({ nextMs: null, alarms: 0 });
    expect(await rows(sql`select seq from alarm_events where agent_id = ${agentId}`)).toEqual([]);
  });

  test('is about whatever a call says: how many there are, cost, times, signals, and custom metrics', async () => {
    await world.ask('PUT', `/v1/agents/${agentId}/custom-metrics/long_call`, {
      as: world.writeKey,
      body: { name: 'Long', better: 'lower', form: { kind: 'formula', expression: 'duration_s > 60' }, on: true },
    });
    await seed(times('resolved', 20), { durationMs: 90_000, costUsd: 0.5 });
    const about = async (slug: string, measure: Loose, is: string, warning: number) => {
      const answer = await put(slug, { ...HANG_UPS, measure, is, warning, critical: null });
      expect(answer.status).toBe(200);
    };
    await about('calls', { kind: 'calls' }, 'below', 50);
    await about('cost', { kind: 'cost' }, 'above', 9);
    await about('each', { kind: 'cost_per_call' }, 'above', 0.4);
    await about('long', { kind: 'custom_metric', slug: 'long_call' }, 'above', 0.9);
    await about('length', { kind: 'metric', metric: 'duration_ms' }, 'above', 80_000);
    await about('signal', { kind: 'signal', code: 'dead_air' }, 'above', 0.1);
    await look();
    const { data } = await read();
    expect(data.map(({ slug, state, value, unit }: Loose) => [slug, state, Math.round(value * 10) / 10, unit])).toEqual(
      [
        ['calls', 'warning', 20, 'calls'],
        ['cost', 'warning', 10, 'USD'],
        ['each', 'warning', 0.5, 'USD'],
        ['length', 'warning', expect.closeTo(90_000, -4), 'ms'],
        ['long', 'warning', 1, 'share'],
        ['signal', 'ok', 0, 'share'],
      ],
    );
  });

  test('is refused where it cannot be read, with the place', async () => {
    const refused = async (body: Loose, param: string, words: string) => {
      const answer = await put('wrong', { ...HANG_UPS, ...body });
      expectFailure(answer, 400, expect.stringMatching(/^invalid_(body|parameter)$/), param);
      expect(answer.body.error.message).toContain(words);
    };
    await refused({ measure: { kind: 'metric', metric: 'nothing' } }, 'measure', 'There is no metric nothing');
    await refused({ measure: { kind: 'metric', metric: 'repeat_call' } }, 'measure', 'too late');
    await refused({ measure: { kind: 'signal', code: 'nothing' } }, 'measure', 'no signal nothing');
    await refused({ measure: { kind: 'custom_metric', slug: 'nothing' } }, 'measure', 'no custom metric nothing');
    await refused({ filter: 'outcom:resolved' }, 'filter', 'Did you mean outcome?');
    await refused({ warning: null, critical: null }, 'critical', 'must be a number');
    await refused({ warning: 0.5, critical: 0.2 }, 'critical', 'worse than warning');
    await refused({ against: 'usual', window: '7d' }, 'window', 'at most 1d');
    expectFailure(await put('wrong', HANG_UPS, world.readKey), 403, 'key_read_only');
    expectFailure(await world.get(`${base}/wrong`), 404, 'alarm_not_found');
  });
});

test('a preview says how often it would have rung, and stores nothing', async () => {
  await seed(times('abandoned', 20));
  const { name: _, ...rule } = HANG_UPS;
  const { body } = await post('/preview', rule, world.readKey);
  expect(body).toMatchObject({ windows: 2_880, rang: 1, unit: 'share' });
  expect(body.rings[0]).toMatchObject({ level: 'critical', value: 1 });
  expect(body.series.length).toBeLessThanOrEqual(240);
  expect(body.series.at(-1)).toMatchObject({ value: 1, calls: 20 });
  const usual = await post('/preview', { ...rule, against: 'usual', window: '1d' }, world.readKey);
  expect(usual.body).toMatchObject({ rang: 0, windows: 360, noData: 360 });
  expect((await read()).data).toEqual([]);
});

test('earshot alarms pulls files, sends what changed in them, and says how often it would have rung', async () => {
  await seed(times('abandoned', 20));
  await put('hang_ups', HANG_UPS);
  await look();
  const line = await commandLineFor(world);
  const dir = join(line.folder, 'alarms');
  const run = (...args: string[]) => line.run(['alarms', ...args, '--agent', agentId]);
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
  expect((await json('pull', '--dir', dir)).written).toHaveLength(1);
  expect(await json('push', '--dir', dir)).toMatchObject({ sent: [], unchanged: 1 });
  const path = join(dir, 'hang_ups.yaml');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('critical: 0.5', 'critical: 0.1'));
  const refused = await run('push', '--dir', dir);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('worse than warning')]);
  writeFileSync(path, text.replace('critical: 0.5', 'critical: 0.9'));
  const sent = await run('push', '--dir', dir);
  expect([sent.code, sent.out]).toEqual([0, expect.stringContaining('would have rung once in the last 30 days')]);
  await look();
  expect((await run('list')).out).toContain('Callers hang up');
  expect((await run('show', 'hang_ups')).out).toContain('raised');
  expect((await run('acknowledge', 'hang_ups')).out).toContain('no reminder');
  expect((await run('silence', 'hang_ups', '--hours', '2')).out).toContain('silenced until');
});
