import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMPARISON_METRICS, type ComparedCall } from '../../src/domain/comparisons/metrics.ts';
import { seededRandom } from '../../src/domain/random.ts';
import type { Place } from '../../src/domain/signals/signal.ts';
import { OUTCOMES } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { type SeededCall, seedCalls } from '../support/seed.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-01-05T00:00:00.000Z');
const LAST_DAY = 79;
const WITHIN = 0.05;

let world: World;
let agentId: string;
let base: string;
/** What each call says, as a comparison would read it. */
const facts: (ComparedCall & { version: number; name: string; end: string })[] = [];

const node = (id: string): Place => ({ kind: 'node', id, label: `Step ${id}` });
const STEPS = ['greet', 'collect', 'confirm'].map(node);

beforeAll(async () => {
  world = await createWorld();
  agentId = await world.makeAgent({ provider: 'file' });
  base = `/v1/agents/${agentId}`;
  await seedCalls(world, agentId, seeded());
  for (const call of facts) {
    const again = facts.some((other) => other.id === call.id && isSoonAfter(call.startedAt, other.startedAt));
    call.calledAgain = call.id === '' || call.startedAt === null ? null : again;
    call.calledAgainSettled = call.startedAt !== null && dayOf(call.startedAt) + 8 <= LAST_DAY;
  }
});
afterAll(() => world.close());

const dayOf = (at: string) => Math.floor((Date.parse(at) - FIRST) / DAY_MS);
const isSoonAfter = (at: string | null, other: string | null) =>
  at !== null && other !== null && other > at && Date.parse(other) <= Date.parse(at) + 7 * DAY_MS;

/** 300 calls over 80 days and three versions; `id` of a fact is its caller. */
function seeded(): SeededCall[] {
  const { next } = seededRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  return Array.from({ length: 300 }, (_, at) => {
    const startedAt =
      at < 4 ? null : new Date(FIRST + Math.floor(((at - 3) / 297) * (LAST_DAY + 1) * DAY_MS) - 1).toISOString();
    const version = startedAt === null ? 1 : 1 + Math.floor(dayOf(startedAt) / 30);
    const outcome = pick(OUTCOMES);
    const failures = next() < 0.3 ? 1 : 0;
    const hasTool = next() < 0.6;
    const responseTimes =
      next() < 0.8 ? { p50Ms: 200 + Math.floor(next() * 3000), p90Ms: 900 + Math.floor(next() * 6000) } : null;
    const caller = next() < 0.4 ? `+1555020${Math.floor(next() * 20)}` : null;
    const intent = pick(['book', 'cancel', 'ask']);
    const durationMs = 5_000 + Math.floor(next() * 400_000);
    const frictions = Math.floor(next() * 2);
    const walked = STEPS.slice(0, 1 + Math.floor(next() * 3));
    const end = walked.at(-1) ?? node('greet');
    const isAgain = next() < 0.2;
    const isWrongNumber = next() < 0.2;
    facts.push({
      id: caller ?? '',
      name: `call-${at}`,
      end: end.id,
      version,
      startedAt,
      outcome,
      isNobodysFailure: isWrongNumber && (outcome === 'unresolved' || outcome === 'abandoned'),
      intentSlug: intent,
      durationMs,
      toolResults: hasTool ? 1 : 0,
      toolFailures: hasTool ? failures : 0,
      frictions,
      calledAgain: null,
      calledAgainSettled: false,
      responseP50Ms: responseTimes?.p50Ms ?? null,
      responseP90Ms: responseTimes?.p90Ms ?? null,
    });
    return {
      call: { providerCallId: `call-${at}`, version, startedAt, durationMs, callerNumber: caller },
      analysis: {
        outcome,
        outcomeReason: { rule: isWrongNumber ? 'wrong_number' : 'test', turns: [], text: '' },
        requests: [{ turn: 1, text: `${intent} something` }],
        counts: { turns: 9, callerTurns: 4, agentTurns: 4, toolFailures: hasTool ? failures : 0, frictions },
        toolResults: hasTool ? [{ turn: 3, ok: failures === 0, refusal: false }] : [],
        responseTimes,
        visits: walked.map((place, firstTurn) => ({ place, firstTurn })),
        endStep: end,
        path: {
          moves: walked
            .slice(1)
            .map((place, index): [Place['kind'], string, Place['kind'], string] => [
              'node',
              walked[index]?.id ?? '',
              'node',
              place.id,
            ]),
          loops: isAgain ? [['node', end.id] as [Place['kind'], string]] : [],
        },
      },
    };
  });
}

