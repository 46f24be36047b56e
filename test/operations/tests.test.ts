import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ANALYSER_DEFAULTS, createAnalyser } from '../../src/analyser/analyser.ts';
import { newId } from '../../src/ids.ts';
import { makeSignal, turn } from '../support/analysed-calls.ts';
import { minute, seedCalls, walk } from '../support/seed.ts';
import { makeSpec } from '../support/specs.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

/** The process of the analyser with calls built in that it does not survive. */
const POISON = new URL('../support/poison-process.ts', import.meta.url);

let world: World;
let agentId: string;
let base: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  agentId = await world.makeAgent({ provider: 'file' });
  base = `/v1/agents/${agentId}/tests`;
});

const create = (body: unknown, as = world.writeKey) => world.ask('POST', base, { as, body });
const written = async (over: object = {}): Promise<Loose> => {
  const { status, body } = await create({ title: 'Books a table', spec: makeSpec(), ...over });
  expect(status).toBe(201);
  return body;
};
const replace = (id: string, body: unknown, as = world.writeKey) =>
  world.ask('PUT', `${base}/${id}/spec`, { as, body });
const validate = async (spec: unknown, as = world.readKey): Promise<Loose> => {
  const { status, body } = await world.ask('POST', `${base}/validate`, { as, body: { spec } });
  expect(status).toBe(200);
  return body;
};
const query = <Row>(text: ReturnType<typeof sql<Row>>) => text.execute(world.database.em().getKysely());
const configure = (tools: string[], steps: { id: string; label: string }[] = []) =>
  query(sql`
    insert into agent_versions (id, workspace_id, agent_id, version, config_captured, configuration)
    values (${newId()}, ${world.workspaceId}, ${agentId}, 1, true, ${JSON.stringify({
      tools: tools.map((name) => ({ id: `id-${name}`, name, kind: 'other' })),
      nodes: steps,
    })}::jsonb)`);

describe('a test that is written', () => {
  test('is stored with its defaults, read back the same, and does not gate', async () => {
    const criteria = [{ text: 'Books.' }, { id: 'c1', text: 'Is polite.' }];
    const made = await written({ title: 'T', spec: { caller: { goal: 'A table.', opening: 'Hi.' }, criteria } });
    expect(made).toMatchObject({
      object: 'test',
      title: 'T',
      source: 'written',
      lane: null,
      expect: 'pass',
      guard: false,
      gates: false,
      gateReason: 'Not calibrated yet.',
      revision: 1,
      sourceCallId: null,
      generatedFrom: null,
      createdBy: expect.stringMatching(/^key:/),
      archivedAt: null,
      lastResult: null,
    });
    expect(made.spec).toEqual({
      caller: { goal: 'A table.', opening: 'Hi.', facts: {}, style: '', script: null },
      fixtures: [],
      criteria: [
        { id: 'c1_', text: 'Books.', required: true, check: null },
        { id: 'c1', text: 'Is polite.', required: true, check: null },
      ],
      maxTurns: 12,
      tier: 'text',
    });
    expect((await world.get(`${base}/${made.id}`)).body).toEqual(made);
  });

  test('takes facts as texts too, each with its name', async () => {
    const facts = ['name: Ada Brook', 'likes the window', 'name: Ada'];
    const spec = { ...makeSpec(), caller: { ...makeSpec().caller, facts } };
    expect((await written({ spec })).spec.caller.facts).toEqual({
      name: 'Ada Brook',
      'fact 2': 'likes the window',
      'fact 3': 'name: Ada',
    });
  });

  test('says who made it, and takes what is expected of it', async () => {
    const as = await world.token();
    const { body } = await create({ title: 'T', spec: makeSpec(), lane: 'flow', expect: 'fail', guard: true }, as);
    expect(body).toMatchObject({ createdBy: world.personId, lane: 'flow', expect: 'fail', guard: true });
  });

  test('is counted with the agent', async () => {
    await written();
    await written();
    expect((await world.get(`/v1/agents/${agentId}`)).body.counts.tests).toBe(2);
  });

  test('can hold every kind of check', async () => {
    const checks = [
      { kind: 'tool_called', tool: 'a', times: 2 },
      { kind: 'tool_not_called', tool: 'b' },
      { kind: 'tool_called_with', tool: 'a', args: { seats: 2, guest: { name: 'Ada' } } },
      { kind: 'said', text: 'Friday', by: 'caller' },
      { kind: 'not_said', text: 'I have booked it' },
      { kind: 'ended_by', by: 'transfer' },
      { kind: 'reached', step: 'greet' },
      { kind: 'order', steps: ['a', 'greet'] },
      { kind: 'turns_at_most', turns: 9 },
      { kind: 'no_finding', code: 'human_request_ignored' },
    ];
    const criteria = checks.map((check, at) => ({ id: `c${at}`, text: 'x', required: true, check }));
    expect((await written({ spec: makeSpec({ criteria: criteria as Loose }) })).spec.criteria).toEqual(criteria);
  });
});

