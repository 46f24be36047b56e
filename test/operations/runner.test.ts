import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AuditLog } from '../../src/operations/admission.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
let noted: string[] = [];
let failing = false;

const audit: AuditLog = {
  async wrote(em, admission, _body, status) {
    noted.push(`${admission.operation.id} ${status}`);
    await sql`update workspaces set name = 'noted' where id = ${world.workspaceId}`.execute(em.getKysely());
    if (failing) throw new Error('the note could not be written');
  },
  async refused(admission, failure) {
    noted.push(`${admission.operation.id} ${failure.code}`);
  },
};

beforeAll(async () => {
  world = await createWorld({ audit });
});
beforeEach(() => {
  noted = [];
  failing = false;
});
afterAll(() => world.close());

test('what is noted about a write commits with it, or neither does', async () => {
  const token = await world.token();
  const rename = (name: string) => world.ask('PATCH', `/app/agents/${world.agentId}`, { as: token, body: { name } });
  expect((await rename('first')).status).toBe(200);
  failing = true;
  expectFailure(await rename('second'), 500, 'internal_error');
  expect(noted).toEqual(['updateAgent 200', 'updateAgent 200']);
  expect((await world.get(`/v1/agents/${world.agentId}`)).body.name).toBe('first');
});

test('a refusal is noted once the agent is known, with what it was refused for, and only once', async () => {
  const token = await world.token();
  const path = `/app/agents/${world.agentId}`;
  await world.ask('PATCH', path, { as: token, body: { graceDays: 0 } });
  await world.ask('PATCH', path, { as: world.readKey });
  await world.ask('POST', `${path}/imports/00000000-0000-0000-0000-000000000000/retry`, { as: token });
  expect(noted).toEqual(['updateAgent invalid_parameter', 'updateAgent people_only', 'retryImport import_not_found']);
  noted = [];
  await world.ask('PATCH', path);
  await world.ask('PATCH', '/app/agents/00000000-0000-0000-0000-000000000000', { as: token });
  expect(noted).toEqual([]);
});

test('an answer that breaks the contract never leaves, and says nothing of why', async () => {
  await sql`update agents set created_at = '20000-01-01' where id = ${world.agentId}`.execute(
    world.database.em().getKysely(),
  );
  const answer = await world.get(`/v1/agents/${world.agentId}`);
  expectFailure(answer, 500, 'internal_error');
  expect(answer.body.error.message).toContain(answer.headers['request-id']);
  expect(answer.text).not.toMatch(/zod|createdAt|20000/);
});
