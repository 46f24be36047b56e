import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '../../src/db/db.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
let agentId: string;
let admin: string;

beforeAll(async () => {
  world = await createWorld();
  admin = await world.token();
});
afterAll(() => world.close());
beforeEach(async () => {
  agentId = await world.makeAgent();
});

const path = () => `/app/agents/${agentId}/views`;
const save = (body: Record<string, unknown>, as = admin) => world.ask('POST', path(), { as, body });
const forget = (query: string, as = admin) => world.ask('DELETE', `${path()}?${query}`, { as });
const names = async (as = admin) =>
  (await world.ask('GET', path(), { as })).body.data.map(({ name }: { name: string }) => name);

const lost = { page: 'calls', name: 'Lost on 7', query: 'outcome=abandoned&version=7' };

test('a view is kept under its name, stands for another query once it is saved again, and is forgotten', async () => {
  expect((await save(lost)).body.data).toMatchObject([{ object: 'saved_view', ...lost }]);
  await save({ page: 'issues', name: 'Regressed', query: 'status=regressed' });
  const again = await save({ ...lost, query: 'outcome=abandoned' });
  expect(again.body.data).toMatchObject([{ name: 'Lost on 7', query: 'outcome=abandoned' }, { name: 'Regressed' }]);
  const left = await forget('page=calls&name=Lost+on+7');
  expect(left.body.data).toMatchObject([{ page: 'issues', name: 'Regressed' }]);
  expect((await forget('page=calls&name=Lost+on+7')).status).toBe(200);
});

test('each person has their own, and they go with the membership', async () => {
  const member = await world.makeMember('member');
  const theirs = await world.token(member);
  await save(lost);
  await save({ ...lost, name: 'Of the member' }, theirs);
  expect([await names(), await names(theirs)]).toEqual([['Lost on 7'], ['Of the member']]);
  await world.ask('DELETE', `/app/members/${member.personId}`, { as: admin });
  const kept = await db(world.database.em()).selectFrom('saved_views').select('name').execute();
  expect(kept.filter(({ name }) => name === 'Of the member')).toEqual([]);
  expect(await names()).toEqual(['Lost on 7']);
});

test('a page without filters, a hidden character and a missing name are refused', async () => {
  expectFailure(await save({ ...lost, page: 'settings' }), 400, 'invalid_parameter', 'page');
  expectFailure(await save({ ...lost, name: 'Lost\u202e' }), 400, 'invalid_parameter', 'name');
  expectFailure(await forget('page=calls'), 400, 'invalid_parameter', 'name');
});

test('a hundred are kept, and no more; one of them may still change', async () => {
  for (let at = 0; at < 100; at += 1) await save({ ...lost, name: `View ${at}` });
  expectFailure(await save({ ...lost, name: 'One more' }), 400, 'invalid_parameter', 'name');
  expect((await save({ ...lost, name: 'View 7', query: 'version=8' })).status).toBe(200);
});
