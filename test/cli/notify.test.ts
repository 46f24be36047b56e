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

test('channels are added, listed, tried and removed, by number, name or id', async () => {
  expect((await cli.run(['notify'])).out).toContain('Nobody is told of anything.');
  world.services.sendsMail = true;
  world.services.mailDomains = ['example.com'];
  const hours = ['--digest', 'weekly', '--day', 'friday', '--hour', '8', '--time-zone', 'Europe/Berlin'];
  const added = await cli.run(['notify', 'add', 'team@example.com', '--severity', 'high', ...hours, '--json']);
  expect(JSON.parse(added.out)).toMatchObject({
    kind: 'email',
    name: 'team@example.com',
    subscriptions: [
      { minSeverity: 'high', timeZone: 'Europe/Berlin', digest: { every: 'weekly', hour: 8, day: 'friday' } },
    ],
  });
  const me = ['--on', 'issue.assigned', 'issue.commented', '--quiet', '22:00-07:00'];
  expect((await cli.run(['notify', 'add', 'me', ...me])).out).toContain('You are told at ');
  const { out: list } = await cli.run(['notify', 'list']);
  expect(list).toMatch(
    /1 +team@example.com +email +team@example.com +all events \(weekly\) +Whoever reads this address has to agree/,
  );
  expect(list).toMatch(
    /me +You +email +\S+@\S+ +issue.assigned, issue.commented .* Whoever reads this address has to agree/,
  );

  world.services.sendsMail = false;
  for (const channel of ['1', 'team@example.com', 'me']) {
    const tried = await cli.run(['notify', 'test', channel]);
    expect(tried).toMatchObject({ code: 1, out: '', err: expect.stringContaining('EARSHOT_SMTP_URL') });
  }
  expect((await cli.run(['notify', 'remove', '1'])).out).toBe('Deleted team@example.com.\n');
  expect((await cli.run(['notify', 'remove', 'me'])).out).toContain('nothing any more');
  expect((await cli.run(['notify', 'remove', '1'])).code).toBe(1);
});

test.each([
  [['add']],
  [['add', 'nobody']],
  [['add', 'me', '--on', 'run.completed']],
  [['add', 'me', '--hour', '24']],
  [['add', 'me', '--quiet', '22-7']],
  [['add', 'me', '--digest', 'hourly']],
])('wrong use is said at once: %j', async (args) => {
  expect(await cli.run(['notify', ...args])).toMatchObject({ code: 4, out: '' });
});
