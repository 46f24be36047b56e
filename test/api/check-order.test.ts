import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
let foreign: { workspaceId: string; personId: string };
let foreignAgentId: string;
let demoAgentId: string;

beforeAll(async () => {
  world = await createWorld();
  foreign = await world.makeWorkspace();
  foreignAgentId = await world.makeAgent({ workspaceId: foreign.workspaceId });
  demoAgentId = await world.makeAgent({ readOnly: true });
});
afterAll(() => world.close());

describe('who may ask', () => {
  test.each([
    ['no header', undefined, 'missing_authorization'],
    ['an empty bearer', 'Bearer ', 'missing_authorization'],
    ['another scheme', 'Basic dXNlcjpwYXNz', 'missing_authorization'],
    ['a scheme alone', 'Bearer', 'missing_authorization'],
    ['a key that nobody has', 'Bearer svc_abcdefghijklmnopqrstuvwxyz012345', 'invalid_api_key'],
    ['a key that is too short', 'Bearer svc_a', 'invalid_api_key'],
    ['a key prefix alone', 'Bearer svc_', 'invalid_api_key'],
    ['anything else', 'Bearer abc', 'invalid_token'],
    ['two words', 'Bearer a b', 'invalid_token'],
  ])('%s is refused with 401 and its own code', async (_name, authorization, code) => {
    const answer = await world.ask('GET', '/v1/me', { headers: authorization ? { authorization } : {} });
    expectFailure(answer, 401, code);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm=/);
  });

  test('the scheme word counts in any case', async () => {
    const answer = await world.ask('GET', '/v1/me', { headers: { authorization: `bEARER   ${world.readKey}` } });
    expect(answer.status).toBe(200);
  });

  test('a key in the query or in a cookie is ignored', async () => {
    const answer = await world.ask('GET', `/v1/me?key=${world.readKey}`, {
      headers: { cookie: `key=${world.readKey}` },
    });
    expectFailure(answer, 401, 'missing_authorization');
  });

  test('unknown routes and the description ask for a key like every other', async () => {
    expectFailure(await world.ask('GET', '/v1/nothing'), 401, 'missing_authorization');
    expectFailure(await world.ask('GET', '/v1/openapi.json'), 401, 'missing_authorization');
    expectFailure(await world.ask('GET', '/v1'), 401, 'missing_authorization');
    const unasked = await world.ask('QUERY', '/v1/me');
    expectFailure(unasked, 401, 'missing_authorization');
    const asked = await world.ask('QUERY', '/v1/me', { as: world.readKey });
    expectFailure(asked, 404, 'route_not_found');
    for (const { headers } of [unasked, asked]) expect(headers['ratelimit-limit']).toMatch(/^\d+$/);
    expectFailure(await world.ask('GET', '/app/nothing'), 401, 'missing_authorization');
    expectFailure(await world.ask('GET', '/v1/agents/%zz'), 401, 'missing_authorization');
    expectFailure(await world.ask('GET', '/nothing'), 404, 'route_not_found');
    for (const accept of ['text/html,application/xhtml+xml', 'application/json;q=0.9, TEXT/HTML']) {
      const page = await world.ask('GET', '/nothing', { headers: { accept } });
      // 503 where the app was not built.
      expect([404, 503]).toContain(page.status);
      expect(page.headers['content-type']).toMatch(/^text\/(html|plain)/);
      expectFailure(await world.ask('POST', '/nothing', { headers: { accept } }), 404, 'route_not_found');
      expectFailure(await world.ask('GET', '/v1/nothing', { headers: { accept } }), 401, 'missing_authorization');
    }
  });

  test('a revoked key is refused on the next request', async () => {
    const token = await world.token();
    const made = await world.ask('POST', '/app/keys', { as: token, body: { name: 'x', access: 'read' } });
    expect((await world.get('/v1/me', made.body.key)).status).toBe(200);
    expect((await world.ask('DELETE', `/app/keys/${made.body.id}`, { as: token })).status).toBe(200);
    expectFailure(await world.get('/v1/me', made.body.key), 401, 'invalid_api_key');
  });
});

