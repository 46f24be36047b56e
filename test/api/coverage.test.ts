import { afterAll, beforeAll, expect, test } from 'vitest';
import { minute, seedCalls } from '../support/seed.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

let world: World;
let agentId: string;
beforeAll(async () => {
  world = await createWorld();
  agentId = await world.makeAgent();
});
afterAll(() => world.close());

const calls = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({
    call: { providerCallId: `call ${from + at}`, startedAt: minute(from + at), costUsd: 0.2 },
    analysis: {},
  }));
const unknown = {
  call: { providerCallId: 'unknown', startedAt: minute(0), costUsd: null },
  analysis: { notComputable: [{ code: 'cost_outlier', reason: 'The platform gives no cost for this call.' }] },
};

async function covered(): Promise<Loose> {
  const { body } = await world.get(`/v1/agents/${agentId}/coverage`);
  return body.signals.find(({ code }: Loose) => code === 'cost_outlier');
}

async function exported(): Promise<Loose[]> {
  const answer = await world.ask('GET', `/app/agents/${agentId}/export`, { as: await world.token() });
  return answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('what too few calls tell of can be computed on none of them, and on each once there are enough', async () => {
  await seedCalls(world, agentId, [...calls(0, 99), unknown]);
  expect(await covered()).toMatchObject({
    calls: 100,
    computable: 0,
    notComputable: [
      {
        calls: 99,
        reason: expect.stringContaining('Fewer than 100 calls'),
        remedy: expect.stringContaining('more calls'),
      },
      { calls: 1, reason: expect.stringContaining('no cost'), remedy: expect.stringContaining('Connect the platform') },
    ],
  });
  expect((await exported()).every(({ notComputable }) => notComputable.length === 1)).toBe(true);
  await seedCalls(world, agentId, calls(99, 100));
  expect(await covered()).toMatchObject({ calls: 101, computable: 100, notComputable: [{ calls: 1 }] });
  expect((await exported()).filter(({ notComputable }) => notComputable.length === 1)).toHaveLength(1);
});
