import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { advanceErasure, moveErasure } from '../../src/db/erasures/erasures.ts';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { untilTrue } from '../support/pipeline.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

let world: World;
let cli: CommandLine;
beforeAll(async () => {
  world = await createWorld();
  cli = await commandLineFor(world);
});
afterAll(() => world.close());

const erasures = async (): Promise<Loose[]> =>
  (await sql<Loose>`select id, scope, status from erasures order by id`.execute(world.database.em().getKysely())).rows;

/** What a worker would do with the next erasure that is asked for. */
async function endNext(status: 'complete' | 'failed'): Promise<void> {
  await untilTrue(async () => (await erasures()).some((row) => row.status === 'queued'));
  const { id } = (await erasures()).find((row) => row.status === 'queued');
  const em = world.database.within(world.workspaceId);
  await advanceErasure(em, id, 3, { calls: 3, transcripts: 12 });
  await moveErasure(em, id, ['queued'], status, status === 'failed' ? 'No worker.' : null);
}

test('nothing is erased unless somebody says yes', async () => {
  const agentId = await world.makeAgent();
  const asked = await cli.run(['erase', 'caller', '+15550100199', '--agent', agentId, '--reason', 'Asked for.']);
  expect(asked).toMatchObject({ code: 4, out: '', err: 'Confirm with --yes.\n' });
  expect((await cli.run(['erase', 'agent', agentId])).code).toBe(4);
  expect(await erasures()).toEqual([]);
});

test('a caller and an agent are erased, and the report is shown', async () => {
  const agentId = await world.makeAgent();
  const caller = ['erase', 'caller', '+15550100199', '--agent', agentId, '--reason', 'Asked for.', '--yes'];
  const [erased] = await Promise.all([cli.run(caller), endNext('complete')]);
  expect(erased).toMatchObject({ code: 0, err: expect.stringContaining('Waits for a worker') });
  expect(erased.out).toMatch(/^Erased: 3 calls .*\n +3 {2}calls\n +12 {2}transcripts\n$/);
  const [deleted] = await Promise.all([cli.run(['erase', 'agent', agentId, '--yes', '--json']), endNext('complete')]);
  expect(JSON.parse(deleted.out)).toMatchObject({ scope: 'agent', agentId, removed: { calls: 3 } });
  const other = await world.makeAgent();
  const [failed] = await Promise.all([cli.run(['erase', 'agent', other, '--yes']), endNext('failed')]);
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('No worker.') });
});
