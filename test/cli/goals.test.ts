import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { captureVersion, makeTests } from '../support/runs.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let cli: CommandLine;
let testIds: string[];
beforeAll(async () => {
  world = await createWorld();
  cli = await commandLineFor(world);
  const agent = { workspaceId: world.workspaceId, agentId: world.agentId };
  await captureVersion(world.database, agent, 1);
  testIds = await makeTests(world.database, agent, 2);
});
afterAll(() => world.close());

test('a goal is opened, approved, shown with its price, and closed', async () => {
  expect((await cli.run(['goals'])).out).toBe('No goals.\n');
  const opened = await cli.run(['goals', 'new', 'Tables for two', '--request', 'Book a table for two.']);
  expect(opened).toMatchObject({ code: 0, out: 'Tables for two is open; its plan of 2 tests waits for approval.\n' });
  const [test1 = ''] = testIds;
  const approved = await cli.run(['goals', 'approve', '1', '--test', test1]);
  expect(approved.out).toBe('Tables for two is open; its plan of 1 test is approved.\n');
  const shown = await cli.run(['goals', 'show', '1']);
  expect(shown.out).toContain('Tables for two (open; plan approved)');
  expect(shown.out).toContain('Playing it once: 1 test call, 0.10 USD at most.');
  expect((await cli.run(['goals', 'close', '1', '--came-of', 'It books.', '--json'])).out).toContain('"closed"');
  expect((await cli.run(['goals', 'list', '--status', 'closed'])).out).toContain('Tables for two');
  expect(await cli.run(['goals', 'approve', '1'])).toMatchObject({ code: 1, out: '' });
  expect(await cli.run(['goals', 'show', '9'])).toMatchObject({ code: 1, err: expect.stringContaining('no goal 9') });
});