describe('a bad body is refused with the field at fault:', () => {
  const spec = makeSpec();
  const criterion = spec.criteria[0];
  const bad: [string, object, string][] = [
    ['neither spec nor call', { title: 'T' }, 'spec'],
    ['both', { title: 'T', spec, sourceCallId: newId() }, 'sourceCallId'],
    ['two calls', { sourceCallId: newId(), callId: newId() }, 'callId'],
    ['no title', { spec }, 'title'],
    ['an unknown field before a missing one', { spec, titel: 'T' }, 'titel'],
    ['an empty title', { title: ' ', spec }, 'title'],
    [
      'an unknown field deep inside',
      { title: 'T', spec: { ...spec, caller: { ...spec.caller, mood: 'x' } } },
      'spec.caller.mood',
    ],
    ['no criteria', { title: 'T', spec: { ...spec, criteria: [] } }, 'spec.criteria'],
    [
      'an empty criterion',
      { title: 'T', spec: { ...spec, criteria: [{ id: 'a', text: '' }] } },
      'spec.criteria[0].text',
    ],
    [
      'an unknown check',
      { title: 'T', spec: { ...spec, criteria: [{ text: 'x', check: { kind: 'felt' } }] } },
      'spec.criteria[0].check.kind',
    ],
    [
      'a check without its field',
      { title: 'T', spec: { ...spec, criteria: [{ text: 'x', check: { kind: 'said' } }] } },
      'spec.criteria[0].check.text',
    ],
    ['too many turns', { title: 'T', spec: { ...spec, maxTurns: 51 } }, 'spec.maxTurns'],
    ['another tier', { title: 'T', spec: { ...spec, tier: 'voice' } }, 'spec.tier'],
    [
      'facts that are no texts',
      { title: 'T', spec: { ...spec, caller: { ...spec.caller, facts: { a: 1 } } } },
      'spec.caller.facts',
    ],
    [
      'a NUL in a fixture',
      { title: 'T', spec: { ...spec, fixtures: [{ tool: 'a', respond: { x: 'a\u0000' } }] } },
      'spec.fixtures[0].respond.x',
    ],
    [
      'hidden characters',
      { title: 'T', spec: { ...spec, caller: { ...spec.caller, opening: 'a\u202eb' } } },
      'spec.caller.opening',
    ],
    [
      'two criteria of one id',
      { title: 'T', spec: { ...spec, criteria: [criterion, criterion] } },
      'spec.criteria[1].id',
    ],
    [
      'nothing that is required',
      { title: 'T', spec: { ...spec, criteria: [{ text: 'x', required: false }] } },
      'spec.criteria',
    ],
    ['more lines than turns', { title: 'T', spec: { ...spec, maxTurns: 2 } }, 'spec.caller.script'],
  ];
  test.each(bad)('%s', async (_, body, param) => {
    expectFailure(await create(body), 400, 'invalid_parameter', param);
  });
});

describe('a test from a production call', () => {
  const turns = [turn(0, 'agent', 'Hello?'), turn(1, 'caller', 'I am Ada Brook, a table on Friday.')];

  test('has its caller, names it, and goes by its gravest problem', async () => {
    const signal = makeSignal({ code: 'claimed_without_tool', severity: 'critical' });
    const claims = [{ turn: 1, text: 'It is booked', kind: 'book', backedBy: null, verdict: 'unbacked' as const }];
    const requests = [{ turn: 1, text: 'A table on Friday.' }];
    const [callId] = await seedCalls(world, agentId, [
      {
        call: { providerCallId: 'a', turns },
        analysis: { outcome: 'unresolved', signals: [signal], claims, requests },
      },
    ]);
    const { status, body } = await create({ sourceCallId: callId });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: 'Success claimed without a tool: A table on Friday.',
      source: 'production',
      lane: 'integrations',
      sourceCallId: callId,
      spec: {
        caller: {
          goal: 'A table on Friday.',
          opening: expect.stringMatching(/^I am (?!Ada)[A-Z]\w+ (?!Brook)[A-Z]\w+, a table on Friday\.$/),
          script: [],
        },
      },
    });
    expect(body.spec.criteria[0]).toMatchObject({ required: true, check: { kind: 'not_said', text: 'It is booked' } });
    expect((await create({ callId, title: 'Own', lane: null })).body).toMatchObject({ title: 'Own', lane: null });
  });

  test('needs an analysed call of this agent whose words are there', async () => {
    const other = await world.makeAgent({ provider: 'file' });
    const [foreign] = await seedCalls(world, other, [{ call: { providerCallId: 'x' }, analysis: {} }]);
    const [waiting, silent, forgotten] = await seedCalls(world, agentId, [
      { call: { providerCallId: 'w' }, analysis: null },
      { call: { providerCallId: 's', turns: [turn(0, 'agent', 'Hello?')] }, analysis: {} },
      { call: { providerCallId: 'f' }, analysis: {} },
    ]);
    await query(sql`delete from transcripts where call_id = ${forgotten}`);
    for (const callId of [foreign, waiting, newId()]) {
      expectFailure(await create({ sourceCallId: callId }), 404, 'call_not_found', 'sourceCallId');
    }
    for (const callId of [silent, forgotten])
      expectFailure(await create({ callId }), 400, 'invalid_parameter', 'callId');
  });

  test('is read in a process of the analyser: one that it does not survive makes no test, and a sentence', async () => {
    const [poison] = await seedCalls(world, agentId, [{ call: { providerCallId: 'throws', turns }, analysis: {} }]);
    const usual = world.services.analyser;
    world.services.analyser = createAnalyser({ ...ANALYSER_DEFAULTS, processes: 1, entry: POISON });
    const answer = await create({ sourceCallId: poison });
    await world.services.analyser.close();
    world.services.analyser = usual;
    expectFailure(answer, 400, 'invalid_parameter', 'sourceCallId');
    expect(answer.body.error.message).toContain('No test can be made of this call. The analysis stopped with an error');
  });
});

