import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { frontDesk } from '../support/drafts.ts';
import { captureVersion } from '../support/runs.ts';
import { longestHold } from '../support/thread-time.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

/**
 * `/healthz` is answered by this thread: it waits no longer than the longest piece of work that is done in one go. Such a
 * piece takes up to 40 ms here, one draft that is read on this thread 160, and twenty in a list seconds.
 */
const HELD_AT_MOST_MS = 100;
const DRAFTS = 20;
const lines = (what: string) => Array.from({ length: 2000 }, (_, at) => `Rule ${at}: ${what} ${at * 7}.`).join('\n');

let world: World;
let token: string;
let agentId: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  token = await world.token();
});

async function agentOf(provider: 'file' | 'retell', prompt: string): Promise<void> {
  agentId = await world.makeAgent({ provider });
  await captureVersion(world.database, { workspaceId: world.workspaceId, agentId }, 1, frontDesk({ prompt }));
}

const begin = (text: string) => {
  const body = { changes: [{ path: '/prompt', text }] };
  return world.ask('POST', `/app/agents/${agentId}/drafts`, { as: token, body });
};

test('a prompt of blanks is taken, and drafts over it, while others are answered', async () => {
  agentId = await world.makeAgent({ provider: 'file' });
  const blanks = `Never say no.${' '.repeat(180_000)}if`;
  const path = `/app/agents/${agentId}/configuration`;
  const held = await longestHold(async () => {
    expect((await world.ask('PUT', path, { as: token, body: { prompt: blanks } })).status).toBe(200);
    expect((await begin('Be kind.')).status).toBe(200);
  });
  expect(held).toBeLessThan(HELD_AT_MOST_MS);
});

test('drafts of two thousand other lines are made, read and listed while others are answered', async () => {
  await agentOf('retell', lines('say'));
  // What a first request loads and compiles is not the text's.
  const [{ body: first }] = [await begin('Be kind.'), await world.get(`/v1/agents/${agentId}/drafts`)];
  await world.get(`/v1/agents/${agentId}/drafts/${first.id}`);
  const made: Loose[] = [];
  const held = await longestHold(async () => {
    for (let at = 0; at < DRAFTS; at += 1) made.push((await begin(lines(`sing ${at}`))).body);
    await Promise.all(made.map(({ id }) => world.get(`/v1/agents/${agentId}/drafts/${id}`)));
    const { body } = await world.get(`/v1/agents/${agentId}/drafts?limit=100`);
    expect(body.data).toHaveLength(DRAFTS + 1);
    expect(body.data[0]).toMatchObject({ id: made.at(-1)?.id, changedParts: 1 });
    for (const field of ['changes', 'diff', 'quickChecks', 'target']) expect(body.data[0]).not.toHaveProperty(field);
  });
  expect(made.map(({ diff }) => diff[0].lines.length)).toEqual(made.map(() => 2000));
  expect(held).toBeLessThan(HELD_AT_MOST_MS);
});
