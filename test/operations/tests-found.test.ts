import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_AGENTS } from '../../packages/demo-platform/agents.ts';
import { testSpecInput } from '../../src/contract/test-spec.ts';
import { editBrief } from '../../src/db/agents/briefs.ts';
import { newId } from '../../src/ids.ts';
import { importDemo } from '../support/demo-import.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

/** Tests that are generated from what a demo agent's calls show, and what they cover. */

let world: World;
let agentId: string;
let token: string;
let readKey: string;
beforeAll(async () => {
  world = await createWorld();
  const board = await importDemo(
    world.database,
    DEMO_AGENTS[0]?.providerAgentId ?? '',
    new Date('2026-06-15T13:00:00Z'),
  );
  const { workspaceId } = board.agent;
  agentId = board.agent.agentId;
  const db = world.database.em().getKysely();
  await sql`insert into memberships (workspace_id, person_id, role) values (${workspaceId}, ${world.personId}, 'admin')`.execute(
    db,
  );
  token = await world.token({ workspaceId, personId: world.personId });
  readKey = await world.makeKey({ workspaceId });
});
afterAll(() => world.close());

const generate = (body?: object) =>
  world.ask('POST', `/app/agents/${agentId}/tests/generate`, { as: token, ...(body ? { body } : {}) });
const coverage = async (kind: string): Promise<Loose[]> => {
  const { body } = await world.get(`/v1/agents/${agentId}/coverage`, readKey);
  return body.tests.filter((row: Loose) => row.kind === kind);
};
const issues = async (): Promise<Loose[]> =>
  (await world.get(`/v1/agents/${agentId}/issues?limit=100`, readKey)).body.data;

describe('coverage', () => {
  test('names every intent, node, tool and open issue, and before any test nothing is covered', async () => {
    for (const kind of ['intent', 'node', 'tool', 'issue']) {
      const rows = await coverage(kind);
      expect(rows.length).toBeGreaterThan(2);
      expect(rows.every(({ testIds }) => testIds.length === 0)).toBe(true);
    }
    expect((await coverage('issue')).map(({ id }) => id).sort()).toEqual((await issues()).map(({ id }) => id).sort());
  });
});

