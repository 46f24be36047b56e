import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createAnalyser } from '../../src/analyser/analyser.ts';
import { ANALYSER_VERSION } from '../../src/domain/signals/analyser-version.ts';
import { NO_MODELS } from '../../src/models/registry.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { renewReadings } from '../../src/services/reanalyses/renew-readings.ts';
import { reanalysisId } from '../../src/temporal/reanalyse.ts';
import { storeEarlierReadings } from '../support/earlier-readings.ts';
import { NO_SOUND } from '../support/no-sound.ts';
import { sendOutbox } from '../support/outbox.ts';
import { openNamespace, SHORT_PATIENCE, startWorkers, type TestTemporal, untilTrue } from '../support/pipeline.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

const address = inject('temporalAddress');
const CALLS = 230;

describe.skipIf(address === null)('a re-analysis on a real Temporal server', () => {
  let temporal: TestTemporal;
  let world: World;
  let token: string;
  let stop: (() => Promise<unknown> | void)[] = [];
  let startAgain: () => Promise<() => Promise<void>>;
  let stopWorkers: () => Promise<void>;

  beforeAll(async () => {
    world = await createWorld();
    temporal = await openNamespace(address ?? '');
    const outbound = createOutbound({ allow: [], trustedOrigins: [] });
    const analyser = createAnalyser();
    const deps = {
      database: world.database,
      vault: world.services.vault,
      platforms: createPlatforms({ outbound, demoUrl: null }),
      analyser,
      models: NO_MODELS,
      ...NO_SOUND,
      receivers: outbound,
      mailer: null,
      mailDomains: [],
      publicUrl: 'https://earshot.example.com',
      isNamed: false,
      conversationSlots: 4,
      storageMib: null,
      requestsASecond: null,
      patience: SHORT_PATIENCE,
    };
    startAgain = () => startWorkers(deps, temporal);
    stopWorkers = await startAgain();
    const sending = setInterval(() => void sendOutbox({ database: world.database, temporal: temporal.gateway }), 200);
    stop = [
      () => clearInterval(sending),
      () => stopWorkers(),
      () => analyser.close(),
      () => outbound.close(),
      () => temporal.close(),
      () => world.close(),
    ];
  });
  afterAll(async () => {
    for (const each of stop) await each();
  });

  const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
    (await query.execute(world.database.em().getKysely())).rows;

  async function agentOfEarlierVersion(count = CALLS): Promise<string> {
    const agentId = await world.makeAgent({ provider: 'file' });
    await storeEarlierReadings(world.database, { workspaceId: world.workspaceId, agentId }, count);
    return agentId;
  }

  const path = (agentId: string, rest = '') => `/app/agents/${agentId}/reanalyses${rest}`;
  async function ask(method: 'GET' | 'POST', url: string, body?: unknown) {
    token = await world.token();
    return world.ask(method, url, { as: token, ...(body === undefined ? {} : { body }) });
  }
  async function until(agentId: string, id: string, status: string): Promise<Loose> {
    let body: Loose = null;
    await untilTrue(async () => {
      ({ body } = await ask('GET', path(agentId, `/${id}`)));
      return body.status === status || body.status === 'failed' || body.message.includes('ended early');
    });
    if (body.status !== status) throw new Error(`${body.status}: ${body.message}`);
    return body;
  }

  const shown = (agentId: string) =>
    rows(sql`
      select c.id, c.outcome, c.signal_codes as codes, c.analyser_version as version, c.objective,
        (select jsonb_agg(to_jsonb(s) order by ordinal) from call_signals s where s.call_id = c.id) as signals
      from calls c where c.agent_id = ${agentId} order by c.id`);
  const board = (agentId: string) =>
    rows(sql`
      select key, title, section, volume, status from issues
      where agent_id = ${agentId} and section <> 'hidden' and withdrawn_at is null and status <> 'resolved'
      order by (section = 'not_established'), fell_on_live, order_key desc, id`);
  const shadows = (id: string) => rows(sql`select call_id from shadow_readings where reanalysis_id = ${id}`);

  test('says what would change before anything does, and switching on does exactly that', async () => {
    const agentId = await agentOfEarlierVersion();
    const before = await shown(agentId);
    const listed = await ask('GET', path(agentId));
    expect(listed.body).toMatchObject({ analyserVersion: ANALYSER_VERSION, callsBehind: CALLS, data: [] });
    expect(listed.body.message).toContain(`${CALLS} calls were read by an earlier analyser`);

    const { body: started } = await ask('POST', path(agentId));
    expect(started).toMatchObject({ status: 'queued', total: CALLS, report: null });
    expectFailure(await ask('POST', path(agentId)), 409, 'reanalysis_in_progress');

    const { report, ...reported } = await until(agentId, started.id, 'reported');
    expect(reported).toMatchObject({ total: CALLS, done: CALLS, failed: 0, applied: 0 });
    expect(await shown(agentId)).toEqual(before);
    const third = Math.ceil(CALLS / 3);
    expect(report.calls).toEqual({ read: CALLS, failed: 0, changed: third + 6, unchanged: CALLS - third - 6 });
    expect(report.outcomes).toEqual([{ from: 'resolved', to: before.at(-1).outcome, calls: 10 }]);
    const codes = new Map(report.codes.map((one: Loose) => [one.code, one]));
    expect(codes.get('old_code')).toMatchObject({ removed: third, added: 0, kept: 0 });
    expect(codes.get('tool_failed')).toMatchObject({ removed: 0, added: third, kept: CALLS - third });
    const [example] = (codes.get('tool_failed') as Loose).examples.added;
    expect(before.find(({ id }) => id === example).codes).toEqual(['old_code']);

    const boardBefore = await board(agentId);
    const [kept] = boardBefore.filter(({ title }) => title !== 'old_code');
    await rows(
      sql`update issues set owner_id = ${world.personId} where agent_id = ${agentId} and key = ${kept.key} returning id`,
    );

    expect((await ask('POST', path(agentId, `/${started.id}/apply`))).body.status).toBe('applying');
    expectFailure(await ask('POST', path(agentId, `/${started.id}/apply`)), 409, 'reanalysis_not_reported');
    const applied = await until(agentId, started.id, 'applied');
    expect(applied).toMatchObject({ applied: CALLS, message: 'The new readings are switched on.' });
    const after = await shown(agentId);
    expect(new Set(after.map(({ version }) => version))).toEqual(new Set([ANALYSER_VERSION]));
    expect(after.some(({ codes: shownCodes }) => shownCodes.includes('old_code'))).toBe(false);
    expect(after.filter(({ outcome }, at) => outcome !== before[at].outcome)).toHaveLength(10);

    const boardAfter = await board(agentId);
    const keys = (list: Loose[]) => list.map(({ key }) => key).sort();
    const gone = keys(boardBefore).filter((key) => !keys(boardAfter).includes(key));
    const come = keys(boardAfter).filter((key) => !keys(boardBefore).includes(key));
    expect(keys(report.board.disappear)).toEqual(gone);
    expect(keys(report.board.appear)).toEqual(come);
    expect(gone.length).toBeGreaterThan(0);
    for (const { key, to } of report.board.move) {
      const rank = boardAfter.findIndex((row) => row.key === key) + 1;
      expect({ rank, calls: boardAfter[rank - 1]?.volume }).toEqual({ rank: to.rank, calls: to.calls });
    }
    const [owned] = await rows(
      sql`select owner_id as owner from issues where agent_id = ${agentId} and key = ${kept.key}`,
    );
    expect(owned.owner).toBe(world.personId);
    expect(await shadows(started.id)).toEqual([]);
    expect((await ask('GET', path(agentId))).body).toMatchObject({ callsBehind: 0, message: null });
  });

  test('that is discarded leaves nothing behind, and another may be started', async () => {
    const agentId = await agentOfEarlierVersion(30);
    const before = await shown(agentId);
    const { body: first } = await ask('POST', path(agentId));
    await until(agentId, first.id, 'reported');
    expect((await ask('POST', path(agentId, `/${first.id}/discard`))).body.status).toBe('discarded');
    expectFailure(await ask('POST', path(agentId, `/${first.id}/apply`)), 409, 'reanalysis_not_reported');
    expectFailure(await ask('POST', path(agentId, `/${first.id}/discard`)), 409, 'reanalysis_not_reported');
    expect(await shadows(first.id)).toEqual([]);
    expect(await shown(agentId)).toEqual(before);
    expect((await ask('POST', path(agentId))).status).toBe(200);
  });

  test('goes on where it was when its worker ends in the middle, and counts no call twice', async () => {
    const agentId = await agentOfEarlierVersion();
    const { body: started } = await ask('POST', path(agentId));
    await untilTrue(async () => (await ask('GET', path(agentId, `/${started.id}`))).body.done > 0);
    await stopWorkers();
    stopWorkers = await startAgain();
    const reported = await until(agentId, started.id, 'reported');
    expect(reported).toMatchObject({ done: CALLS, failed: 0 });
    expect(await shadows(started.id)).toHaveLength(CALLS);
    await ask('POST', path(agentId, `/${started.id}/apply`));
    await untilTrue(async () => (await ask('GET', path(agentId, `/${started.id}`))).body.applied > 0);
    await stopWorkers();
    stopWorkers = await startAgain();
    expect((await until(agentId, started.id, 'applied')).applied).toBe(CALLS);
  });

  test('under other thresholds sets them with its readings, and not before', async () => {
    const agentId = await agentOfEarlierVersion(10);
    expectFailure(
      await ask('POST', path(agentId), { thresholds: { no_such_code: { slowMs: 1 } } }),
      400,
      'invalid_parameter',
      'thresholds.no_such_code',
    );
    const thresholds = { tool_slow: { slowMs: 1234 } };
    const { body: started } = await ask('POST', path(agentId), { thresholds });
    await until(agentId, started.id, 'reported');
    const held = () => rows(sql`select thresholds from agents where id = ${agentId}`);
    expect(await held()).toEqual([{ thresholds: {} }]);
    await ask('POST', path(agentId, `/${started.id}/apply`));
    await until(agentId, started.id, 'applied');
    expect(await held()).toEqual([{ thresholds }]);
  });

  test('follows wordings that a person makes a rule, and the same wordings order none', async () => {
    const agentId = await agentOfEarlierVersion(10);
    const phraseRules = { required: ['this call is recorded'], forbidden: [] };
    const change = async (body: object) =>
      world.ask('PATCH', `/app/agents/${agentId}`, { as: await world.token(), body });
    expectFailure(
      await change({ phraseRules: { required: ['…'], forbidden: [] } }),
      400,
      'invalid_parameter',
      'phraseRules.required[0]',
    );
    expect((await change({ phraseRules })).status).toBe(200);
    const [ordered] = (await ask('GET', path(agentId))).body.data;
    const { report } = await until(agentId, ordered.id, 'applied');
    expect(report.codes).toContainEqual(expect.objectContaining({ code: 'required_phrase_missing', added: 10 }));
    expect((await ask('GET', `/app/agents/${agentId}/signals`)).body.phraseRules).toEqual(phraseRules);
    await change({ phraseRules });
    expect((await ask('GET', path(agentId))).body.data).toHaveLength(1);
  });

  test('of an agent that nobody may write to is ordered at the start and switches itself on', async () => {
    const agentId = await agentOfEarlierVersion(10);
    expect((await ask('GET', '/app/system')).body.analyser).toMatchObject({
      version: ANALYSER_VERSION,
      agentsBehind: expect.arrayContaining([agentId]),
    });
    expect(await renewReadings(world.database)).toBe(0);
    await rows(sql`update agents set read_only = true where id = ${agentId} returning id`);
    expect(await renewReadings(world.database)).toBe(1);
    expect(await renewReadings(world.database)).toBe(0);
    const [made] = (await ask('GET', path(agentId))).body.data;
    await until(agentId, made.id, 'applied');
    expect((await ask('GET', path(agentId, `/${made.id}`))).body.report.calls.read).toBe(10);
    expect((await ask('GET', path(agentId))).body).toMatchObject({ callsBehind: 0 });
  });

  test('that an operator cancels in Temporal ends with that reason and changes nothing', async () => {
    const agentId = await agentOfEarlierVersion(10);
    const before = await shown(agentId);
    await stopWorkers();
    const { body: started } = await ask('POST', path(agentId));
    const handle = temporal.gateway.client.workflow.getHandle(reanalysisId({ reanalysisId: started.id, task: 'read' }));
    await untilTrue(async () => (await handle.describe()).status.name === 'RUNNING');
    await handle.cancel();
    stopWorkers = await startAgain();
    const failed = await until(agentId, started.id, 'failed');
    expect(failed.message).toContain('Cancelled in Temporal.');
    expect(await shown(agentId)).toEqual(before);
  });
});
