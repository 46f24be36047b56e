import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
let admin: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  admin = await world.token(await world.makeWorkspace());
});

const PATH = '/app/workspace/model';
const OWN = {
  protocol: 'openai',
  url: 'https://93.184.216.34/v1/',
  model: 'our-model',
  apiKey: 'secret-of-ours',
  price: { input: 1, output: 2 },
};
const set = (body: object, as = admin) => world.ask('PUT', PATH, { as, body });

test('a model of the workspace is set by its admins, and its key is never shown', async () => {
  expect((await world.get(PATH, admin)).body).toEqual({ object: 'workspace_model', own: null, operators: null });
  const { body } = await set(OWN);
  expect(body).toEqual({
    object: 'workspace_model',
    own: {
      protocol: 'openai',
      url: 'https://93.184.216.34/v1',
      model: 'our-model',
      hasKey: true,
      price: { input: 1, output: 2, cachedInput: 0.1, cacheWrite: 1 },
    },
    operators: null,
  });
  expect((await world.get(PATH, admin)).body).toEqual(body);
  const another = await world.token(await world.makeWorkspace());
  expect((await world.get(PATH, another)).body.own).toBeNull();
  const member = await world.token(await world.makeMember('member'));
  expectFailure(await set(OWN, member), 403, 'admin_only');
  expect((await world.ask('DELETE', PATH, { as: admin })).body.own).toBeNull();
});

test('the stored key stays with its address, and goes to no other', async () => {
  await set(OWN);
  const { apiKey: _, ...without } = OWN;
  expect((await set({ ...without, model: 'a-newer-one' })).body.own).toMatchObject({
    model: 'a-newer-one',
    hasKey: true,
  });
  expectFailure(await set({ ...without, url: 'https://93.184.216.35/v1' }), 400, 'invalid_parameter', 'apiKey');
  expect((await set({ ...OWN, apiKey: null })).body.own).toMatchObject({ hasKey: false });
});

test.each([
  ['this machine', { url: 'https://127.0.0.1:11434/v1' }],
  ['a private network', { url: 'http://10.0.0.8/v1' }],
  ['plain http', { url: 'http://93.184.216.34/v1' }],
  ['a password in the address', { url: 'https://me:pass@93.184.216.34/v1' }],
])('%s is refused as an address', async (_, over) => {
  expectFailure(await set({ ...OWN, ...over }), 400, 'invalid_parameter', 'url');
  expect((await world.get(PATH, admin)).body.own).toBeNull();
});