describe('replacing a spec', () => {
  const changed = makeSpec({ maxTurns: 20 });

  test('makes the next revision, which has to be calibrated again', async () => {
    const { id } = await written();
    await query(sql`update tests set gates = true, gate_reason = 'Stable.' where id = ${id}`);
    const { status, body } = await replace(id, { revision: 1, spec: changed });
    expect(status).toBe(200);
    expect(body).toMatchObject({ revision: 2, spec: { maxTurns: 20 }, gates: false });
    expect(body.gateReason).toContain('revision 2');
  });

  test('by the same spec keeps what a calibration found', async () => {
    const { id, spec } = await written();
    await query(sql`update tests set gates = true, gate_reason = 'Stable.' where id = ${id}`);
    const { body } = await replace(id, { revision: 1, spec });
    expect(body).toMatchObject({ revision: 2, gates: true, gateReason: 'Stable.' });
  });

  test('of another revision changes nothing and names the one in force', async () => {
    const { id } = await written();
    await replace(id, { revision: 1, spec: changed });
    const late = await replace(id, { revision: 1, spec: makeSpec() });
    expectFailure(late, 409, 'revision_conflict', 'revision');
    expect(late.body.error.message).toContain('revision 2');
    expect((await world.get(`${base}/${id}`)).body).toMatchObject({ revision: 2, spec: { maxTurns: 20 } });
  });

  test('at the same moment is won by one', async () => {
    const { id } = await written();
    const specs = [13, 14, 15, 16, 17].map((maxTurns) => makeSpec({ maxTurns }));
    const answers = await Promise.all(specs.map((spec) => replace(id, { revision: 1, spec })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const { body } = await world.get(`/app/agents/${agentId}/tests/${id}/revisions`, await world.token());
    expect(body.data.map(({ revision }: Loose) => revision)).toEqual([2, 1]);
  });

  test('is refused to read keys, for a bad spec, and for a test of another agent', async () => {
    const { id } = await written();
    expectFailure(await replace(id, { revision: 1, spec: changed }, world.readKey), 403, 'key_read_only');
    const empty = { ...changed, criteria: [] };
    expectFailure(await replace(id, { revision: 1, spec: empty }), 400, 'invalid_parameter', 'spec.criteria');
    base = `/v1/agents/${await world.makeAgent()}/tests`;
    expectFailure(await replace(id, { revision: 1, spec: changed }), 404, 'test_not_found');
  });

  test('leaves every revision to be read', async () => {
    const { id } = await written();
    await replace(id, { revision: 1, spec: changed });
    const { body } = await world.get(`/app/agents/${agentId}/tests/${id}/revisions?limit=1`, await world.token());
    expect(body).toMatchObject({ hasMore: true, data: [{ revision: 2, spec: { maxTurns: 20 } }] });
    const url = `/app/agents/${agentId}/tests/${id}/revisions?limit=1&cursor=${body.nextCursor}`;
    expect((await world.get(url, await world.token())).body).toMatchObject({ hasMore: false, data: [{ revision: 1 }] });
  });
});

describe('validating', () => {
  test('a sound spec finds nothing, stores nothing and leaves no audit entry', async () => {
    expect(await validate(makeSpec(), world.writeKey)).toEqual({ object: 'validation', valid: true, problems: [] });
    expect((await world.get(base)).body.data).toEqual([]);
    expect((await world.get(`/v1/agents/${agentId}/audit`)).body.data).toEqual([]);
  });

  test('names every field whose shape is wrong, unknown ones first', async () => {
    const { valid, problems } = await validate({ criteria: [{ text: '' }], maxTurns: 0, colour: 'red' });
    expect(valid).toBe(false);
    expect(problems.map(({ param }: Loose) => param)).toEqual([
      'spec.colour',
      'spec.caller',
      'spec.criteria[0].text',
      'spec.maxTurns',
    ]);
  });

  test('names what the current version lacks, which may be stored all the same', async () => {
    await configure(['find_table'], [{ id: 'n1', label: 'Greet the caller' }]);
    const order = { kind: 'order', steps: ['find_table', 'greet the caller', 'pay'] };
    const criteria = [
      { id: 'a', text: 'x', required: true, check: { kind: 'tool_called', tool: 'book_table' } },
      { id: 'b', text: 'x', required: true, check: { kind: 'reached', step: 'Greet the caller' } },
      { id: 'c', text: 'x', required: true, check: { kind: 'reached', step: 'n2' } },
      { id: 'd', text: 'x', required: true, check: order },
    ];
    const spec = makeSpec({ criteria: criteria as Loose });
    const { valid, problems } = await validate(spec);
    expect(valid).toBe(false);
    expect(problems.map(({ param }: Loose) => param)).toEqual([
      'spec.fixtures[0].tool',
      'spec.criteria[0].check.tool',
      'spec.criteria[2].check.step',
      'spec.criteria[3].check.steps[2]',
    ]);
    expect(problems[0].message).toBe('Version 1 has no tool book_table. It has find_table.');
    await written({ spec });
  });

  test('says what has no effect, and the spec stays valid', async () => {
    const spec = makeSpec({ caller: { ...makeSpec().caller, style: 'Is in a hurry.' } });
    expect(await validate(spec)).toMatchObject({ valid: true, problems: [{ param: 'spec.caller.style' }] });
  });

  test('a body that is no spec at all is told so, and one without is refused', async () => {
    expect(await validate('a spec')).toMatchObject({ valid: false, problems: [{ param: 'spec' }] });
    expectFailure(
      await world.ask('POST', `${base}/validate`, { as: world.readKey, body: {} }),
      400,
      'invalid_parameter',
      'spec',
    );
  });

  test('is open to read keys, on the shared demo agents too', async () => {
    base = `/v1/agents/${await world.makeAgent({ readOnly: true })}/tests`;
    expect(await validate(makeSpec())).toMatchObject({ valid: true });
    expectFailure(await create({ title: 'T', spec: makeSpec() }), 403, 'demo_read_only');
  });
});

describe('the list', () => {
  test('is walked newest first, each once, while tests are added', async () => {
    const made: string[] = [];
    for (let at = 0; at < 7; at += 1) made.push((await written({ title: `T${at}` })).id);
    const rows = await walk(world, base, 2, async () => void (await written({ title: 'Later' })));
    expect(rows.map(({ id }) => id)).toEqual(made.toReversed());
  });

  test('filters by source, lane and gate, and leaves archived tests out', async () => {
    const [callId] = await seedCalls(world, agentId, [
      { call: { providerCallId: 'a', startedAt: minute(0) }, analysis: {} },
    ]);
    const flow = await written({ lane: 'flow' });
    const made = (await create({ sourceCallId: callId })).body;
    await query(sql`update tests set gates = true where id = ${flow.id}`);
    const archived = await written();
    await world.ask('PATCH', `/app/agents/${agentId}/tests/${archived.id}`, {
      as: await world.token(),
      body: { archived: true },
    });
    const ids = async (filter: string) => (await world.get(`${base}?${filter}`)).body.data.map(({ id }: Loose) => id);
    expect(await ids('')).toEqual([made.id, flow.id]);
    expect(await ids('source=production')).toEqual([made.id]);
    expect(await ids('lane=flow')).toEqual([flow.id]);
    expect(await ids('gates=true')).toEqual([flow.id]);
    expect(await ids('gates=false&source=written')).toEqual([]);
    expectFailure(await world.get(`${base}?source=x`), 400, 'invalid_parameter', 'source');
  });
});

describe('the audit log', () => {
  test('has each write by a key, refused ones too', async () => {
    const { id } = await written();
    await replace(id, { revision: 9, spec: makeSpec() });
    await create({ callId: newId() });
    const { body } = await world.get(`/v1/agents/${agentId}/audit`);
    expect(body.data.map(({ operation, status }: Loose) => [operation, status])).toEqual([
      ['createTest', 404],
      ['replaceTestSpec', 409],
      ['createTest', 201],
    ]);
    expect(body.data[2].targetIds).toEqual([id]);
  });
});
