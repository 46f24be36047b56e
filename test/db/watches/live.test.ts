import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveWatches } from '../../../src/db/watches/live.ts';
import { dropVerdicts, followCalls } from '../../../src/db/watches/verdicts.ts';
import { insertWatch, type NewWatch, setWatchState } from '../../../src/db/watches/watches.ts';
import { makeSignal } from '../../support/analysed-calls.ts';
import { readAgain, readWatched, spoken } from '../../support/watched-calls.ts';
import { writtenWatch } from '../../support/watches.ts';
import { createWorld, type Loose, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const em = () => world.database.within(world.workspaceId);
const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(world.database.em().getKysely())).rows;

async function liveWatch(set: Partial<NewWatch> = {}) {
  const agentId = await world.makeAgent();
  const watchId = await insertWatch(em(), writtenWatch({ workspaceId: world.workspaceId, agentId }, set));
  await setWatchState(em(), watchId, 'live');
  return { agentId, watchId };
}

const sums = (watchId: string) =>
  rows(sql`
    select version, day::text, held, broken from watch_days where watch_id = ${watchId} and held + broken > 0
    order by version, day`);
/** What the sums should be, counted anew. */
const counted = (watchId: string) =>
  rows(sql`
    select version, day::text, (count(*) filter (where held))::int as held, (count(*) filter (where not held))::int as broken
    from watch_verdicts where watch_id = ${watchId} and in_scope group by version, day order by version, day`);