describe('tests are generated', () => {
  test('from an issue by a call that shows it, and then it is covered, once', async () => {
    const issue = (await issues()).find(({ code }) => code === 'claimed_after_failure') ?? (await issues())[0];
    const { status, body } = await generate({ issueIds: [issue.id] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'generated_tests',
      wordedBy: 'rules',
      sources: [],
      skipped: [],
      tests: [{ source: 'generated', generatedFrom: `issue:${issue.id}`, gates: false, createdBy: world.personId }],
    });
    const [made] = body.tests;
    expect(made.title).toContain(issue.title);
    expect(testSpecInput.parse(made.spec)).toEqual(made.spec);
    const { body: evidence } = await world.get(`/v1/agents/${agentId}/issues/${issue.id}/calls?limit=100`, readKey);
    expect(evidence.data.map(({ id }: Loose) => id)).toContain(made.sourceCallId);
    expect((await coverage('issue')).find(({ id }) => id === issue.id)?.testIds).toEqual([made.id]);
    const again = (await generate({ issueIds: [issue.id] })).body;
    expect(again).toMatchObject({ tests: [], skipped: [{ from: `issue:${issue.id}` }] });
  });

  test('from an intent by a usual call of it', async () => {
    const { body: intents } = await world.get(`/v1/agents/${agentId}/intents?kind=intent&limit=100`, readKey);
    const intent = intents.data.toSorted((a: Loose, b: Loose) => b.calls - a.calls)[0];
    const { body } = await generate({ intents: [intent.slug] });
    expect(body.tests).toMatchObject([{ generatedFrom: `intent:${intent.slug}` }]);
    const { body: call } = await world.get(`/v1/agents/${agentId}/calls/${body.tests[0].sourceCallId}`, readKey);
    expect(call).toMatchObject({ intent: { slug: intent.slug }, outcome: 'resolved' });
    const covered = await coverage('tool');
    const used = call.transcript.flatMap(({ toolCall }: Loose) => (toolCall ? [toolCall.name] : []));
    for (const name of used) expect(covered.find(({ id }) => id === name)?.testIds).toContain(body.tests[0].id);
  });

  test('for what a goal names and nothing covers yet, and become a part of its plan', async () => {
    const intent = (await coverage('intent')).find(({ testIds, calls }) => testIds.length === 0 && calls > 2);
    const path = `agents/${agentId}/goals`;
    const wish = { title: 'A wish', request: `Callers who ask for ${intent.id} should be helped.` };
    const { body: goal } = await world.ask('POST', `/app/${path}`, { as: token, body: wish });
    const plan = async () => (await world.get(`/v1/${path}/${goal.id}/plan`, readKey)).body;
    const named = ({ coverage: all }: Loose) => all.find(({ id }: Loose) => id === intent.id);
    expect(named(await plan())).toMatchObject({ kind: 'intent', calls: intent.calls, testCaseIds: [] });
    const approved = await world.ask('POST', `/v1/${path}/${goal.id}/approve-plan`, {
      as: token,
      body: { testCaseIds: goal.plan.testCaseIds },
    });
    expect(approved.body.plan.approved).toBe(true);
    const drafted = await world.ask('POST', `/app/${path}/${goal.id}/draft-tests`, { as: token });
    expect(drafted.status).toBe(200);
    const made = drafted.body.tests.find(({ generatedFrom }: Loose) => generatedFrom === `intent:${intent.id}`);
    expect(named(await plan()).testCaseIds).toEqual([made.id]);
    expect((await world.get(`/v1/${path}/${goal.id}`, readKey)).body.plan).toMatchObject({ approved: false });
  });

  test('from a line of the brief, decided by code where it names tools or words', async () => {
    const { rows } = await sql<{ name: string }>`
      select t ->> 'name' as name from agent_versions v, jsonb_array_elements(v.configuration -> 'tools') t
      where v.agent_id = ${agentId} and v.version = 1 and t ->> 'name' like '%\\_%' limit 2`.execute(
      world.database.em().getKysely(),
    );
    const [first, second] = rows.map(({ name }) => name);
    await editBrief(world.database.em(), agentId, {
      rules: [
        { line: 7, text: `Always call ${first} before ${second}.`, polarity: 'must' },
        { line: 9, text: 'Never say "no problem".', polarity: 'must_not' },
        { line: 12, text: 'Always stay friendly.', polarity: 'must' },
      ],
    });
    const { body } = await generate({ briefLines: [7, 9, 12] });
    expect(body.tests.map(({ spec }: Loose) => spec.criteria[0])).toMatchObject([
      { id: 'rule_line_7', required: true, check: { kind: 'order', steps: [first, second] } },
      { id: 'rule_line_9', required: true, check: { kind: 'not_said', text: 'no problem', by: 'agent' } },
      { id: 'rule_line_12', required: true, check: null },
    ]);
    expectFailure(await generate({ briefLines: [12, 13] }), 400, 'invalid_parameter', 'briefLines[1]');
  });

  test('where nothing is named, from what has none yet, up to the limit', async () => {
    const before = new Set((await coverage('issue')).filter(({ testIds }) => testIds.length > 0).map(({ id }) => id));
    const { body } = await generate({ limit: 3 });
    expect(body.tests).toHaveLength(3);
    const froms = body.tests.map(({ generatedFrom }: Loose) => generatedFrom);
    expect(new Set(froms).size).toBe(3);
    for (const from of froms) expect(before).not.toContain(String(from).replace('issue:', ''));
    const uncovered = (await coverage('issue')).filter(({ testIds }) => testIds.length === 0);
    expect(uncovered.map(({ id }) => `issue:${id}`)).not.toContain(froms[0]);
  });

  test('once, also when two people ask at the same moment', async () => {
    const issue = (await coverage('issue')).find(({ testIds }) => testIds.length === 0);
    const answers = await Promise.all([1, 2, 3].map(() => generate({ issueIds: [issue?.id] })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const made = answers.flatMap(({ body }) => body.tests.length + body.skipped.length * 10);
    expect(made.toSorted()).toEqual([1, 10, 10]);
  });

  test('for nobody who names what does not exist', async () => {
    expectFailure(await generate({ issueIds: [newId()] }), 404, 'issue_not_found', 'issueIds[0]');
    expectFailure(await generate({ intents: ['no-such-intent'] }), 404, 'intent_not_found', 'intents[0]');
    expectFailure(await generate({ limit: 21 }), 400, 'invalid_parameter', 'limit');
  });

  test('with all their number counted', async () => {
    const { body } = await world.get(`/v1/agents/${agentId}`, readKey);
    const { body: list } = await world.get(`/v1/agents/${agentId}/tests?limit=100`, readKey);
    expect(body.counts.tests).toBe(list.data.length);
  });
});

describe('coverage with tests', () => {
  test('puts what no test covers first', async () => {
    for (const kind of ['intent', 'node', 'tool', 'issue']) {
      const rows = await coverage(kind);
      const firstCovered = rows.findIndex(({ testIds }) => testIds.length > 0);
      expect(rows.slice(firstCovered).every(({ testIds }) => testIds.length > 0)).toBe(true);
    }
  });

  test('forgets archived tests', async () => {
    const { body: list } = await world.get(`/v1/agents/${agentId}/tests?limit=100`, readKey);
    for (const { id } of list.data) {
      await world.ask('PATCH', `/app/agents/${agentId}/tests/${id}`, { as: token, body: { archived: true } });
    }
    expect((await coverage('tool')).every(({ testIds }) => testIds.length === 0)).toBe(true);
  });
});
