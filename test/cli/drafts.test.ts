import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { frontDesk } from '../support/drafts.ts';
import { makeTestedDraft } from '../support/publishing.ts';
import { captureVersion } from '../support/runs.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let cli: CommandLine;
let file: string;
let owner: { workspaceId: string; agentId: string };
beforeAll(async () => {
  world = await createWorld();
  cli = await commandLineFor(world);
  file = join(cli.folder, 'agent.yaml');
  owner = { workspaceId: world.workspaceId, agentId: world.agentId };
  await captureVersion(world.database, owner, 1, frontDesk());
});
afterAll(() => world.close());

test("an agent's text goes to a file, and back as a draft", async () => {
  expect(await cli.run(['drafts'])).toMatchObject({ code: 0, out: 'No drafts.\n' });
  expect((await cli.run(['agent', 'pull', file])).out).toContain('version 1 of An agent, 6 texts.');
  expect(await cli.run(['agent', 'push', file])).toMatchObject({ code: 4 });
  expect(await cli.run(['agent', 'push', file, '--draft'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('says what the live version says'),
  });
  writeFileSync(file, readFileSync(file, 'utf8').replace('You are the front desk.', 'You are the night desk.'));
  const pushed = await cli.run(['agent', 'push', file, '--draft', '--title', 'At night']);
  expect(pushed.out).toMatch(/^At night \(draft, revision 1, over version 1\)\n/);
  expect((await cli.run(['drafts'])).out).toMatch(/1 +At night +draft +version 1 /);
  expect((await cli.run(['drafts', 'diff', '1'])).out).toContain(
    '-1: You are the front desk.\n+1: You are the night desk.',
  );
  const published = await cli.run(['drafts', 'publish', '1', '--yes']);
  expect(published).toMatchObject({ code: 1, out: '' });
  expect(published.err).toContain('has no test yet');
  const shown = await cli.run(['drafts', 'show', '1', '--json']);
  expect(JSON.parse(shown.out)).toMatchObject({ title: 'At night', status: 'draft', canPublish: false });
  expect(await cli.run(['drafts', 'show', '7'])).toMatchObject({ code: 1, err: 'There is no draft 7 of An agent.\n' });
});

test('a file of another version, and one that is none, are refused', async () => {
  await captureVersion(world.database, owner, 2, frontDesk({ firstMessage: 'Good day.' }));
  expect(await cli.run(['drafts', 'new', '--from', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('has changed since'),
  });
  for (const text of ['[]', 'agent: [', 'agent: a\nhash: b\ntexts: {c: 1}\n']) {
    writeFileSync(file, text);
    expect(await cli.run(['drafts', 'new', '--from', file])).toMatchObject({ code: 4, out: '' });
  }
  expect(await cli.run(['drafts', 'new', '--from', `${file}.gone`])).toMatchObject({ code: 4, out: '' });
});

test('a publish is judged as its person, for whom failures are no bar, and waited for so long at most', async () => {
  const agentId = await world.makeAgent({ provider: 'retell' });
  const agent = { workspaceId: world.workspaceId, agentId };
  await captureVersion(world.database, agent, 1, frontDesk());
  const { id } = await makeTestedDraft(world.database, agent);
  await sql`update run_cells set result = 'failed' where agent_id = ${agentId}`.execute(
    world.database.em().getKysely(),
  );
  const publish = ['drafts', 'publish', id, '--yes', '--agent', agentId, '--timeout', '1'];
  expect(await cli.run(publish)).toMatchObject({ code: 3, err: expect.stringContaining('still being published') });
  expect(await cli.run(publish)).toMatchObject({ code: 1, err: expect.stringContaining('being published') });
});