describe('a live watch', () => {
  test('judges each call in the transaction that stores it, and a call that is read again once', async () => {
    const { agentId, watchId } = await liveWatch();
    const ids = await readWatched(world, agentId, [spoken('a', true), spoken('b', false), spoken('c', true)]);
    expect(await sums(watchId)).toEqual([{ version: 1, day: '2026-03-10', held: 2, broken: 1 }]);
    await readAgain(world, agentId, ids, await liveWatches(em(), agentId));
    expect(await sums(watchId)).toEqual([{ version: 1, day: '2026-03-10', held: 2, broken: 1 }]);
    expect(await counted(watchId)).toEqual(await sums(watchId));
  });

  test('that was turned on while a call was being read judges it as well', async () => {
    const { agentId, watchId } = await liveWatch();
    const ids = await readWatched(world, agentId, [spoken('a', false)]);
    await readAgain(world, agentId, ids, []);
    expect(await sums(watchId)).toEqual([{ version: 1, day: '2026-03-10', held: 0, broken: 1 }]);
  });

  test('follows the outcome and the intent that are stored of a call', async () => {
    const { agentId, watchId } = await liveWatch({
      form: {
        scope: { kind: 'outcome', outcome: 'resolved' },
        expectation: { kind: 'says', text: 'goodbye' },
        polarity: 'must',
      },
    });
    const ids = await readWatched(world, agentId, [spoken('a', false), spoken('b', true)]);
    expect(await sums(watchId)).toMatchObject([{ held: 1, broken: 1 }]);
    await readAgain(world, agentId, ids.slice(0, 1), await liveWatches(em(), agentId), { outcome: 'abandoned' });
    expect(await sums(watchId)).toMatchObject([{ held: 1, broken: 0 }]);
    await rows(sql`update calls set outcome = 'transferred' where agent_id = ${agentId} returning id`);
    await followCalls(em(), agentId, ids);
    expect(await sums(watchId)).toEqual([]);
    expect(await counted(watchId)).toEqual([]);
  });

  test('leaves an expected outcome to what is stored, also where the words could not tell it', async () => {
    const { agentId, watchId } = await liveWatch({
      form: {
        scope: { kind: 'all_calls' },
        expectation: { kind: 'outcome', outcome: 'resolved' },
        polarity: 'must',
      },
    });
    const silent = spoken('a', true);
    silent.call.turns = silent.call.turns.filter(({ role }) => role === 'caller').map((one) => ({ ...one, index: 0 }));
    const becauseOf = () => rows(sql`select in_scope, held, because from watch_verdicts where watch_id = ${watchId}`);
    const settle = async (outcome: string | null) => {
      const [id = ''] = ids;
      await rows(sql`update calls set outcome = ${outcome} where id = ${id} returning id`);
      await followCalls(em(), agentId, ids);
    };
    const ids = await readWatched(world, agentId, [silent]);
    await settle(null);
    expect(await becauseOf()).toMatchObject([{ in_scope: false }]);
    expect(await sums(watchId)).toEqual([]);
    await settle('resolved');
    expect(await becauseOf()).toEqual([{ in_scope: true, held: true, because: 'The call ended as resolved.' }]);
    await settle('abandoned');
    expect(await becauseOf()).toEqual([{ in_scope: true, held: false, because: 'The call ended as abandoned.' }]);
    expect(await sums(watchId)).toEqual(await counted(watchId));
  });

  test('says of a record that changed what its new words show', async () => {
    const { agentId, watchId } = await liveWatch();
    const [callId = ''] = await readWatched(world, agentId, [spoken('a', false)]);
    const { call } = spoken('a', true);
    await rows(sql`
      update transcripts set pending = jsonb_build_object('call', call || ${JSON.stringify({ turns: call.turns })}::jsonb,
        'callerKey', null) where call_id = ${callId} returning call_id`);
    await readAgain(world, agentId, [callId], await liveWatches(em(), agentId));
    expect(await sums(watchId)).toMatchObject([{ held: 1, broken: 0 }]);
    expect(await rows(sql`select quote from watch_verdicts where watch_id = ${watchId}`)).toEqual([
      { quote: 'Goodbye' },
    ]);
  });

  test('says nothing of a call that is gone', async () => {
    const { agentId, watchId } = await liveWatch();
    const ids = await readWatched(world, agentId, [spoken('a', true), spoken('b', false)]);
    await dropVerdicts(em(), agentId, ids.slice(1));
    await dropVerdicts(em(), agentId, ids.slice(1));
    expect(await sums(watchId)).toEqual([{ version: 1, day: '2026-03-10', held: 1, broken: 0 }]);
  });

  test('that fails clearly more than before is told of once, and again after it was over', async () => {
    const { agentId, watchId } = await liveWatch();
    const at = (day: number, hour = 10) => new Date(Date.UTC(2026, 2, day, hour)).toISOString();
    const batch = (day: number, broken: number, held: number) =>
      readWatched(world, agentId, [
        ...Array.from({ length: broken }, (_, nth) => spoken(`broken ${day} ${nth}`, false, at(day))),
        ...Array.from({ length: held }, (_, nth) => spoken(`held ${day} ${nth}`, true, at(day))),
      ]);
    const told = () => rows(sql`select ref from workspace_events where kind = 'watch.failing' and ref = ${watchId}`);
    await batch(1, 1, 79);
    expect(await told()).toEqual([]);
    await batch(2, 8, 2);
    await readWatched(world, agentId, [spoken('another', true, at(2))]);
    expect(await told()).toHaveLength(1);
    await batch(3, 9, 3);
    expect(await told()).toHaveLength(1);
    await batch(20, 0, 20);
    expect(await rows(sql`select failing from watches where id = ${watchId}`)).toEqual([{ failing: null }]);
  });

  test('that reaches its limit as steadily as ever is told of once, and over on a day below it', async () => {
    const { agentId, watchId } = await liveWatch({ alarm: { days: 7, breaks: 2 } });
    const at = (day: number) => new Date(Date.UTC(2026, 2, day, 10)).toISOString();
    const told = (kind: string) =>
      rows(sql`select ref from workspace_events where kind = ${kind} and ref = ${watchId}`);
    await readWatched(world, agentId, [spoken('first', false, at(1))]);
    expect(await told('watch.failing')).toEqual([]);
    await readWatched(world, agentId, [spoken('second', false, at(2)), spoken('fine', true, at(2))]);
    await readWatched(world, agentId, [spoken('third', false, at(3))]);
    expect(await told('watch.failing')).toHaveLength(1);
    await readWatched(world, agentId, [spoken('later', true, at(12))]);
    expect(await rows(sql`select failing from watches where id = ${watchId}`)).toEqual([{ failing: null }]);
  });

  test('draws what it flags for labels', async () => {
    const { agentId, watchId } = await liveWatch();
    const ids = await readWatched(world, agentId, [spoken('a', false), spoken('b', true)]);
    const drawn = () =>
      rows(sql`select call_id as "callId", kind, label from watch_samples where watch_id = ${watchId}`);
    expect(await drawn()).toEqual([{ callId: ids[0], kind: 'flagged', label: null }]);
    await readAgain(world, agentId, ids, await liveWatches(em(), agentId));
    expect(await drawn()).toHaveLength(1);
  });

  test('of a signal is decided by those that are stored of the call, and of a version by the one that is', async () => {
    const expectation = { kind: 'signal', code: 'monologue' } as const;
    const { agentId, watchId } = await liveWatch({
      form: { scope: { kind: 'all_calls', calls: { fromVersion: 1 } }, expectation, polarity: 'must_not' },
    });
    const ids = await readWatched(world, agentId, [spoken('a', true)]);
    const said = () =>
      rows(sql`select held, in_scope as "inScope", turn, because from watch_verdicts where watch_id = ${watchId}`);
    expect(await said()).toEqual([{ held: true, inScope: true, turn: 2, because: 'The analysis did not find it.' }]);
    const found = makeSignal({ code: 'monologue', turnIndex: 1, detail: 'Nobody spoke for 12 s.' });
    await readAgain(world, agentId, ids, await liveWatches(em(), agentId), { signals: [found] });
    expect(await said()).toEqual([{ held: false, inScope: true, turn: 1, because: 'Nobody spoke for 12 s.' }]);
    await sql`update calls set version = 0 where id = ${ids[0]}`.execute(world.database.em().getKysely());
    await em().transactional((tx) => followCalls(tx, agentId, ids));
    expect(await said()).toMatchObject([{ inScope: false }]);
  });
});
