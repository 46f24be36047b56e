import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveWatches } from '../../../src/db/watches/live.ts';
import { dropVerdicts, followCalls } from '../../../src/db/watches/verdicts.ts';
import { insertWatch, type NewWatch, setWatchState } from '../../../src/db/watches/watches.ts';
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
});