/** The figure of a metric over calls, from the definitions that comparisons use. */
function expectedOf(metric: string, calls: readonly ComparedCall[]) {
  const definition = COMPARISON_METRICS.find((one) => one.metric === metric);
  if (!definition) throw new Error(`no metric ${metric}`);
  const values = calls.flatMap((call) => definition.read(call) ?? []).toSorted((a, b) => a - b);
  const n = values.length;
  const isShare = definition.unit === 'share';
  const value = n === 0 ? null : isShare ? values.reduce((a, b) => a + b, 0) / n : values[Math.ceil(n / 2) - 1];
  return { n, value: value ?? null, isShare };
}

function expectFigure(found: Loose, metric: string, calls: readonly ComparedCall[]) {
  const { n, value, isShare } = expectedOf(metric, calls);
  expect([metric, found.n]).toEqual([metric, n]);
  if (value === null) expect(found.value).toBeNull();
  else if (isShare) expect(found.value).toBeCloseTo(value, 10);
  else expect(Math.abs(found.value - value) / value).toBeLessThanOrEqual(WITHIN + 0.01);
}

const inDays = (from: number, before: number) =>
  facts.filter(({ startedAt }) => startedAt !== null && dayOf(startedAt) >= from && dayOf(startedAt) < before);
const read = async (query = '') => (await world.get(`${base}/metrics${query}`)).body;
const drill = async (metric: string, query = '') => (await world.get(`${base}/metrics/${metric}/calls${query}`)).body;

describe('the figures', () => {
  test('are of the last 30 days with calls, beside the 30 days before them', async () => {
    const body = await read();
    expect([body.range, body.calls]).toEqual(['30d', inDays(50, 80).length]);
    expect(body.previous).toMatchObject({ to: body.from, calls: inDays(20, 50).length });
    expect(body.metrics.map(({ metric }: Loose) => metric)).toEqual(COMPARISON_METRICS.map(({ metric }) => metric));
    for (const one of body.metrics) {
      expectFigure(one, one.metric, inDays(50, 80));
      expectFigure(one.previous, one.metric, inDays(20, 50));
      if (one.value === null) continue;
      expect(one.interval.lower).toBeLessThanOrEqual(one.value);
      expect(one.interval.upper).toBeGreaterThanOrEqual(one.value);
    }
  });

  test.each(['7d', '14d', '90d'])('of %s are whole days back from the newest call', async (range) => {
    const days = Number.parseInt(range, 10);
    const body = await read(`?range=${range}`);
    for (const one of body.metrics) expectFigure(one, one.metric, inDays(LAST_DAY + 1 - days, LAST_DAY + 1));
  });

  test('of all calls hold those without a start time, and have nothing before them', async () => {
    const body = await read('?range=all');
    expect([body.from, body.to, body.previous, body.calls]).toEqual([null, null, null, 300]);
    for (const one of body.metrics) expectFigure(one, one.metric, facts);
  });

  test('of times of one’s choice are exact, within days too', async () => {
    const newest = facts.at(-1)?.startedAt ?? '';
    for (const [from, to] of [
      ['2026-01-20T07:30:00.000Z', '2026-02-11T19:00:00.000Z'],
      ['2026-02-03T05:00:00.000Z', '2026-02-03T17:00:00.000Z'],
      ['2026-02-03T22:00:00.000Z', '2026-02-04T03:00:00.000Z'],
      ['2026-02-03T22:00:00.000Z', '2026-02-03T22:00:00.000Z'],
      [new Date(Date.parse(newest) + 1 - DAY_MS).toISOString(), new Date(Date.parse(newest) + 1).toISOString()],
    ] as const) {
      const body = await read(`?from=${from}&to=${to}`);
      const chosen = facts.filter(({ startedAt }) => startedAt !== null && startedAt >= from && startedAt < to);
      expect([body.range, body.from, body.to, body.calls]).toEqual(['custom', from, to, chosen.length]);
      for (const one of body.metrics) expectFigure(one, one.metric, chosen);
    }
    expect((await read('?range=24h')).calls).toBe(
      facts.filter(
        ({ startedAt }) => startedAt !== null && startedAt > new Date(Date.parse(newest) - DAY_MS).toISOString(),
      ).length,
    );
  });

  test('have a course by day that adds up', async () => {
    const { metrics } = await read('?range=14d');
    for (const { metric, series, n } of metrics as Loose[]) {
      expect(series.reduce((sum: number, day: Loose) => sum + day.n, 0)).toBe(n);
      for (const { day, ...figure } of series) {
        expectFigure(
          figure,
          metric,
          facts.filter(({ startedAt }) => startedAt?.startsWith(day)),
        );
      }
    }
  });

  test('of one version are of its calls only, and a version that nobody knows has none', async () => {
    const body = await read('?range=all&version=2');
    for (const one of body.metrics)
      expectFigure(
        one,
        one.metric,
        facts.filter(({ version }) => version === 2),
      );
    expect((await read('?range=all&version=77')).calls).toBe(0);
  });

  test('of an agent with fewer than 14 days of calls are of all of them', async () => {
    const young = await world.makeAgent({ provider: 'file' });
    await seedCalls(world, young, [
      { call: { providerCallId: 'a', startedAt: '2026-02-01T09:00:00.000Z' }, analysis: { outcome: 'resolved' } },
      { call: { providerCallId: 'b', startedAt: null }, analysis: { outcome: 'abandoned' } },
    ]);
    const { body } = await world.get(`/v1/agents/${young}/metrics`);
    expect([body.range, body.calls]).toEqual(['all', 2]);
  });

  test('of an agent without calls are empty, not zero', async () => {
    const empty = await world.makeAgent({ provider: 'file' });
    const { status, body } = await world.get(`/v1/agents/${empty}/metrics?range=7d`);
    expect([status, body.calls]).toEqual([200, 0]);
    for (const one of body.metrics) expect([one.value, one.n, one.interval]).toEqual([null, 0, null]);
  });

  test('come with the steps at which calls end badly, which no list of issues shows', async () => {
    const { countRows } = await read();
    expect(countRows.length).toBeGreaterThan(0);
    const listed = (await world.get(`${base}/issues?limit=100`)).body.data.map(({ id }: Loose) => id);
    for (const { issueId, step, calls } of countRows) {
      expect(listed).not.toContain(issueId);
      const { body } = await world.get(`${base}/issues/${issueId}`);
      expect([body.countOnly, body.volume]).toEqual([true, calls]);
      expect(STEPS.map(({ id }) => id)).toContain(step.id);
    }
  });
});

