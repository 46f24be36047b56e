import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { frontDesk, makeDraft } from '../support/drafts.ts';
import { makeIssue } from '../support/issues.ts';
import { captureVersion, endRun, makeRun, makeTests } from '../support/runs.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

let world: World;
let token: string;
let owner: { workspaceId: string; agentId: string };
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  token = await world.token();
  owner = { workspaceId: world.workspaceId, agentId: await world.makeAgent({ provider: 'retell' }) };
  await captureVersion(world.database, owner, 1, frontDesk());
});

const app = (rest = '') => `/app/agents/${owner.agentId}/drafts${rest}`;
const v1 = (rest = '') => `/v1/agents/${owner.agentId}/drafts${rest}`;
const begin = async (body: object = {}): Promise<Loose> => {
  const { status, body: made } = await world.ask('POST', app(), { as: token, body });
  expect(status).toBe(200);
  return made;
};
const change = (id: string, body: unknown) => world.ask('PATCH', v1(`/${id}`), { as: token, body });
const read = async (id: string, as = token): Promise<Loose> => (await world.get(v1(`/${id}`), as)).body;
const setResults = (runId: string, result: string) =>
  sql`update run_cells set result = ${result}, k = 1, n = 1 where run_id = ${runId}`.execute(
    world.database.em().getKysely(),
  );
const setStatus = (id: string, status: string) =>
  sql`update drafts set status = ${status} where id = ${id}`.execute(world.database.em().getKysely());

const SHORTER = { path: '/prompt', find: 'You are the front desk.', replace: 'You are the desk.' };

describe('a draft that begins', () => {
  test('from scratch lies over the live version and changes nothing yet', async () => {
    const made = await begin({ title: 'Kinder' });
    expect(made).toMatchObject({
      object: 'draft',
      title: 'Kinder',
      rationale: '',
      status: 'draft',
      baseVersion: 1,
      revision: 1,
      stale: false,
      canPublish: false,
      publishBlockedReason: 'It changes nothing yet.',
      changes: [],
      diff: [],
      target: null,
      createdBy: world.personId,
    });
    expect(await read(made.id, world.readKey)).toMatchObject({ id: made.id, draftHash: made.draftHash });
  });

  test('from an issue has its target open, its recommendation as rationale, and the tests that touch it', async () => {
    const [touching, other] = [
      await makeTests(world.database, owner, 1, {
        fixtures: [{ tool: 'find_times', match: null, respond: {}, times: null }],
      }),
      await makeTests(world.database, owner, 1, { fixtures: [], criteria: [] }),
    ];
    const { id } = await makeIssue(world, owner.agentId);
    await sql`update issues set target_id = 'find_times', place_id = 'find_times' where id = ${id}`.execute(
      world.database.em().getKysely(),
    );
    const made = await begin({ issueId: id });
    expect(made).toMatchObject({
      title: 'Fix: A title',
      rationale: 'Change it.',
      target: { path: '/tools/tool_1/description', label: 'find_times' },
      evidence: { issue: { id, title: 'A title' }, comparison: null },
      newCaseIds: touching,
    });
    expect(made.newCaseIds).not.toContain(other[0]);
  });

  test('with changes has them laid', async () => {
    const made = await begin({ changes: [SHORTER, { path: '/firstMessage', text: 'Hi.' }] });
    expect(made.diff).toMatchObject([{ path: '/prompt' }, { path: '/firstMessage', after: 'Hi.' }]);
    expect(made.changes).toEqual([
      { ...SHORTER, text: null },
      { path: '/firstMessage', text: 'Hi.', find: null, replace: null },
    ]);
  });

  test.each([
    ['an issue that is not there', { issueId: newId() }, 404, 'issue_not_found', 'issueId'],
    ['a comparison that is not there', { comparisonId: newId() }, 404, 'comparison_not_found', 'comparisonId'],
    ['both', { issueId: newId(), comparisonId: newId() }, 400, 'invalid_parameter', 'comparisonId'],
    ['a test that is not there', { newCaseIds: [newId()] }, 404, 'test_not_found', 'newCaseIds[0]'],
    [
      'a path that is not there',
      { changes: [{ path: '/none', text: '' }] },
      400,
      'invalid_parameter',
      'changes[0].path',
    ],
    ['a field that there is not', { target: 'x' }, 400, 'invalid_parameter', 'target'],
  ] as const)('from %s is refused', async (_, body, status, code, param) => {
    expectFailure(await world.ask('POST', app(), { as: token, body }), status, code, param);
  });

  test('over a version that was never captured is refused', async () => {
    const agentId = await world.makeAgent();
    const answer = await world.ask('POST', `/app/agents/${agentId}/drafts`, { as: token, body: {} });
    expectFailure(answer, 409, 'draft_base_missing');
    expect((await world.get(`/v1/agents/${agentId}/text`)).body).toMatchObject({ version: null, parts: [] });
  });
});

