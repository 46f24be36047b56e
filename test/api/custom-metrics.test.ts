import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backfillPage, openBackfill, openBackfills } from '../../src/db/custom-metrics/backfill.ts';
import { dropWords } from '../../src/db/retention/drop-words.ts';
import { turn } from '../support/analysed-calls.ts';
import { commandLineFor } from '../support/command-line.ts';
import { minute, seedCalls } from '../support/seed.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

let world: World;
let agentId: string;
let base: string;
let ids: string[];

const put = (slug: string, body: Loose, as = world.writeKey) =>
  world.ask('PUT', `${base}/custom-metrics/${slug}`, { as, body });
const read = async (path: string) => {
  const answer = await world.get(`${base}${path}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
};

const longCall = {
  name: 'Long call',
  better: 'lower',
  form: { kind: 'formula', expression: 'duration_s > 60' },
  on: true,
};
const seconds = {
  name: 'Seconds',
  better: 'lower',
  unit: 's',
  form: { kind: 'formula', expression: 'duration_s' },
  on: true,
};

/** Calls 0 to 5: 30 s longer each, the last without a length; versions 1 and 2 in turns. */
const seeded = (from: number) =>
  Array.from({ length: 6 }, (_, at) => ({
    call: {
      providerCallId: `call-${from + at}`,
      startedAt: minute(from + at),
      version: 1 + (at % 2),
      durationMs: at === 5 ? 0 : (at + 1) * 30_000,
      variables: { tier: at % 2 === 0 ? 'gold' : 'silver' },
      turns: [turn(0, 'agent', 'Hello.'), turn(1, 'caller', 'Help me.'), turn(2, 'agent', 'Sorry, one moment.')],
    },
    analysis: { outcome: 'resolved' as const },
  }));

/** @throws where a metric of the tests is refused. */
function made(answer: Loose): void {
  if (answer.status !== 200) throw new Error(answer.text);
}

beforeAll(async () => {
  world = await createWorld();
  agentId = await world.makeAgent({ provider: 'file' });
  base = `/v1/agents/${agentId}`;
  made(await put('long_call', longCall));
  made(await put('seconds', { ...seconds, appliesWhen: 'version == 1' }));
  made(
    await put('tier', {
      name: 'Tier',
      better: 'neither',
      badLabels: ['silver'],
      form: { kind: 'formula', expression: 'metadata.tier' },
      on: true,
    }),
  );
  const pattern = {
    kind: 'pattern',
    after: { on: 'said', by: 'caller', text: 'help' },
    expect: { on: 'said', by: 'agent', text: 'sorry' },
    within: { turns: 1 },
  };
  made(await put('apologizes', { name: 'Apologizes', better: 'higher', form: pattern, on: true }));
  ids = await seedCalls(world, agentId, seeded(0));
});
afterAll(() => world.close());

describe('calls that are analysed', () => {
  test('get a value of each metric, with what is not known and not meant apart', async () => {
    const { data } = await read('/custom-metrics?range=all');
    expect(data.map(({ slug, answer, figure }: Loose) => [slug, answer, figure])).toEqual([
      ['apologizes', 'yes_no', expect.objectContaining({ value: 1, n: 6, unknown: 0, notApplicable: 0 })],
      ['long_call', 'yes_no', expect.objectContaining({ value: 0.6, n: 5, unknown: 1, notApplicable: 0 })],
      ['seconds', 'number', expect.objectContaining({ value: 90, n: 3, unknown: 0, notApplicable: 3 })],
      [
        'tier',
        'label',
        expect.objectContaining({
          value: null,
          n: 6,
          labels: [
            { label: 'gold', calls: 3 },
            { label: 'silver', calls: 3 },
          ],
        }),
      ],
    ]);
  });

  test('are shown worst first, by label, and by what is said of them', async () => {
    const worst = await read('/custom-metrics/seconds/calls?order=worst&state=value');
    expect(worst.calls.map(({ value, call }: Loose) => [value, call.id])).toEqual([
      [150, ids[4]],
      [90, ids[2]],
      [30, ids[0]],
    ]);
    const unknown = await read('/custom-metrics/long_call/calls?state=unknown');
    expect(unknown.calls).toEqual([
      expect.objectContaining({ value: null, because: 'duration_s is not known of this call.' }),
    ]);
    const silver = await read('/custom-metrics/tier/calls?order=worst');
    expect(silver.calls.map(({ value }: Loose) => value)).toEqual([
      'silver',
      'silver',
      'silver',
      'gold',
      'gold',
      'gold',
    ]);
    expect((await read('/custom-metrics/tier/calls?label=gold')).calls).toHaveLength(3);
  });

  test('say what each metric says of them, and what a formula can name', async () => {
    const { values, facts } = await read(`/calls/${ids[0]}/custom-metrics`);
    expect(values.map(({ slug, value, isBad, turn: at, quote }: Loose) => [slug, value, isBad, at, quote])).toEqual([
      ['apologizes', true, false, 1, 'Help'],
      ['long_call', false, false, null, ''],
      ['seconds', 30, null, null, ''],
      ['tier', 'gold', false, null, ''],
    ]);
    expect(facts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'duration_s', value: 30 }),
        expect.objectContaining({ name: 'slow_response_s', value: null }),
        expect.objectContaining({ name: 'metadata', value: { tier: 'gold' } }),
      ]),
    );
  });

  test('are exported with what each metric says of them', async () => {
    const path = `/app/agents/${agentId}/export`;
    const { text } = await world.ask('GET', path, { as: await world.token() });
    const lines: Loose[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const line = lines.find(({ callId }) => callId === ids[0]);
    expect(line.customMetrics.map(({ slug, version, state, value }: Loose) => [slug, version, state, value])).toEqual([
      ['apologizes', 1, 'value', true],
      ['long_call', 1, 'value', false],
      ['seconds', 1, 'value', 30],
      ['tier', 1, 'value', 'gold'],
    ]);
  });

  test('are compared by version of the agent, with an interval', async () => {
    const { groups } = await read('/custom-metrics/long_call?groupBy=version');
    expect(groups.map(({ key, n, value }: Loose) => [key, n, value])).toEqual([
      ['1', 3, 2 / 3],
      ['2', 2, 0.5],
    ]);
    expect(groups[0].sinceBefore).toBeNull();
    expect(groups[1].sinceBefore.difference).toBeCloseTo(-1 / 6, 9);
    expect(groups[1].sinceBefore.lower).toBeLessThan(0);
    const byDay = await read('/custom-metrics/long_call?groupBy=day');
    expect(byDay.groups.map(({ key }: Loose) => key)).toEqual(['2026-03-10']);
  });
});

describe('a change', () => {
  test('of how it comes by its value makes a version with values of its own, and asks why', async () => {
    expect((await put('changing', { ...longCall, name: 'Changing' })).body).toMatchObject({
      version: 1,
      backfill: null,
    });
    const other = { ...longCall, name: 'Changing', form: { kind: 'formula', expression: 'duration_s > 100' } };
    expectFailure(await put('changing', other), 400, 'invalid_body', 'changeReason');
    expect((await put('changing', { ...other, changeReason: 'Calls got longer.' })).body.version).toBe(2);
    // The same once more, a new name, and it is turned off: none of it changes a value.
    expect((await put('changing', { ...other, name: 'Changed', on: false })).body).toMatchObject({
      version: 2,
      on: false,
    });
    const { versions, metric } = await read('/custom-metrics/changing');
    expect(versions.map(({ version, changeReason }: Loose) => [version, changeReason])).toEqual([
      [2, 'Calls got longer.'],
      [1, null],
    ]);
    expect(metric.figure.n).toBe(0);
    await seedCalls(world, agentId, seeded(20));
    expect((await read('/custom-metrics/changing')).metric.figure.n).toBe(0);
    expect((await read('/custom-metrics/long_call')).metric.figure.n).toBe(10);
  });

  test('is refused where its formula can not be read, with the place and the nearest name', async () => {
    const refused = await put('broken', { ...longCall, form: { kind: 'formula', expression: 'duration > 60' } });
    expectFailure(refused, 400, 'invalid_body', 'form.expression');
    expect(refused.body.error.message).toBe('There is no duration at character 1. Did you mean duration_s?');
    const condition = await put('broken', { ...longCall, appliesWhen: 'duration_s' });
    expectFailure(condition, 400, 'invalid_body', 'appliesWhen');
    expectFailure(await put('Broken', longCall), 400, 'invalid_parameter', 'customMetric');
    expectFailure(await put('broken', longCall, world.readKey), 403, 'key_read_only');
    expectFailure(await world.get(`${base}/custom-metrics/broken`), 404, 'custom_metric_not_found');
  });

  test('of one that is removed takes its values with it', async () => {
    await put('gone', longCall);
    await seedCalls(world, agentId, seeded(40));
    expect((await read('/custom-metrics/gone')).metric.figure.n).toBe(5);
    const path = `/app/agents/${agentId}/custom-metrics/gone`;
    expect((await world.ask('DELETE', path, { as: await world.token() })).body).toMatchObject({ removed: true });
    expectFailure(await world.get(`${base}/custom-metrics/gone`), 404, 'custom_metric_not_found');
    await put('gone', longCall);
    expect((await read('/custom-metrics/gone')).metric.figure.n).toBe(0);
  });
});

describe('a trial', () => {
  const attempt = (body: Loose) => world.ask('POST', `${base}/custom-metrics/try`, { as: world.readKey, body });

  test('says what it would say of the newest calls, and of which something else than before', async () => {
    const form = { kind: 'formula', expression: 'duration_s > 100' };
    const { body } = await attempt({ form, compareWith: 'long_call' });
    expect(body).toMatchObject({ valid: true, problems: [], answer: 'yes_no' });
    expect(body.calls[0]).toMatchObject({ state: 'unknown', value: null });
    expect(body.calls[1]).toMatchObject({ state: 'value', value: true });
    const { calls, flips } = body.compared;
    expect(calls).toBe(18);
    // Of each six, the one of 90 seconds.
    expect(flips.map(({ value, before }: Loose) => [value, before.value])).toEqual([
      [false, true],
      [false, true],
      [false, true],
    ]);
    expect((await attempt({ form })).body.compared).toBeNull();
  });

  test('says every problem', async () => {
    const form = { kind: 'formula', expression: 'durations > 100' };
    const { body } = await attempt({ form, appliesWhen: '1' });
    expect(body).toMatchObject({ valid: false, answer: null, calls: [], compared: null });
    expect(body.problems.map(({ param }: Loose) => param)).toEqual(['appliesWhen', 'form.expression']);
    expectFailure(
      await attempt({ form: longCall.form, compareWith: 'nothing' }),
      404,
      'custom_metric_not_found',
      'compareWith',
    );
  });
});

describe('a backfill', () => {
  test('computes calls page by page, and ends where the metric is another one by now', async () => {
    await put('late', { ...longCall, form: { kind: 'formula', expression: 'turns >= 0' } });
    const { rows } = await sql<{ id: string }>`select id from custom_metrics where slug = 'late'`.execute(
      world.database.em().getKysely(),
    );
    const em = world.database.within(world.workspaceId);
    const metric = { workspaceId: world.workspaceId, agentId, metricId: rows[0]?.id ?? '', version: 1 };
    await openBackfill(em, metric);
    expect((await read('/custom-metrics/late')).metric).toMatchObject({
      backfill: { state: 'queued', done: 0, total: 18 },
      figure: { n: 0 },
    });
    // Begun again from where it was, it adds nothing.
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await backfillPage(em, metric, { after: null, done: 0 })).toBeNull();
      expect((await read('/custom-metrics/late')).metric).toMatchObject({
        backfill: { state: 'complete', done: 18, total: 18 },
        figure: { n: 18, value: 1 },
      });
    }
    expect(await backfillPage(em, { ...metric, version: 2 }, { after: null, done: 0 })).toBeNull();
    expect(await openBackfills(em, world.workspaceId)).toEqual([]);
  });
});

describe('earshot metrics', () => {
  test('pulls files, sends what changed in them, and says what flips', async () => {
    const line = await commandLineFor(world);
    const dir = join(line.folder, 'metrics');
    const run = (...args: string[]) => line.run([...args, '--agent', agentId]);
    const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
    expect((await json('metrics', 'pull', '--dir', dir)).written).toHaveLength(readdirSync(dir).length);
    expect(await json('metrics', 'push', '--dir', dir)).toMatchObject({ sent: [] });

    const path = join(dir, 'long_call.yaml');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('duration_s > 60', 'durations > 100'));
    const refused = await run('metrics', 'push', '--dir', dir);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Did you mean duration_s?')]);
    writeFileSync(path, text.replace('duration_s > 60', 'duration_s > 100'));
    writeFileSync(
      join(dir, 'fresh.yaml'),
      'name: Fresh\nbetter: lower\non: true\nform: {kind: formula, expression: turns}\n',
    );
    const dry = await json('metrics', 'push', '--dir', dir, '--dry-run');
    expect(dry.sent.map(({ slug, isNew, flips }: Loose) => [slug, isNew, flips])).toEqual([
      ['fresh', true, null],
      ['long_call', false, 3],
    ]);
    expect((await run('metrics', 'pull', '--dir', dir)).out).toContain('kept');
    const sent = await run('metrics', 'push', '--dir', dir, '--reason', 'Longer calls are fine.', '--backfill');
    expect([sent.code, sent.out]).toEqual([0, expect.stringContaining('3 of the newest 18 calls get another value')]);
    const { versions, metric } = await read('/custom-metrics/long_call');
    expect(versions[0]).toMatchObject({ version: 2, changeReason: 'Longer calls are fine.' });
    expect(metric.backfill.state).toBe('queued');
    expect(await json('metrics', 'push', '--dir', dir)).toMatchObject({ sent: [] });

    expect((await run('metrics')).out).toContain('Long call');
    const shown = await run('metrics', 'show', 'seconds');
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('150 s')]);
  });
});

test('once the words of a call are gone nothing quotes them, and what the call is stays', async () => {
  const [id = ''] = ids;
  const em = world.database.within(world.workspaceId);
  await em.transactional((tx) => dropWords(tx, { workspaceId: world.workspaceId, agentId }, [id]));
  const { values } = await read(`/calls/${id}/custom-metrics`);
  expect(values.map(({ slug, state, value, quote }: Loose) => [slug, state, value, quote])).toEqual([
    ['apologizes', 'value', true, ''],
    ['late', 'value', true, ''],
    ['seconds', 'value', 30, ''],
    ['tier', 'unknown', null, ''],
  ]);
  const left = await sql<{ n: number }>`select count(*)::int as n from custom_metric_values where call_id = ${id}
    and (quote <> '' or label is not null)`.execute(world.database.em().getKysely());
  expect(left.rows[0]?.n).toBe(0);
});