describe('the calls behind a metric', () => {
  const groupOf: Record<string, (call: (typeof facts)[number]) => string> = {
    version: ({ version }) => String(version),
    intent: ({ intentSlug }) => intentSlug,
    useCase: ({ intentSlug }) => intentSlug,
    day: ({ startedAt }) => startedAt?.slice(0, 10) ?? 'unknown',
    outcome: ({ outcome }) => outcome ?? 'unknown',
  };

  test.each(Object.keys(groupOf))('in groups by %s have the value of each group, and its calls', async (by) => {
    for (const { metric, read: readOne } of COMPARISON_METRICS) {
      const body = await drill(metric, `?range=all&groupBy=${by}&limit=200`);
      const keys = new Set(facts.map((call) => groupOf[by]?.(call)));
      expect(new Set(body.groups.map(({ key }: Loose) => key))).toEqual(keys);
      for (const { key, calls, values, spread, ...figure } of body.groups) {
        const chosen = facts.filter((call) => groupOf[by]?.(call) === key);
        expectFigure(figure, metric, chosen);
        const names = chosen.filter((call) => readOne(call) !== null).map(({ name }) => name);
        expect(calls.map(({ providerCallId }: Loose) => providerCallId).toSorted()).toEqual(names.toSorted());
        const valueOf = new Map(chosen.map((call) => [call.name, readOne(call)]));
        for (const [at, { providerCallId, counts }] of calls.entries()) {
          const counted = { tool_failure: counts.toolFailures, friction: counts.frictions }[metric as 'friction'];
          expect([metric, values[at]]).toEqual([metric, counted ?? valueOf.get(providerCallId)]);
        }
        expect(spread?.reduce((sum: number, bin: Loose) => sum + bin.calls, 0) ?? figure.n).toBe(figure.n);
      }
    }
  });

  test.each(['response_latency_p50_ms', 'response_latency_p90_ms', 'duration_ms', 'tool_failure', 'friction'])(
    'of %s come worst first where that is asked for',
    async (metric) => {
      const { groups } = await drill(metric, '?range=all&order=worst&limit=200');
      const [{ values }] = groups;
      expect(values.length).toBeGreaterThan(20);
      expect(values).toEqual(values.toSorted((a: number, b: number) => b - a));
      const [few] = (await drill(metric, '?range=all&order=worst&limit=3')).groups;
      expect(few.values).toEqual(values.slice(0, 3));
    },
  );

  test('are one group without a grouping, newest first, at most as many as asked for', async () => {
    const body = await drill('got_it_done', '?limit=7');
    expect(body).toMatchObject({ object: 'metric_calls', range: '30d', groupBy: null, part: 'all' });
    expect(body.groups).toHaveLength(1);
    const [{ key, label, calls }] = body.groups;
    expect([key, label, calls.length]).toEqual(['all', 'All calls', 7]);
    const starts = calls.map(({ startedAt }: Loose) => startedAt);
    expect(starts).toEqual(starts.toSorted().toReversed());
    expect((await drill('got_it_done')).groups[0].calls).toHaveLength(25);
  });

  test('can be those of which it is true, the others, or those that could not be read', async () => {
    for (const { metric, unit, read: readOne, isNotRead } of COMPARISON_METRICS) {
      const parts = {
        ...(unit === 'share' && {
          yes: (call: ComparedCall) => readOne(call) === 1,
          no: (call: ComparedCall) => readOne(call) === 0,
        }),
        ...(isNotRead && { not_read: (call: ComparedCall) => isNotRead(call) }),
      };
      for (const [part, isIn] of Object.entries(parts)) {
        const { groups } = await drill(metric, `?range=all&part=${part}&limit=200`);
        const expected = facts.filter((call) => call.startedAt !== null || metric !== 'repeat_call').filter(isIn);
        const found = groups[0].calls.map(({ providerCallId }: Loose) => providerCallId).toSorted();
        const names = expected.map(({ name }) => name).toSorted();
        if (names.length <= 200) expect([metric, part, found]).toEqual([metric, part, names]);
        else expect(found).toHaveLength(200);
      }
    }
  });

  test('of one group are that group; a key that names nothing gives none', async () => {
    const { groups } = await drill('abandoned', '?range=all&groupBy=version&group=2');
    expect(groups.map(({ key, label }: Loose) => [key, label])).toEqual([['2', 'Version 2']]);
    for (const group of ['77', 'nonsense', 'resolved']) {
      expect((await drill('abandoned', `?range=all&groupBy=version&group=${group}`)).groups).toEqual([]);
    }
  });

  test('take a cursor, which changes nothing', async () => {
    expect(await drill('abandoned', '?cursor=anything')).toEqual(await drill('abandoned'));
  });
});

