import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Place, Signal } from '../../src/domain/signals/signal.ts';
import { makeSignal } from '../support/analysed-calls.ts';
import { minute, type SeededCall, seedCalls, walk } from '../support/seed.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

const COLLECT: Place = { kind: 'node', id: 'collect', label: 'Collect the date' };
const CONFIRM: Place = { kind: 'node', id: 'confirm', label: 'Confirm' };
const TURNS = 12;

let world: World;
let agentId: string;
let token: string;

const failed = (cause: string | null): Signal =>
  makeSignal({
    code: 'tool_failed',
    turnIndex: 4,
    quote: '',
    cause: cause === null ? null : { code: cause, label: cause, detail: null, category: 'c', party: 'tool_owner' },
  });

function seeded(id: string, at: number, bad: boolean, signals: Signal[], version: number): SeededCall {
  const endStep = bad ? COLLECT : CONFIRM;
  return {
    call: { providerCallId: `${id}${at}`, startedAt: minute(at), version },
    analysis: {
      outcome: bad ? 'abandoned' : 'resolved',
      endStep,
      visits: [COLLECT, ...(bad ? [] : [CONFIRM])].map((place) => ({ place, firstTurn: 0 })),
      signals,
      counts: { turns: TURNS, callerTurns: 5, agentTurns: 6, toolFailures: 0, frictions: 0 },
    },
  };
}

const range = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
const outcomeBoard = () => walk(world, `/v1/agents/${agentId}/issues`, 5);

beforeAll(async () => {
  world = await createWorld();
  agentId = await world.makeAgent();
  token = await world.token();
  await seedCalls(world, agentId, [
    ...range(14, (at) => seeded('lost', at, true, [failed('http_5xx')], 2)),
    ...range(3, (at) => seeded('left', 20 + at, true, [], 1)),
    ...range(50, (at) => seeded('fine', 30 + at, false, [], at < 40 ? 1 : 2)),
  ]);
});
afterAll(() => world.close());

describe('a board of outcome issues', () => {
  let issue: Loose;

  test('shows one kind at a time: outcome issues are hidden with the reason while detectors are shown', async () => {
    const [detected, ...others] = await outcomeBoard();
    expect(others).toEqual([]);
    expect(detected).toMatchObject({ source: 'detector', code: 'tool_failed' });
    const path = `/app/agents/${agentId}`;
    expect((await world.ask('PATCH', path, { as: token, body: { boardSource: 'outcome' } })).status).toBe(200);
    [issue] = await outcomeBoard();
    expect(issue).toMatchObject({
      source: 'outcome',
      code: 'outcome.integrations',
      lane: 'integrations',
      countOnly: false,
      section: 'fix',
      location: COLLECT,
      target: { kind: 'tool', id: 'book_table', label: 'book_table' },
      cause: { code: null, label: 'Cause http_5xx' },
      causeEstablished: true,
      symptoms: [{ code: 'abandoned', label: 'Abandoned', count: 17 }],
      volume: 14,
      evidenceCalls: 17,
      failedOutcomeShare: 1,
      firstSeenVersion: null,
      lastSeenVersion: null,
      downstreamOf: null,
    });
    expect(issue.sectionNote).toContain('whoever runs the failing service');
    const hidden = (await world.get(`/v1/agents/${agentId}/issues/${detected.id}`)).body;
    expect(hidden).toMatchObject({ section: 'hidden', sectionNote: expect.stringContaining('outcome issues') });
  });

  test('says how the issue came about, with lift, interval, numbers and what competed', async () => {
    expect(issue.diagnosis).toMatchObject({
      step: { calls: 67, endedBadlyHere: 17 },
      tests: 1,
      signal: {
        code: 'tool_failed',
        withSignal: { calls: 14, endedBadlyHere: 14 },
        withoutSignal: { calls: 53, endedBadlyHere: 3 },
      },
      competing: [],
    });
    expect(issue.diagnosis.signal.lift.lower).toBeGreaterThan(1.5);
    expect(issue.diagnosis.signal.adjustedP).toBeLessThan(0.05);
  });

  test('links every call that ended badly at the step', async () => {
    expect(await walk(world, `/v1/agents/${agentId}/issues/${issue.id}/calls`, 10)).toHaveLength(17);
  });

  test('explains what sets the calls apart, and only what holds', async () => {
    const { body } = await world.get(`/v1/agents/${agentId}/issues/${issue.id}/explanation`);
    expect(body.differences.compared).toEqual({ affected: 17, others: 50 });
    const version = body.differences.found.find((one: Loose) => one.dimension === 'version' && one.value === '2');
    expect(version).toMatchObject({ with: { calls: 14, of: 24 }, without: { calls: 3, of: 43 }, label: 'Version 2' });
    expect(version.lift.lower).toBeGreaterThan(1);
    expect(body.differences.found.some((one: Loose) => one.dimension === 'signal_before')).toBe(true);
    expect(body.differences.found.every((one: Loose) => one.adjustedP <= 0.05)).toBe(true);
    expect(body.untilSure).toMatchObject({ confirmation: { settled: true }, cause: { settled: true, moreCalls: 0 } });
    expect(body.proof[0]).toContain('one version');
    expect(body.evidenceFor).toContainEqual(expect.objectContaining({ causeCode: 'http_5xx', calls: 14, of: 17 }));
    expect(body.evidenceAgainst).toContainEqual(expect.objectContaining({ calls: 3, of: 17, causeCode: null }));
  });

  test('never lists a count, which is there by its id', async () => {
    const other = await world.makeAgent();
    await world.ask('PATCH', `/app/agents/${other}`, { as: token, body: { boardSource: 'outcome' } });
    await seedCalls(world, other, [
      ...range(8, (at) => seeded('lost', at, true, [], 1)),
      ...range(20, (at) => seeded('fine', 30 + at, false, [], 1)),
    ]);
    for (const query of ['', '?includeDownstream=true&includeResolved=true', '?klass=flow', '?status=discovered']) {
      expect(await walk(world, `/v1/agents/${other}/issues${query}`, 5)).toEqual([]);
    }
    const { rows } = await world.database
      .em()
      .getConnection()
      .execute<{ rows: { id: string }[] }>(
        `select id from issues where agent_id = '${other}' and count_only`,
        [],
        'run',
      );
    const { body } = await world.get(`/v1/agents/${other}/issues/${rows[0]?.id}`);
    expect(body).toMatchObject({
      code: 'outcome.flow',
      countOnly: true,
      section: 'hidden',
      sectionNote: expect.stringMatching(/^Count only: /),
      recommendation: null,
      priorityScore: 0,
      cause: null,
      causeEstablished: false,
      causeSummary: 'Cause not established.',
      volume: 8,
    });
    const explanation = await world.get(`/v1/agents/${other}/issues/${rows[0]?.id}/explanation`);
    expect(explanation.body).toMatchObject({ untilSure: { cause: { settled: false, moreCalls: null } } });
    expect((await world.get(`/v1/agents/${other}`)).body.counts.openIssues).toBe(0);
  });
});

