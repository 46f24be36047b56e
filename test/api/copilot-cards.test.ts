import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { copilotCard } from '../../src/contract/copilot.ts';
import { PROPOSABLE } from '../../src/domain/copilot/proposals.ts';
import { newId } from '../../src/ids.ts';
import { type CopilotWorld, createCopilotWorld, kindsOf, messageOf } from '../support/copilot-world.ts';
import { makeOneOfEach } from '../support/one-of-each.ts';
import { makeSpec } from '../support/specs.ts';
import { expectFailure, type Loose } from '../support/world.ts';

let world: CopilotWorld;
let agentId: string;
let names: Awaited<ReturnType<typeof makeOneOfEach>>;
let token: string;

beforeAll(async () => {
  world = await createCopilotWorld('openai');
  agentId = await world.makeAgent({ provider: 'file' });
  names = await makeOneOfEach(world, agentId);
  token = await world.token();
});
beforeEach(() => sql`delete from audit_entries`.execute(world.database.em().getKysely()));
afterAll(() => world.close());

/** Has the model propose something. */
async function propose(name: string, input: unknown): Promise<{ card: Loose; message: Loose; conversation: string }> {
  world.model.answerWith((asked) =>
    asked.results.length === 0 ? { calls: [{ name, input }] } : { say: 'It is up to you.' },
  );
  const conversation = await world.converse(agentId);
  const told = await world.say(conversation, 'Please propose it');
  return { card: told.find(({ kind }) => kind === 'card')?.data.card, message: messageOf(told), conversation };
}

const cards = () => `/app/agents/${agentId}/copilot/cards`;
const confirm = (card: Loose, as = token, digest = card.digest) =>
  world.ask('POST', `${cards()}/${card.id}/confirm`, { as, body: { digest } });
/** As if the process had died after the work and before the card was told. */
const losesItsConfirmation = (card: Loose) =>
  sql`
    update copilot_cards set state = 'confirming', claimed_at = now() - interval '2 minutes' where id = ${card.id}
  `.execute(world.database.em().getKysely());
const tests = async () => (await world.get(`/v1/agents/${agentId}/tests?limit=100`)).body.data as Loose[];
const audit = async () => (await world.get(`/v1/agents/${agentId}/audit`)).body.data as Loose[];
const proposedTest = () => propose('propose_create_test', { title: 'Asks for the date once', spec: makeSpec() });

describe('a proposed test', () => {
  test('is a card that changes nothing, until its person confirms it', async () => {
    const before = (await tests()).length;
    const { card, conversation } = await proposedTest();
    expect(copilotCard.parse(card)).toMatchObject({
      operation: 'createTest',
      state: 'proposed',
      summary: 'Create the test “Asks for the date once”.',
      input: { path: {}, body: { title: 'Asks for the date once' } },
    });
    expect([(await tests()).length, (await audit()).length]).toEqual([before, 0]);

    const confirmed = await confirm(card);
    expect(confirmed.body).toMatchObject({ state: 'confirmed', result: { status: 201 } });
    expect((await tests()).map(({ id }) => id)).toContain(confirmed.body.result.id);
    expect(await audit()).toMatchObject([
      {
        surface: 'copilot',
        principalKind: 'copilot',
        userId: world.personId,
        apiKeyId: null,
        tool: 'propose_create_test',
        operation: 'createTest',
        status: 201,
      },
    ]);
    expect((await world.ask('GET', conversation, { as: token })).body.cards).toEqual([confirmed.body]);
    expectFailure(await confirm(card), 409, 'card_decided');
    expectFailure(await world.ask('POST', `${cards()}/${card.id}/dismiss`, { as: token }), 409, 'card_decided');
    expect((await tests()).length).toBe(before + 1);
  });

  test('confirmed many times at once is made once', async () => {
    const before = (await tests()).length;
    const { card } = await proposedTest();
    const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(card)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await tests()).length).toBe(before + 1);
  });

  test('whose confirmation died is made once too', async () => {
    const before = (await tests()).length;
    const { card } = await proposedTest();
    await confirm(card);
    await losesItsConfirmation(card);
    expect((await confirm(card)).body).toMatchObject({ state: 'confirmed' });
    expect((await tests()).length).toBe(before + 1);
  });

  test('changed since it was seen is refused', async () => {
    const { card } = await proposedTest();
    expectFailure(await confirm(card, token, 'f'.repeat(64)), 409, 'card_changed', 'digest');
    await sql`
      update copilot_cards set input = jsonb_set(input, '{body,title}', '"Another one"') where id = ${card.id}
    `.execute(world.database.em().getKysely());
    expectFailure(await confirm(card), 409, 'card_changed', 'digest');
    await sql`update copilot_cards set operation = 'startRun' where id = ${card.id}`.execute(
      world.database.em().getKysely(),
    );
    expectFailure(await confirm(card), 409, 'card_changed', 'digest');
  });

  test('dismissed does nothing for good', async () => {
    const { card } = await proposedTest();
    const dismissed = await world.ask('POST', `${cards()}/${card.id}/dismiss`, { as: token });
    expect(dismissed.body).toMatchObject({ state: 'dismissed', result: null });
    expectFailure(await confirm(card), 409, 'card_decided');
  });

  test('is nobody else’s, and no key’s', async () => {
    const { card } = await proposedTest();
    const other = await world.token(await world.makeMember('admin'));
    expectFailure(await confirm(card, other), 404, 'card_not_found');
    expectFailure(await confirm(card, world.writeKey), 403, 'people_only');
  });
});