describe('a request that cannot be meant', () => {
  const rules: [query: string, param: string][] = [
    ['from=2026-02-01T00:00:00Z', 'to'],
    ['to=2026-02-01T00:00:00Z', 'from'],
    ['from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z', 'from'],
    ['range=7d&from=2026-02-01T00:00:00Z&to=2026-02-02T00:00:00Z', 'range'],
    ['range=7d&from=2026-02-01T00:00:00Z', 'range'],
    ['range=8d', 'range'],
    ['from=2026-02-01&to=2026-02-02', 'from'],
    ['unknown=1', 'unknown'],
  ];

  test.each(rules)('of figures: %s is refused with the parameter', async (query, param) => {
    expectFailure(await world.get(`${base}/metrics?${query}`), 400, 'invalid_parameter', param);
  });

  test.each([
    ...rules,
    ['group=2', 'group'],
    ['groupBy=persona', 'groupBy'],
    ['part=maybe', 'part'],
    ['order=best', 'order'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['version=1', 'version'],
  ] as [string, string][])('of calls: %s is refused with the parameter', async (query, param) => {
    expectFailure(await world.get(`${base}/metrics/abandoned/calls?${query}`), 400, 'invalid_parameter', param);
  });

  test('for a part that the metric does not have says which it has', async () => {
    const answer = await world.get(`${base}/metrics/duration_ms/calls?part=yes`);
    expectFailure(answer, 400, 'invalid_parameter', 'part');
    expect(answer.body.error.message).toContain('all');
  });

  test.each(['no_such_metric', 'Got_It_Done', 'got-it-done', '%20', 'a%2Fb'])(
    'for the metric %s says which there are',
    async (metric) => {
      const answer = await world.get(`${base}/metrics/${metric}/calls`);
      expectFailure(answer, 400, 'invalid_parameter', 'metric');
      expect(answer.body.error.message).toContain('got_it_done');
    },
  );

  test('of an agent that nobody can see is not found', async () => {
    for (const path of ['metrics', 'metrics/abandoned/calls', 'metrics/none/calls', 'flow']) {
      expectFailure(await world.get(`/v1/agents/${newId()}/${path}`), 404, 'agent_not_found');
    }
  });
});

describe('the flow', () => {
  test('of a version says how many calls reached each step, dropped there, came back, and went where', async () => {
    const { body } = await world.get(`${base}/flow?version=2`);
    const calls = facts.filter(({ version }) => version === 2).length;
    expect([body.object, body.version, body.steps[0].id, body.steps[0].calls]).toEqual(['flow', 2, 'greet', calls]);
    const byId = new Map<string, Loose>(body.steps.map((step: Loose) => [step.id, step]));
    expect(body.transitions).toHaveLength(2);
    for (const { from, to, calls: moved } of body.transitions) {
      expect([from, to]).toEqual(from === 'greet' ? ['greet', 'collect'] : ['collect', 'confirm']);
      expect(moved).toBe(byId.get(to)?.calls);
    }
    const ended = body.endings.reduce((sum: number, ending: Loose) => sum + ending.calls, 0);
    expect(ended).toBe(calls);
    for (const step of body.steps) {
      const badly = facts.filter(
        ({ version, end, outcome, isNobodysFailure }) =>
          version === 2 &&
          end === step.id &&
          (outcome === 'unresolved' || outcome === 'abandoned') &&
          !isNobodysFailure,
      );
      expect(step.drops).toBe(badly.length);
      expect(step.loops).toBeLessThanOrEqual(step.calls);
      expect(step.label).toBe(`Step ${step.id}`);
      const { body: issue } = await world.get(`${base}/issues/${step.issueId}`);
      expect(issue.location).toMatchObject({ kind: 'node', id: step.id });
    }
    expect(body.steps.some(({ loops }: Loose) => loops > 0)).toBe(true);
  });

  test('leads to the calls that reached a step, and to those that went on from it', async () => {
    const { body } = await world.get(`${base}/flow?version=2`);
    const callsOf = async (query: string) =>
      (await world.get(`${base}/calls?version=2&limit=100&${query}`)).body.data.length;
    for (const { id, calls } of body.steps) expect(await callsOf(`step=${id}`)).toBe(Math.min(100, calls));
    for (const { from, to, calls } of body.transitions) {
      expect(await callsOf(`step=${from}&nextStep=${to}`)).toBe(Math.min(100, calls));
      expect(await callsOf(`step=${to}&nextStep=${from}`)).toBe(0);
    }
    expectFailure(await world.get(`${base}/calls?nextStep=greet`), 400, 'invalid_parameter', 'nextStep');
  });

  test('is of the current version when none is named, and empty for one that nobody knows', async () => {
    const { body: agent } = await world.get(base);
    expect((await world.get(`${base}/flow`)).body.version).toBe(agent.currentVersion);
    const { status, body } = await world.get(`${base}/flow?version=99`);
    expect([status, body]).toEqual([200, { object: 'flow', version: 99, steps: [], transitions: [], endings: [] }]);
    expectFailure(await world.get(`${base}/flow?version=-1`), 400, 'invalid_parameter', 'version');
  });

  test('of an agent without steps goes from the start over its tools', async () => {
    const other = await world.makeAgent({ provider: 'file' });
    const tool: Place = { kind: 'tool', id: 'find_slots', label: 'find_slots' };
    await seedCalls(world, other, [
      {
        call: { providerCallId: 'a' },
        analysis: {
          outcome: 'abandoned',
          visits: [{ place: tool, firstTurn: 2 }],
          endStep: tool,
          path: { moves: [['agent', 'start', 'tool', 'find_slots']], loops: [] },
        },
      },
    ]);
    const { body } = await world.get(`/v1/agents/${other}/flow?version=1`);
    expect(body.steps.map(({ id, kind, drops }: Loose) => [id, kind, drops]).toSorted()).toEqual([
      ['agent:start', 'agent', 0],
      ['tool:find_slots', 'tool', 1],
    ]);
    expect(body.transitions).toEqual([{ from: 'agent:start', to: 'tool:find_slots', calls: 1 }]);
    expect(body.endings).toEqual([{ outcome: 'abandoned', step: 'tool:find_slots', calls: 1 }]);
  });
});