describe('disputes', () => {
  let callId: string;
  let labels: string;
  const say = (body: object, as = token) => world.ask('POST', labels, { as, body });

  beforeAll(async () => {
    const [call] = await walk(world, `/v1/agents/${agentId}/calls?signal=tool_failed`, 5);
    callId = call.id;
    labels = `/app/agents/${agentId}/calls/${callId}/signals/labels`;
  });

  test('a label is kept, replaced by a newer one, and taken back', async () => {
    expect(await say({ code: 'tool_failed', turnIndex: 4, label: 'right' })).toMatchObject({ status: 200 });
    const { body } = await say({ code: 'tool_failed', turnIndex: 4, label: 'wrong', note: 'Nothing was free.' });
    expect(body).toMatchObject({ label: 'wrong', note: 'Nothing was free.', detected: true, personId: world.personId });
    expect((await world.get(labels, token)).body.data).toEqual([body]);
    const removed = await world.ask('DELETE', `${labels}?code=tool_failed&turnIndex=4`, { as: token });
    expect(removed).toMatchObject({ status: 200, body: { data: [] } });
  });

  test('only what was noticed can be labelled, and only by people', async () => {
    expectFailure(await say({ code: 'tool_failed', turnIndex: 5, label: 'right' }), 400, 'invalid_parameter', 'code');
    expectFailure(await say({ code: 'tool_failed', turnIndex: 4, label: 'maybe' }), 400, 'invalid_parameter', 'label');
    expectFailure(await say({ code: 'tool_failed', turnIndex: 4, label: 'right' }, world.writeKey), 403, 'people_only');
    expectFailure(
      await world.ask('DELETE', `${labels}?code=tool_failed`, { as: token }),
      400,
      'invalid_parameter',
      'turnIndex',
    );
  });

  test('a label stands beside the issue and in the precision of its code, and changes no count', async () => {
    const [before] = await outcomeBoard();
    await say({ code: 'tool_failed', turnIndex: 4, label: 'wrong' });
    const [after] = await outcomeBoard();
    expect(after.volume).toBe(before.volume);
    expect(after.priorityScore).toBe(before.priorityScore);
    const explained = await world.get(`/v1/agents/${agentId}/issues/${after.id}/explanation`);
    expect(explained.body.labels).toMatchObject({ right: 0, wrong: 1 });
    const precision = { value: 0, right: 0, wrong: 1, lower: 0 };
    const coverage = (await world.get(`/v1/agents/${agentId}/coverage`)).body;
    const ofCode = (rows: Loose[]) => rows.find((row) => row.code === 'tool_failed');
    expect(ofCode(coverage.signals)).toMatchObject({ precision });
    const catalogue = (await world.get(`/app/agents/${agentId}/signals`, token)).body;
    expect(ofCode(catalogue.signals)).toMatchObject({ precision, isNot: expect.any(String) });
  });

  test('a new analysis keeps the label; while it drops the signal, the label counts for no precision', async () => {
    const call = (await world.get(`/v1/agents/${agentId}/calls/${callId}`)).body;
    const again = (signals: Signal[]) => {
      const reading = seeded('lost', Number(call.providerCallId.slice(4)), true, signals, 2);
      return seedCalls(world, agentId, [reading]);
    };
    await again([]);
    const [dropped] = (await world.get(labels, token)).body.data;
    expect(dropped).toMatchObject({ label: 'wrong', detected: false });
    const coverage = (await world.get(`/v1/agents/${agentId}/coverage`)).body;
    expect(coverage.signals.find((row: Loose) => row.code === 'tool_failed').precision).toBeNull();
    await again([failed('http_5xx')]);
    expect((await world.get(labels, token)).body.data).toMatchObject([{ label: 'wrong', detected: true }]);
  });

  test('thresholds in force stand beside the usual ones', async () => {
    await world.ask('PATCH', `/app/agents/${agentId}`, {
      as: token,
      body: { thresholds: { tool_slow: { slowMs: 1234 } } },
    });
    const { body } = await world.get(`/app/agents/${agentId}/signals`, token);
    const slow = body.signals.find((row: Loose) => row.code === 'tool_slow');
    expect(slow.thresholds).toContainEqual(expect.objectContaining({ name: 'slowMs', value: 1234, changed: true }));
  });
});
