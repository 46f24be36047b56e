import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newId } from '../../src/ids.ts';
import { Failure } from '../../src/operations/failure.ts';
import { defineOperation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

/** How often the work was done, and what to do in it. */
let worked = 0;
let during: () => Promise<void> = async () => {};
const writeThing = defineOperation({
  surface: 'v1',
  id: 'writeThing',
  method: 'POST',
  path: '/v1/agents/{agentId}/things',
  scope: 'write',
  status: 201,
  tag: 'Tests',
  summary: 'x',
  description: 'x',
  body: z.strictObject({ name: z.string(), other: z.string().optional() }),
  response: z.strictObject({ id: z.guid(), name: z.string() }),
  async run({ em, agent }, { body }) {
    worked += 1;
    await sql`update agents set name = ${body.name} where id = ${agent.id}`.execute(em.getKysely());
    await during();
    return { id: newId(), name: body.name };
  },
});

let world: World;
beforeAll(async () => {
  world = await createWorld({ operations: [...OPERATIONS, writeThing] });
});
beforeEach(() => {
  worked = 0;
  during = async () => {};
});
afterAll(() => world.close());

const write = (key: string, body: unknown = { name: 'x' }, as = world.writeKey, agentId = world.agentId) =>
  world.ask('POST', `/v1/agents/${agentId}/things`, { as, body, headers: { 'idempotency-key': key } });
const run = (statement: ReturnType<typeof sql>) => statement.execute(world.database.em().getKysely());

describe('the same key again', () => {
  test('has the first answer, done once, whatever the order of its fields', async () => {
    const first = await write('a', { name: 'x', other: 'y' });
    const again = await write('a', { other: 'y', name: 'x' });
    expect([first.status, again.status, worked]).toEqual([201, 201, 1]);
    expect(again.body).toEqual(first.body);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect(again.headers['request-id']).not.toBe(first.headers['request-id']);
    const { rows } = await run(sql`select 1 from audit_entries where operation = 'writeThing'`);
    expect(rows).toHaveLength(1);
  });

  test('with another body, or for another agent, is a conflict', async () => {
    await write('b');
    expectFailure(await write('b', { name: 'z' }), 409, 'idempotency_conflict');
    expectFailure(
      await write('b', { name: 'x' }, world.writeKey, await world.makeAgent()),
      409,
      'idempotency_conflict',
    );
    expect(worked).toBe(1);
  });

  test('of another caller is another request, and so is one without a key', async () => {
    await write('c');
    await write('c', { name: 'x' }, await world.makeKey({ access: 'write' }));
    await write('c', { name: 'x' }, await world.token());
    await world.ask('POST', `/v1/agents/${world.agentId}/things`, { as: world.writeKey, body: { name: 'x' } });
    expect(worked).toBe(4);
  });

  test('answers 402 and 409 as the first time, with its own request id, and does not note it twice', async () => {
    during = async () => {
      throw new Failure('quota_exceeded', 'No calls left.', {
        quota: { metric: 'test_calls', limit: 1, used: 1, plan: 'starter', upgradePath: '/billing' },
      });
    };
    const first = await write('d');
    during = async () => {};
    const again = await write('d');
    expectFailure(again, 402, 'quota_exceeded');
    expect({ ...again.body.error, requestId: '' }).toEqual({ ...first.body.error, requestId: '' });
    expect(again.headers['idempotency-replayed']).toBe('true');
    const { rows } = await run(sql`select 1 from audit_entries where status = 402`);
    expect([worked, rows.length]).toEqual([1, 1]);
  });

  test('is tried anew after 400, 403 and 500', async () => {
    expect((await write('e', { name: 7 })).status).toBe(400);
    expect((await write('e', { name: 'x' }, world.readKey)).status).toBe(403);
    during = async () => {
      throw new Error('as told');
    };
    expect((await write('e')).status).toBe(500);
    during = async () => {};
    expect((await write('e')).status).toBe(201);
    expect(worked).toBe(2);
  });

  test('is a new request after 24 hours', async () => {
    await write('f');
    await run(sql`update idempotency_records set created_at = now() - interval '25 hours'`);
    const again = await write('f', { name: 'another' });
    expect([again.status, again.headers['idempotency-replayed'], worked]).toEqual([201, undefined, 2]);
  });
});

describe('twins', () => {
  test('at the same moment are done once, and both have the answer', async () => {
    during = () => new Promise((resolve) => setTimeout(resolve, 300));
    const answers = await Promise.all([write('g'), write('g'), write('g')]);
    expect(worked).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ headers }) => headers['idempotency-replayed']).toSorted()).toEqual([
      'true',
      'true',
      undefined,
    ]);
  });

  test('wait ten seconds, then are told that the first is still at work', async () => {
    let release = () => {};
    during = () => new Promise((resolve) => (release = resolve));
    const first = write('h');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const start = Date.now();
    expectFailure(await write('h', { name: 'other' }), 409, 'idempotency_conflict');
    expect(Date.now() - start).toBeLessThan(2_000);
    expectFailure(await write('h'), 409, 'idempotency_conflict');
    expect(Date.now() - start).toBeGreaterThan(9_500);
    release();
    expect((await first).status).toBe(201);
    expect([(await write('h')).status, worked]).toEqual([201, 1]);
  });

  test('of a process that died are done by the next; the dead one, should it come back, writes nothing', async () => {
    let release = () => {};
    during = () => new Promise((resolve) => (release = resolve));
    const dead = write('i', { name: 'dead' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await run(sql`update idempotency_records set claimed_at = now() - interval '61 seconds' where key = 'i'`);
    const { rows } = await run(sql`
      update idempotency_records set token = ${newId()}, status = 201, answer = '{"id":"taken"}' where key = 'i' returning 1
    `);
    expect(rows).toHaveLength(1);
    release();
    expectFailure(await dead, 409, 'idempotency_conflict');
    expect((await world.get(`/v1/agents/${world.agentId}`)).body.name).not.toBe('dead');
    expect((await write('i', { name: 'dead' })).body).toEqual({ id: 'taken' });
  });
});