describe('a change', () => {
  test('of the text bumps the revision and the hash; of the words around it neither', async () => {
    const made = await begin();
    const { body: changed } = await change(made.id, { changes: [SHORTER] });
    expect(changed).toMatchObject({ revision: 2, diff: [{ path: '/prompt' }] });
    expect(changed.draftHash).not.toBe(made.draftHash);
    const { body: renamed } = await change(made.id, { title: 'Short', rationale: 'Why not.' });
    expect(renamed).toMatchObject({ title: 'Short', rationale: 'Why not.', revision: 2, draftHash: changed.draftHash });
  });

  test('without effect bumps nothing', async () => {
    const { id } = await begin();
    const back = { path: '/prompt', find: 'You are the desk.', replace: 'You are the front desk.' };
    expect((await change(id, { changes: [SHORTER, back] })).body).toMatchObject({ revision: 1, changes: [], diff: [] });
  });

  test('is laid over the text as it stands', async () => {
    const { id } = await begin({ changes: [SHORTER] });
    const { body } = await change(id, { changes: [{ path: '/prompt', find: 'the desk', replace: 'the night desk' }] });
    expect(body.diff[0].after).toContain('You are the night desk.');
    expectFailure(await change(id, { changes: [SHORTER] }), 400, 'invalid_parameter', 'changes[0].find');
  });

  test('with a whole text takes the place of the changes of it so far', async () => {
    const { id } = await begin({ changes: [SHORTER, { path: '/firstMessage', text: 'Hi.' }] });
    const { body } = await change(id, { changes: [{ path: '/prompt', text: 'You are the desk. Be brief.' }] });
    expect(body.changes.map(({ path, find, text }: Loose) => [path, find, text])).toEqual([
      ['/firstMessage', null, 'Hi.'],
      ['/prompt', null, 'You are the desk. Be brief.'],
    ]);
  });

  test('beyond 500 that are kept is refused, but for a whole text', async () => {
    const one = { path: '/prompt', find: 'brief', replace: 'short' };
    const id = await makeDraft(world, owner, { changes: Array.from({ length: 500 }, () => one) });
    expectFailure(await change(id, { changes: [one] }), 400, 'invalid_parameter', 'changes');
    const { body } = await change(id, { changes: [{ path: '/prompt', text: 'Be short.' }] });
    expect(body.changes).toHaveLength(1);
  });

  test('of two people at once is made by one of them', async () => {
    const { id } = await begin();
    const answers = await Promise.all(
      ['A.', 'B.'].map((text) => change(id, { revision: 1, changes: [{ path: '/firstMessage', text }] })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.error).toMatchObject({ code: 'revision_conflict', param: 'revision' });
    expect((await read(id)).revision).toBe(2);
  });

  test.each([
    ['nothing', {}, 'invalid_body', null],
    ['only the revision', { revision: 1 }, 'invalid_body', null],
    ['no object', [], 'invalid_body', null],
    ['an empty title', { title: '' }, 'invalid_parameter', 'title'],
    ['hidden characters', { title: 'a\u202eb' }, 'invalid_parameter', 'title'],
    ['changes that are no list', { changes: {} }, 'invalid_parameter', 'changes'],
    ['a change without a path', { changes: [{ text: 'x' }] }, 'invalid_parameter', 'changes[0].path'],
    ['a change without a text', { changes: [{ path: '/prompt' }] }, 'invalid_parameter', 'changes[0]'],
    ['a change with both', { changes: [{ ...SHORTER, text: 'x' }] }, 'invalid_parameter', 'changes[0]'],
    ['find alone', { changes: [{ path: '/prompt', find: 'a' }] }, 'invalid_parameter', 'changes[0]'],
    [
      'an empty find',
      { changes: [{ path: '/prompt', find: '', replace: 'a' }] },
      'invalid_parameter',
      'changes[0].find',
    ],
    [
      'a test twice',
      { newCaseIds: [newId(), newId()].map(() => '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e72') },
      'invalid_parameter',
      'newCaseIds[1]',
    ],
    ['an id that is none', { newCaseIds: ['x'] }, 'invalid_parameter', 'newCaseIds[0]'],
  ] as const)('with %s is refused', async (_, body, code, param) => {
    const { id } = await begin();
    expectFailure(await change(id, body), 400, code, param);
    expect((await read(id)).revision).toBe(1);
  });

  test('is for people', async () => {
    const { id } = await begin();
    for (const as of [world.readKey, world.writeKey]) {
      expectFailure(await world.ask('PATCH', v1(`/${id}`), { as, body: { title: 'x' } }), 403, 'people_only');
    }
  });

  test('of what is published, being published or discarded is refused', async () => {
    const { id } = await begin();
    for (const [status, code] of [
      ['published', 'draft_published'],
      ['publishing', 'draft_published'],
      ['discarded', 'draft_discarded'],
    ] as const) {
      await setStatus(id, status);
      expectFailure(await change(id, { title: 'x' }), 409, code);
      expectFailure(await world.ask('POST', app(`/${id}/discard`), { as: token }), 409, code);
    }
  });

  test('of a draft of another agent finds nothing', async () => {
    const other = { ...owner, agentId: await world.makeAgent() };
    const id = await makeDraft(world, other);
    expectFailure(await change(id, { title: 'x' }), 404, 'draft_not_found');
    expectFailure(await world.get(v1('/nonsense')), 400, 'invalid_parameter', 'draftId');
  });
});

describe('a draft whose agent has changed', () => {
  test('is stale until it is laid over the live version', async () => {
    const { id } = await begin({ changes: [SHORTER] });
    await captureVersion(world.database, owner, 2, frontDesk({ firstMessage: 'Good day.' }));
    expect(await read(id)).toMatchObject({ stale: true, publishBlockedReason: expect.stringMatching(/has changed/) });
    const { body } = await world.ask('POST', app(`/${id}/rebase`), { as: token });
    expect(body).toMatchObject({ stale: false, baseVersion: 2, revision: 2, diff: [{ path: '/prompt' }] });
  });

  test('in the same part has to be written by a person', async () => {
    const { id } = await begin({ changes: [SHORTER] });
    await captureVersion(world.database, owner, 2, frontDesk({ prompt: 'Another.' }));
    expectFailure(await world.ask('POST', app(`/${id}/rebase`), { as: token }), 409, 'draft_stale');
  });
});

describe('the gate', () => {
  const played = async (draft: Loose, testIds: string[]) => {
    const made = { draft: { id: draft.id, revision: draft.revision } };
    return makeRun(world.database, owner, testIds, made);
  };

  test('opens once the suite ran on exactly this text, and shuts with the next change', async () => {
    const testIds = await makeTests(world.database, owner, 2);
    const draft = await begin({ changes: [SHORTER] });
    expect(draft.suiteGate).toMatchObject({ mode: 'ran', ok: false, reason: 'no_suite_run', batchId: null });
    const runId = await played(draft, testIds);
    expect(await read(draft.id)).toMatchObject({
      status: 'testing',
      suiteGate: { reason: 'suite_running', batchId: runId },
    });
    await setResults(runId, 'passed');
    await endRun(world.database, owner, runId);
    expect(await read(draft.id)).toMatchObject({
      status: 'draft',
      canPublish: true,
      publishBlockedReason: null,
      suiteGate: { ok: true, reason: null, batchId: runId },
      runs: [{ id: runId, status: 'complete', passed: 2, cells: 2 }],
      evidence: { tests: [{ result: 'passed' }, { result: 'passed' }] },
    });
    const { body } = await change(draft.id, { changes: [{ path: '/firstMessage', text: 'Hi.' }] });
    expect(body).toMatchObject({ canPublish: false, suiteGate: { ok: false, reason: 'no_suite_run' }, runs: [] });
  });

  test('asks more for a key than for a person: all have to have passed', async () => {
    const testIds = await makeTests(world.database, owner, 1);
    const draft = await begin({ changes: [SHORTER] });
    const runId = await played(draft, testIds);
    await setResults(runId, 'failed');
    await endRun(world.database, owner, runId);
    expect((await read(draft.id)).suiteGate).toMatchObject({ mode: 'ran', ok: true });
    expect((await read(draft.id, world.readKey)).suiteGate).toMatchObject({ mode: 'passed', reason: 'suite_failed' });
  });

  test('opens for one draft of an agent at a time', async () => {
    const testIds = await makeTests(world.database, owner, 1);
    const publish = async (text: string) => {
      const { id, revision, draftHash } = await begin({ changes: [{ path: '/firstMessage', text }] });
      const runId = await played({ id, revision }, testIds);
      await setResults(runId, 'passed');
      await endRun(world.database, owner, runId);
      return () => world.ask('POST', app(`/${id}/publish`), { as: token, body: { draftHash, revision } });
    };
    const publishes = [await publish('A.'), await publish('B.')];
    const answers = await Promise.all(publishes.map((ask) => ask()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error).toMatchObject({ code: 'draft_blocked' });
  });

  test('asks for the new cases too', async () => {
    const [gating = '', fresh = ''] = await makeTests(world.database, owner, 2);
    await sql`update tests set gates = true where id = ${gating}`.execute(world.database.em().getKysely());
    const draft = await begin({ changes: [SHORTER], newCaseIds: [fresh] });
    const runId = await played(draft, [gating]);
    await setResults(runId, 'passed');
    await endRun(world.database, owner, runId);
    expect((await read(draft.id)).suiteGate).toMatchObject({ reason: 'suite_incomplete' });
  });
});

test('drafts are listed newest first, by status too', async () => {
  const [first, second] = [await begin({ title: 'One' }), await begin({ title: 'Two' })];
  await world.ask('POST', app(`/${first.id}/discard`), { as: token });
  const titles = async (query = '') =>
    (await world.get(`${v1()}${query}`)).body.data.map(({ title }: Loose) => title) as string[];
  expect(await titles()).toEqual(['Two', 'One']);
  expect(await titles('?status=discarded')).toEqual(['One']);
  expect(await titles('?status=draft')).toEqual(['Two']);
  expect(await titles('?status=testing')).toEqual([]);
  const page = await world.get(`${v1()}?limit=1`);
  expect(page.body.data[0].id).toBe(second.id);
  expect(await titles(`?limit=1&cursor=${encodeURIComponent(page.body.nextCursor)}`)).toEqual(['One']);
});

test('the text of the live version names the parts that a draft can change', async () => {
  const { body } = await world.get(`/v1/agents/${owner.agentId}/text`);
  expect(body).toMatchObject({
    object: 'agent_text',
    version: 1,
    parts: [{ path: '/prompt', kind: 'prompt' }, {}, {}, {}, {}, {}],
  });
});

describe('a run of a draft', () => {
  const start = (body: object, as = token) => world.ask('POST', `/v1/agents/${owner.agentId}/runs`, { as, body });

  test('plays the text in force, by the hash of it', async () => {
    owner = { ...owner, agentId: await world.makeAgent({ provider: 'demo' }) };
    await captureVersion(world.database, owner, 1, frontDesk());
    const testIds = await makeTests(world.database, owner, 1);
    const { id, draftHash } = await begin({ changes: [SHORTER] });
    const { status, body } = await start({ testIds, draftId: id });
    expect({ status, version: body.version }).toEqual({ status: 201, version: 1 });
    expect(await read(id)).toMatchObject({ status: 'testing', runs: [{ id: body.id, status: 'queued' }] });
    const { rows } = await sql<Loose>`select config_hash, draft_revision from runs where id = ${body.id}`.execute(
      world.database.em().getKysely(),
    );
    expect(rows).toEqual([{ config_hash: draftHash, draft_revision: 1 }]);
  });

  test('is refused where it can not be played, and with its reason', async () => {
    const testIds = await makeTests(world.database, owner, 1);
    const { id } = await begin({ changes: [SHORTER] });
    const draftId = newId();
    expectFailure(await start({ testIds, draftId }), 404, 'draft_not_found', 'draftId');
    expectFailure(await start({ testIds, draftId: id, version: 1 }), 400, 'invalid_parameter', 'draftId');
    await sql`update agent_versions set config_hash = 'captured anew' where agent_id = ${owner.agentId}`.execute(
      world.database.em().getKysely(),
    );
    expectFailure(await start({ testIds, draftId: id }), 402, 'testing_not_configured', 'draftId');
    await setStatus(id, 'discarded');
    expectFailure(await start({ testIds, draftId: id }), 409, 'draft_discarded');
  });
});