describe('the order of checks', () => {
  const absent = newId();
  test('a route that does not exist, or not with this method, is 404 after 401', async () => {
    expectFailure(await world.get('/v1/nothing'), 404, 'route_not_found');
    for (const url of ['/v1/agents/', '/v1/agents//issues']) {
      expectFailure(await world.get(url), 404, 'route_not_found');
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      expectFailure(await world.ask(method, '/v1/me', { as: world.readKey }), 404, 'route_not_found');
    }
  });

  test('HEAD answers like GET, without a body', async () => {
    const answer = await world.ask('HEAD', '/v1/me', { as: world.readKey });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await world.ask('HEAD', '/v1/me')).status).toBe(401);
  });

  test('a malformed agent id is 400 and names agentId', async () => {
    expectFailure(await world.get('/v1/agents/nonsense'), 400, 'invalid_parameter', 'agentId');
    expectFailure(await world.get(`/v1/agents/${'9'.repeat(2000)}`), 400, 'invalid_parameter', 'agentId');
    expectFailure(await world.get('/v1/agents/%zz'), 400, 'invalid_parameter');
  });

  test('an agent of another workspace is answered like one that does not exist', async () => {
    const absentAnswer = await world.get(`/v1/agents/${absent}`);
    const foreignAnswer = await world.get(`/v1/agents/${foreignAgentId}`);
    expectFailure(absentAnswer, 404, 'agent_not_found');
    expectFailure(foreignAnswer, 404, 'agent_not_found');
    expect(foreignAnswer.body.error.message).toBe(absentAnswer.body.error.message);
    expect(Object.keys(foreignAnswer.headers)).toEqual(Object.keys(absentAnswer.headers));
  });

  test('a key tied to one agent reaches only that one', async () => {
    const other = await world.makeAgent();
    const key = await world.makeKey({ agentId: other });
    expect((await world.get(`/v1/agents/${other}`, key)).status).toBe(200);
    expectFailure(await world.get(`/v1/agents/${world.agentId}`, key), 404, 'agent_not_found');
    expectFailure(await world.get(`/v1/agents/${demoAgentId}`, key), 404, 'agent_not_found');
    const list = await world.get('/v1/agents', key);
    expect(list.body.data.map((agent: { id: string }) => agent.id)).toEqual([other]);
  });

  test('the shared demo agent is read by every workspace and changed by none', async () => {
    expect((await world.get(`/v1/agents/${demoAgentId}`)).body.readOnly).toBe(true);
    const token = await world.token();
    const answer = await world.ask('PATCH', `/app/agents/${demoAgentId}`, { as: token, payload: 'not even JSON' });
    expectFailure(answer, 403, 'demo_read_only');
    const owner = await world.token(foreign);
    expectFailure(await world.ask('PATCH', `/app/agents/${demoAgentId}`, { as: owner }), 403, 'demo_read_only');
  });

  test('people_only comes before demo_read_only, and both after the agent', async () => {
    for (const key of [world.readKey, world.writeKey]) {
      expectFailure(await world.ask('PATCH', `/app/agents/${absent}`, { as: key }), 404, 'agent_not_found');
      expectFailure(await world.ask('PATCH', `/app/agents/${demoAgentId}`, { as: key }), 403, 'people_only');
      expectFailure(await world.ask('GET', '/app/keys', { as: key }), 403, 'people_only');
    }
  });

  test('a malformed child id is 400, an absent child 404, both before the query', async () => {
    const calls = `/v1/agents/${world.agentId}/calls`;
    expectFailure(await world.get(`${calls}/x?nonsense=1`), 400, 'invalid_parameter', 'callId');
    expectFailure(await world.get(`${calls}/${absent}?nonsense=1`), 404, 'call_not_found');
    expectFailure(await world.get(`/v1/agents/${world.agentId}/issues/${absent}?limit=0`), 404, 'issue_not_found');
    expectFailure(await world.get(`${calls}/${absent}/signals?x=1`), 404, 'call_not_found');
  });

  test('ids count in either case', async () => {
    expect((await world.get(`/v1/agents/${world.agentId.toUpperCase()}`)).body.id).toBe(world.agentId);
  });
});

test('the page that a refusal by the plan names is there', async () => {
  const answer = await world.ask('GET', '/billing');
  expect([answer.status, answer.headers['location']]).toEqual([302, '/settings/plan']);
});
