import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let cli: CommandLine;
beforeAll(async () => {
  world = await createWorld();
  cli = await commandLineFor(world);
});
afterAll(() => world.close());

test('the plan is shown and set', async () => {
  const first = await cli.run(['plan']);
  expect(first.out).toMatch(/^Plan enterprise, period /);
  expect(first.out).toMatch(/Agents +unlimited +1/);
  const set = await cli.run(['plan', 'set', 'growth', '--agents', '12', '--ai-allowance', '7.50', '--json']);
  expect(JSON.parse(set.out)).toMatchObject({
    plan: 'growth',
    allowances: { agents: 12, testCalls: 200, aiAllowanceUsd: 7.5 },
    set: ['agents', 'aiAllowanceUsd'],
  });
  const back = await cli.run(['plan', 'set', 'growth', '--agents', 'default', '--analysed-calls', '0', '--json']);
  expect(JSON.parse(back.out).allowances).toMatchObject({ agents: 10, analysedCalls: 0 });
  for (const wrong of [['gold'], ['growth', '--agents', '-1'], ['growth', '--agents', '1.5'], []]) {
    expect(await cli.run(['plan', 'set', ...wrong])).toMatchObject({ code: 4, out: '' });
  }
});

test('members are invited, made admins and removed by their address', async () => {
  const invited = await cli.run(['members', 'invite', 'Ann@example.com', '--name', 'Ann']);
  expect(invited).toMatchObject({ code: 0, err: expect.stringContaining('It works once') });
  expect(invited.out).toMatch(/^http.*\/links#[A-Za-z0-9_-]{32}\n$/);
  const joined = await cli.run(['sign-in', '--link', invited.out.trim()], {
    EARSHOT_PASSWORD: 'a long enough password',
    EARSHOT_DATA: cli.folder.concat('-ann'),
    EARSHOT_URL: cli.stored().url,
  });
  expect(joined).toMatchObject({ code: 0 });
  const list = await cli.run(['members']);
  expect(list.out).toMatch(/Ann +ann@example.com +member +member /);
  for (const role of ['viewer', 'approver', 'admin']) {
    const changed = await cli.run(['members', 'role', 'ann@example.com', '--role', role]);
    expect(changed.out).toContain(`role ${role}`);
  }
  expect(await cli.run(['members', 'role', 'ann@example.com', '--role', 'owner'])).toMatchObject({ code: 4, out: '' });
  const approver = ['members', 'invite', 'bob@example.com', '--role', 'approver', '--json'];
  expect(JSON.parse((await cli.run(approver)).out)).toMatchObject({ role: 'approver', state: 'invited' });
  expect((await cli.run(['members', 'password', 'ann@example.com'])).out).toMatch(/^http.*\/links#/);
  expect((await cli.run(['members', 'remove', 'ANN@example.com'])).out).toContain('Removed ann@example.com.');
  expect(await cli.run(['members', 'remove', 'ann@example.com'])).toMatchObject({ code: 1, out: '' });
});

test('settings and the budget of tests are shown and changed', async () => {
  const set = await cli.run(['settings', 'set', '--grace-days', '9', '--auto-runs', 'no', '--json']);
  expect(JSON.parse(set.out)).toMatchObject({ graceDays: 9, autoRuns: false });
  expect((await cli.run(['settings'])).out).toMatch(/issue is resolved +9/);
  expect(await cli.run(['settings', 'set'])).toMatchObject({ code: 4, err: expect.stringContaining('Name a setting') });
  expect((await cli.run(['budget', 'set', '12.50'])).code).toBe(0);
  expect((await cli.run(['budget'])).out).toContain('12.50 USD a month');
  await cli.run(['budget', 'set', 'unlimited']);
  expect(JSON.parse((await cli.run(['budget', '--json'])).out).testBudgetUsd).toBeNull();
});

test('webhooks are added, found by number and address, switched off and removed', async () => {
  const url = 'https://93.184.215.14/earshot';
  const added = await cli.run(['webhooks', 'add', url, '--on', 'run.completed', 'issue.opened']);
  expect(added.out).toMatch(/^whsec_/);
  expect((await cli.run(['webhooks'])).out).toMatch(/1 +https:\/\/93\.184\.215\.14\/earshot +all +0 +works/);
  expect((await cli.run(['webhooks', 'deliveries', '1'])).out).toBe('Nothing was sent yet.\n');
  expect((await cli.run(['webhooks', 'off', url])).out).toContain('switched off');
  expect((await cli.run(['webhooks', 'remove', '1'])).out).toContain('is deleted');
  expect(await cli.run(['webhooks', 'remove', '1'])).toMatchObject({ code: 1, out: '' });
});