describe('the header', () => {
  test.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'schlüssel'],
  ])('%s is refused', async (_name, key) => {
    expectFailure(await write(key), 400, 'invalid_parameter', 'Idempotency-Key');
  });

  test('of 255 characters is taken, and one on a read is ignored', async () => {
    expect((await write('x'.repeat(255))).status).toBe(201);
    const read = await world.ask('GET', '/v1/me', { as: world.readKey, headers: { 'idempotency-key': 'a b' } });
    expect(read.status).toBe(200);
  });
});

describe('answers with a secret', () => {
  test('are never stored: the same key again is a conflict that names what was made', async () => {
    const token = await world.token();
    const make = () =>
      world.ask('POST', '/app/keys', {
        as: token,
        body: { name: 'x', access: 'read' },
        headers: { 'idempotency-key': 'k' },
      });
    const first = await make();
    const again = await make();
    expectFailure(again, 409, 'idempotency_conflict');
    expect(again.body.error.message).toContain(first.body.id);
    const { rows } = await run(sql`select r::text as text from idempotency_records r`);
    expect(JSON.stringify(rows)).not.toContain(first.body.key);
  });

  test('are those of every POST whose answer has a field for one', () => {
    // The address for a platform's events opens nothing: what comes there is told by its signature.
    const withOpenAddress = ['createConnection'];
    for (const operation of OPERATIONS) {
      if (withOpenAddress.includes(operation.id)) continue;
      if (operation.method !== 'POST' || !operation.response) continue;
      const { $defs, ...own } = z.toJSONSchema(operation.response, { io: 'output' });
      // The key of an issue is its lasting name and opens nothing.
      const { Issue: _, IssueName: __, ReanalysisReport: ___, ...shared } = $defs ?? {};
      const fields = JSON.stringify([own, Object.values(shared)]);
      const hasSecret = /"(token|key|secret|link|url|password)":/i.test(fields);
      expect({ id: operation.id, showsSecret: operation.showsSecret }).toEqual({
        id: operation.id,
        showsSecret: hasSecret,
      });
    }
  });
});
