import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Retention } from '../../../src/domain/retention/retention.ts';
import { dropDue } from '../../../src/services/retention/drop-due.ts';
import { walkAgents } from '../../../src/services/retention/walk-agents.ts';
import type { RetentionCursor } from '../../../src/temporal/keep-retention.ts';
import { testKnowledge, testVault } from '../../support/analysed-calls.ts';
import { minute, seedCalls } from '../../support/seed.ts';
import { createWorld, type Loose, type World } from '../../support/world.ts';

const KNOWS = { vault: testVault, catalogue: testKnowledge.catalogue };
const FOR_EVER: Retention = { payloadDays: null, transcriptDays: null, callDays: null };

let world: World;
let agentId: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  agentId = await world.makeAgent();
});

const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(world.database.em().getKysely())).rows;

/** Calls that came in so many days ago, by their names. */
async function calls(days: Record<string, number>, agent = agentId): Promise<void> {
  const ids = await seedCalls(
    world,
    agent,
    Object.keys(days).map((providerCallId, at) => ({ call: { providerCallId, startedAt: minute(at) }, analysis: {} })),
  );
  for (const [at, ago] of Object.values(days).entries()) {
    await rows(sql`update calls set created_at = now() - ${ago} * interval '1 day' where id = ${ids[at]}`);
    await rows(sql`update raw_payloads set stored_at = now() - ${ago} * interval '1 day' where call_id = ${ids[at]}`);
  }
}
const kept = async (agent = agentId) =>
  rows(sql`
    select c.provider_call_id as call, not c.words_gone as words, p.call_id is not null as payload
    from calls c left join raw_payloads p on p.call_id = c.id where c.agent_id = ${agent} order by 1`);
const drop = (retention: Partial<Retention>) =>
  dropDue(
    world.database.within(world.workspaceId),
    KNOWS,
    { workspaceId: world.workspaceId, agentId },
    { ...FOR_EVER, ...retention },
  );

describe('what is kept for a time', () => {
  test('goes with the day on which the call came in, not with the one on which it was talked', async () => {
    await calls({ old: 31, young: 29 });
    expect(await drop({ callDays: 30 })).toEqual({ payloads: 0, transcripts: 0, calls: 1, more: false });
    expect(await kept()).toEqual([{ call: 'young', words: true, payload: true }]);
  });

  test.each([
    ['payloads alone', { payloadDays: 30 }, { payloads: 1 }, { words: true, payload: false }],
    ['words, and with them the payload', { transcriptDays: 30 }, { transcripts: 1 }, { words: false, payload: false }],
    ['nothing, where all is kept for ever', {}, {}, { words: true, payload: true }],
    ['nothing that is due later', { payloadDays: 40, transcriptDays: 40 }, {}, { words: true, payload: true }],
  ])('takes %s', async (_, retention, dropped, left) => {
    await calls({ old: 31, young: 1 });
    expect(await drop(retention)).toMatchObject({ payloads: 0, transcripts: 0, calls: 0, more: false, ...dropped });
    expect(await kept()).toEqual([
      { call: 'old', ...left },
      { call: 'young', words: true, payload: true },
    ]);
  });

  test('takes the call once, where words and call are due on the same day', async () => {
    await calls({ old: 31 });
    expect(await drop({ transcriptDays: 30, callDays: 30 })).toMatchObject({ calls: 1, transcripts: 0 });
    expect(await kept()).toEqual([]);
  });

  test('takes words once', async () => {
    await calls({ old: 31 });
    await drop({ transcriptDays: 30 });
    expect(await drop({ transcriptDays: 30 })).toMatchObject({ transcripts: 0 });
  });

  test('leaves the board to what is left', async () => {
    await calls({ old: 31, young: 1 });
    await drop({ callDays: 30 });
    expect(await rows(sql`select sum(calls)::int as calls from metric_counts where agent_id = ${agentId}`)).toEqual([
      { calls: 1 },
    ]);
  });
});

describe('a pass through all agents', () => {
  // Those of other tests are out of its way.
  beforeEach(() => rows(sql`update agents set erasing = true where id <> ${agentId}`));
  const walk = (after: RetentionCursor | null = null) => walkAgents(world.database, KNOWS, after);
  const set = (agent: string, retention: Partial<Retention>) =>
    rows(sql`update agents set retention = ${JSON.stringify(retention)}::jsonb where id = ${agent}`);

  test('goes by what each agent has set, else by its workspace, else by what is usual', async () => {
    const [own, asWorkspace] = [agentId, await world.makeAgent()];
    for (const each of [own, asWorkspace]) await calls({ [`${each} old`]: 20, [`${each} young`]: 1 }, each);
    await set(own, { callDays: 10 });
    expect(await walk()).toMatchObject({ calls: 1, failed: 0, failure: null, over: true });
    expect(await kept(own)).toHaveLength(1);
    expect(await kept(asWorkspace)).toHaveLength(2);
    await rows(sql`update workspaces set retention = '{"callDays": 15}'::jsonb where id = ${world.workspaceId}`);
    expect(await walk()).toMatchObject({ calls: 1 });
    expect(await kept(asWorkspace)).toHaveLength(1);
    await rows(sql`update workspaces set retention = '{}'::jsonb where id = ${world.workspaceId}`);
  });

  test('goes on after the agent that it is told of', async () => {
    await calls({ old: 31 });
    await set(agentId, { callDays: 30 });
    expect(await walk({ workspaceId: world.workspaceId, agentId })).toMatchObject({ calls: 0, over: true });
    expect(await walk()).toMatchObject({ calls: 1, over: true });
  });

  test('leaves the shared demo alone, and an agent that is being erased', async () => {
    const demo = await world.makeAgent({ readOnly: true });
    for (const each of [demo, agentId]) await set(each, { callDays: 1 });
    await calls({ old: 31 });
    await rows(sql`update agents set erasing = true where id = ${agentId}`);
    expect(await walk()).toMatchObject({ calls: 0, over: true });
  });

  test('counts an agent on which it fails, says why, and goes on with the next', async () => {
    const [broken, sound] = [agentId, await world.makeAgent()].toSorted() as [string, string];
    for (const each of [broken, sound]) {
      await calls({ [each]: 31 }, each);
      await set(each, { callDays: 30 });
    }
    const fails = {
      ...KNOWS,
      vault: {
        keyedHash: (purpose: string, text: string) => {
          if (text.includes(broken)) throw new RangeError('no key');
          return testVault.keyedHash(purpose, text);
        },
      },
    };
    const step = await walkAgents(world.database, fails, null);
    expect(step).toMatchObject({ calls: 1, failed: 1, failure: 'RangeError', over: true });
    expect(await kept(broken)).toHaveLength(1);
    expect(await kept(sound)).toEqual([]);
  });
});
