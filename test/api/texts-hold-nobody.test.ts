import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readDraft } from '../../src/domain/drafts/quick-checks.ts';
import { frontDesk } from '../support/drafts.ts';
import { captureVersion } from '../support/runs.ts';
import { longestHold } from '../support/thread-time.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

/**
 * `/healthz` is answered by this thread: it waits no longer than the longest piece of work that is done in one go. One draft
 * that is read on this thread is the measure: nothing may hold it that long.
 */
let oneDraftMs: number;
const DRAFTS = 20;
const lines = (what: string) => Array.from({ length: 2000 }, (_, at) => `Rule ${at}: ${what} ${at * 7}.`).join('\n');

let world: World;
let token: string;
let agentId: string;
beforeAll(async () => {
  world = await createWorld();
  const base = frontDesk({ prompt: lines('say') });
  const texts = { '/prompt': lines('sing') };
  oneDraftMs = await longestHold(async () => readDraft(base, texts, []));
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
  expect(held).toBeLessThan(oneDraftMs);
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
  expect(held).toBeLessThan(oneDraftMs);
});
