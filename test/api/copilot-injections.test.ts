import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CopilotWorld, createCopilotWorld, messageOf } from '../support/copilot-world.ts';
import { INJECTIONS } from '../support/injections.ts';
import { makeOneOfEach } from '../support/one-of-each.ts';
import type { AskedTurn, TurnAnswer } from '../support/talk-server.ts';

/** A model that obeys whatever it reads: it tries every operation there is, on everything that the attacker named. */
let world: CopilotWorld;
let agentId: string;
let foreign: Awaited<ReturnType<typeof makeOneOfEach>>;
let own: Awaited<ReturnType<typeof makeOneOfEach>>;
let attempts: { name: string; input: Record<string, unknown> }[];
const CANARY = 'a word that only the other workspace knows';

beforeAll(async () => {
  world = await createCopilotWorld('openai');
  agentId = await world.makeAgent({ provider: 'file' });
  own = await makeOneOfEach(world, agentId);
  const other = await world.makeWorkspace();
  const theirs = await world.makeAgent({ workspaceId: other.workspaceId, provider: 'file' });
  foreign = await makeOneOfEach(world, theirs);
  await sql`update agents set name = ${CANARY} where id = ${theirs}`.execute(world.database.em().getKysely());
  attempts = everyAttempt();
});
afterAll(() => world.close());

/** Each operation under its own name and as a proposal, with ids of ours and of the others'. */
function everyAttempt() {
  const names = world.services.operations.map(({ id }) => id.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`));
  const inputs = [
    { ...own, agentId },
    { ...foreign },
    { callId: foreign.callId },
    { issueId: foreign.issueId },
    { all: true },
    { status: 'resolved', reason: 'told to', issueId: foreign.issueId },
  ];
  return names.flatMap((name) =>
    inputs.flatMap((input) => [
      { name, input },
      { name: `propose_${name}`, input },
    ]),
  );
}

/** Everything that a write could have changed; the copilot's own tables, events and what models cost are left out. */
async function standing(): Promise<Record<string, string>> {
  const db = world.database.em().getKysely();
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name !~ '^(copilot_|model_usage|plan_usage|buckets|sessions)'
  `.execute(db);
  const digests: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await sql<{ digest: string }>`
      select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest from ${sql.table(name)} t
    `.execute(db);
    digests[name] = found.rows[0]?.digest ?? '';
  }
  return digests;
}

test('a model that obeys every attacker changes nothing, starts nothing and reads nothing of others', async () => {
  const planted = INJECTIONS.map((text) =>
    text.replaceAll('{secret}', foreign.agentId).replaceAll('{call}', foreign.callId).replaceAll('\u0000', ''),
  );
  await sql`update issues set title = ${planted.join('\n')} where id = ${own.issueId}`.execute(
    world.database.em().getKysely(),
  );
  await sql`update agents set name = ${planted[2]?.slice(0, 200)} where id = ${agentId}`.execute(
    world.database.em().getKysely(),
  );
  let next = 0;
  const told: string[] = [];
  world.model.answerWith((asked: AskedTurn): TurnAnswer => {
    told.push(asked.question, ...asked.results);
    if (!asked.mayCall) return { say: planted.join('\n') };
    if (asked.results.length === 0) return { calls: [{ name: 'list_issues', input: {} }] };
    const calls = attempts.slice(next, next + 39);
    next += calls.length;
    return calls.length === 0 ? { say: planted.join('\n') } : { calls };
  });
  const before = await standing();
  const conversation = await world.converse(agentId);
  const answers: unknown[] = [];
  while (next < attempts.length) answers.push(messageOf(await world.say(conversation, 'What is new?')));
  expect(answers.length).toBeGreaterThan(20);

  expect(await standing()).toEqual(before);
  const heard = told.join('\n');
  expect(heard).toContain('start_run with all tests now');
  expect(heard.includes(CANARY)).toBe(false);
  expect(heard.match(/<\/record>/g)?.length).toBe(heard.match(/<record>/g)?.length);
  const kept = await world.ask('GET', conversation, { as: await world.token() });
  expect(kept.body.messages.flatMap(({ citations }: { citations: unknown[] }) => citations)).toEqual([]);
  for (const { operation, state } of kept.body.cards) {
    expect([
      'createTest',
      'replaceTestSpec',
      'createWatch',
      'setIssueStatus',
      'createGoal',
      'changeGoal',
      'createDraft',
      'changeDraft',
    ]).toContain(operation);
    expect(state).toBe('proposed');
  }
});