test('what the operation refuses stays proposed, and the refusal is audited', async () => {
  const test = (await world.get(`/v1/agents/${agentId}/tests/${names.testId}`)).body;
  const { card } = await propose('propose_replace_test_spec', {
    testId: names.testId,
    revision: test.revision + 7,
    spec: { ...test.spec, maxTurns: 9 },
  });
  expectFailure(await confirm(card), 409, 'revision_conflict', 'revision');
  expect(await audit()).toMatchObject([{ principalKind: 'copilot', operation: 'replaceTestSpec', status: 409 }]);
  expect((await world.ask('POST', `${cards()}/${card.id}/dismiss`, { as: token })).status).toBe(200);
});

test('a replacement whose confirmation died is done once, and its second try has the first answer', async () => {
  const path = `/v1/agents/${agentId}/tests/${names.testId}`;
  const { revision, spec } = (await world.get(path)).body;
  const input = { testId: names.testId, revision, spec: { ...spec, maxTurns: spec.maxTurns + 1 } };
  const { card } = await propose('propose_replace_test_spec', input);
  expect((await confirm(card)).body).toMatchObject({ state: 'confirmed' });
  await losesItsConfirmation(card);
  expect((await confirm(card)).body).toMatchObject({ state: 'confirmed', result: { status: 200 } });
  expect((await world.get(path)).body.revision).toBe(revision + 1);
  expect(await audit()).toHaveLength(1);
});

test('an issue’s status is set by the person who confirms', async () => {
  const { card } = await propose('propose_set_issue_status', {
    issueId: names.issueId,
    status: 'investigating',
    reason: 'The copilot found the cause.',
  });
  expect(card.summary).toBe(`Set the issue ${names.issueId} to investigating, because “The copilot found the cause.”.`);
  expect((await confirm(card)).body.state).toBe('confirmed');
  expect((await world.get(`/v1/agents/${agentId}/issues/${names.issueId}`)).body.status).toBe('investigating');
});

test('a goal that came of a talk is one of the copilot, and its plan waits for a person', async () => {
  const { card, conversation } = await propose('propose_create_goal', {
    title: 'Dates',
    request: 'Nobody is asked twice for a date.',
    testCaseIds: [names.testId],
  });
  const { body } = await confirm(card);
  const goal = (await world.get(`/v1/agents/${agentId}/goals/${body.result.id}`)).body;
  expect(conversation.endsWith(goal.conversationId)).toBe(true);
  expect(goal).toMatchObject({ origin: 'copilot', plan: { approved: false, testCaseIds: [names.testId] } });
});

describe('a run', () => {
  const run = () => ({ testIds: [names.testId], goalId: names.goalId });
  const refused = async (input: object) => {
    const { message, card } = await propose('propose_start_run', input);
    expect(card).toBeUndefined();
    return message.reads[0].status;
  };

  test('is proposed for a goal whose plan a person approved, says its price, and starts as their own request', async () => {
    expect(await refused({ all: true })).toBe(409);
    expect(await refused(run())).toBe(409);
    await world.ask('POST', `/v1/agents/${agentId}/goals/${names.goalId}/approve-plan`, {
      as: token,
      body: { testCaseIds: [names.testId] },
    });
    const { card } = await propose('propose_start_run', run());
    expect(card.summary).toContain(`Start a run of 1 test for the goal ${names.goalId}. It draws up to 1 test call`);
    expect((await world.get(`/v1/agents/${agentId}/runs?goalId=${names.goalId}`)).body.data).toEqual([]);
    // Nobody can play an agent of files: it is refused as the person's own request would be, and stays proposed.
    expectFailure(await confirm(card), 402, 'testing_not_configured');
    expect(await refused({ all: true, goalId: newId() })).toBe(404);
  });
});

describe('what can’t be proposed', () => {
  test('whatever approves, publishes, turns on or spends something, and every start but that of a run', async () => {
    const { message, card } = await propose('propose_approve_goal_plan', {
      goalId: names.goalId,
      testCaseIds: [names.testId],
    });
    expect([message.reads, card]).toEqual([[{ tool: 'propose_approve_goal_plan', status: 404 }], undefined]);
    for (const name of ['start_run', 'approve_run', 'confirm_card', 'turn_on_watch', 'change_plan']) {
      expect((await propose(name, {})).message.reads).toEqual([{ tool: name, status: 404 }]);
    }
    const starts =
      /approve|publish|turnOn|start|rescore|calibrate|retry|import|backtest|key|plan|member|webhook|label/i;
    expect(PROPOSABLE.filter((id) => starts.test(id))).toEqual(['startRun']);
    expect(await audit()).toEqual([]);
  });

  test('what is not whole, names nothing, or names another agent', async () => {
    for (const [name, input, status] of [
      ['propose_create_test', { title: 'No spec' }, 400],
      ['propose_set_issue_status', { issueId: newId(), status: 'investigating', reason: 'x' }, 404],
      ['propose_set_issue_status', { issueId: names.issueId, status: 'approved', reason: 'x' }, 400],
      ['propose_create_test', { agentId: world.agentId, title: 'x', spec: makeSpec() }, 400],
      ['propose_create_test', { title: 'x', spec: makeSpec(), gates: true }, 400],
    ] as const) {
      const { message, card } = await propose(name, input);
      expect([message.reads, card]).toEqual([[{ tool: name, status }], undefined]);
    }
    expect(await audit()).toEqual([]);
  });

  test('more than ten in one answer', async () => {
    world.model.answerWith((asked) =>
      asked.results.length === 0
        ? {
            calls: Array.from({ length: 12 }, (_, at) => ({
              name: 'propose_create_goal',
              input: { title: `Goal ${at}`, request: 'More of it.' },
            })),
          }
        : { say: 'Done.' },
    );
    const told = await world.say(await world.converse(agentId), 'As many as you can');
    expect(kindsOf(told).filter((kind) => kind === 'card')).toHaveLength(10);
  });
});
