import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEALED_COLUMNS } from '../../../src/db/secrets/sealed-columns.ts';
import { chatKeyPlace, failurePlace, spanBatchPlace } from '../../../src/db/secrets/sealed-places.ts';
import { newId } from '../../../src/ids.ts';
import { createVault } from '../../../src/secrets.ts';
import { keepHashingKey } from '../../../src/services/secrets/hashing-key.ts';
import { bindKeys, countLeft, sealAnew } from '../../../src/services/secrets/seal-anew.ts';
import { makeAgent, type TestAgent } from '../../support/analysed-calls.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilTrue } from '../../support/pipeline.ts';

const SEAL = fileURLToPath(new URL('../../../api/seal.ts', import.meta.url));
const [OLD, NEW] = [
  'the secret of an earlier year that is kept safe',
  'the secret of this year that is kept safe as well',
];
const RECORDS = 1_000;

let database: TestDatabase;
let agent: TestAgent;
const before = createVault(OLD);

const rows = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await query.execute(database.em().getKysely())).rows;

beforeAll(async () => {
  database = await createTestDatabase();
  agent = await makeAgent(database.em());
  await keepHashingKey(database, before);
  const { workspaceId, agentId } = agent;
  const records = Array.from({ length: RECORDS }, (_, nth) => ({ id: newId(), text: before.seal(`record ${nth}`) }));
  await rows(sql`insert into import_failures (id, workspace_id, agent_id, import_id, ref, reason, sealed_payload)
    select id, ${workspaceId}, ${agentId}, id, id::text, 'It is no call.', text
    from unnest(${records.map(({ id }) => id)}::uuid[], ${records.map(({ text }) => text)}::text[]) r(id, text)`);
  await rows(sql`insert into span_batches (agent_id, trace_id, digest, workspace_id, sealed)
    values (${agentId}, 't', 'd', ${workspaceId}, ${before.sealBytes(Buffer.from('spans'))})`);
  await rows(sql`update agents set sealed_chat_key = ${before.seal('key')} where id = ${agentId}`);
});
afterAll(() => database.drop());

const seal = (args: readonly string[], env: Record<string, string>) => {
  const child = spawn(process.execPath, [SEAL, ...args], {
    env: { ...bareEnvironment(), DATABASE_URL: database.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended: ended.then((code) => ({ code, said })) };
};
/** Kills it where it waits for a row that somebody else holds. */
async function killWhileItSeals(): Promise<void> {
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(`select from import_failures where ctid = (
      select ctid from import_failures order by ctid offset 500 limit 1) for update`);
    const sealing = seal([], ring);
    const ofSealing = sql`from pg_stat_activity where application_name = 'earshot-seal' and datname = current_database()`;
    await untilTrue(async () => (await rows(sql`select 1 ${ofSealing} and wait_event_type = 'Lock'`)).length > 0);
    sealing.child.kill('SIGKILL');
    await sealing.ended;
    // PostgreSQL notices a dead client only when it answers: the statement would be carried out.
    await rows(sql`select pg_terminate_backend(pid) ${ofSealing}`);
    await untilTrue(async () => (await rows(sql`select 1 ${ofSealing}`)).length === 0);
  } finally {
    await holder.end();
  }
}

const ring = { EARSHOT_SECRET: NEW, EARSHOT_SECRET_EARLIER: OLD };

test('an upgrade binds keys that were sealed for no place, and leaves words of calls and other secrets to the seal', async () => {
  const stranger = createVault(NEW);
  const chatKey = async () =>
    (await rows(sql<{ key: string }>`select sealed_chat_key as key from agents where id = ${agent.agentId}`))[0]?.key ??
    '';
  const { workspaceId, agentId } = agent;
  const [unbound, left] = [await chatKey(), await countLeft(database, before)];
  expect(unbound).toMatch(/^v1\./);
  expect(await bindKeys(database, stranger)).toBe(0);
  expect(await chatKey()).toBe(unbound);
  expect(await bindKeys(database, before)).toBe(1);
  const bound = await chatKey();
  expect(bound).toMatch(/^v2\./);
  expect(before.open(bound, chatKeyPlace(workspaceId, agentId))).toBe('key');
  expect(() => before.open(bound, chatKeyPlace(workspaceId, newId()))).toThrow('authenticate');
  expect(await countLeft(database, before)).toBe(left - 1);
  expect(await bindKeys(database, before)).toBe(0);
  await rows(sql`update agents set sealed_chat_key = ${unbound} where id = ${agentId}`);
});

test('every column that is sealed is known', async () => {
  const found = await rows(sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and column_name ~ '^sealed' and table_name <> 'installation_keys'`);
  const known = SEALED_COLUMNS.map(({ table, column }) => ({ table, column }));
  const sorted = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).sort();
  expect(sorted(found)).toEqual(sorted(known));
});

describe('a secret that is changed', () => {
  test('is refused in a sentence where the one before is not named', async () => {
    const { code, said } = await seal([], { EARSHOT_SECRET: NEW }).ended;
    expect([code, said]).toEqual([1, expect.stringContaining('name the one before in EARSHOT_SECRET_EARLIER')]);
  });

  test('opens what was sealed before and hashes as before; sealing anew goes on where it was killed', async () => {
    const vault = createVault(NEW, [OLD]);
    await keepHashingKey(database, vault);
    expect(vault.keyedHash('w', '15550001')).toBe(before.keyedHash('w', '15550001'));
    expect(vault.open(before.seal('words'))).toBe('words');
    expect(vault.open(before.seal('words'), failurePlace('w', 'a', 'r'))).toBe('words');
    expect(await countLeft(database, vault)).toBe(RECORDS + 3);

    await killWhileItSeals();
    const left = await countLeft(database, vault);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(RECORDS);
    expect((await seal(['--count'], ring).ended).said).toBe(`{"left":${left}}\n`);

    const { code, said } = await seal([], ring).ended;
    expect([code, JSON.parse(said)]).toEqual([0, { sealed: left, unreadable: 0, left: 0 }]);
    const alone = createVault(NEW);
    await keepHashingKey(database, alone);
    expect(alone.keyedHash('w', '15550001')).toBe(before.keyedHash('w', '15550001'));
    const { workspaceId, agentId } = agent;
    const records = await rows(sql<{ ref: string; sealed: string }>`
      select ref, sealed_payload as sealed from import_failures order by id`);
    const opened = records.map(({ ref, sealed }) => alone.open(sealed, failurePlace(workspaceId, agentId, ref)));
    expect(new Set(opened).size).toBe(RECORDS);
    const [batch] = await rows(sql<{ sealed: Buffer }>`select sealed from span_batches`);
    const place = spanBatchPlace(workspaceId, agentId, 't', 'd');
    expect(alone.openBytes(batch?.sealed ?? Buffer.of(), place).toString()).toBe('spans');

    const [first, second] = records;
    expect(() => alone.open(first?.sealed ?? '', failurePlace(workspaceId, agentId, second?.ref ?? ''))).toThrow(
      'authenticate',
    );
    expect(() => alone.open(first?.sealed ?? '', failurePlace(newId(), agentId, first?.ref ?? ''))).toThrow(
      'authenticate',
    );
  });

  test('is not what binds a value to its place: one that is bound to none is sealed anew under the same secret', async () => {
    const alone = createVault(NEW);
    const place = chatKeyPlace(agent.workspaceId, agent.agentId);
    await rows(sql`update agents set sealed_chat_key = ${alone.seal('key')} where id = ${agent.agentId}`);
    expect(await sealAnew(database, alone)).toEqual({ sealed: 1, unreadable: 0, left: 0 });
    const [key] = await rows(sql<{ sealed: string }>`select sealed_chat_key as sealed from agents`);
    expect(alone.open(key?.sealed ?? '', place)).toBe('key');
    expect(() => alone.open(key?.sealed ?? '')).toThrow('authenticate');
  });

  test('leaves what nobody can open, and says how much that is', async () => {
    const lost = createVault('a secret that nobody has any more, 32 characters').seal('lost');
    await rows(sql`update agents set sealed_chat_key = ${lost} where id = ${agent.agentId}`);
    expect(await sealAnew(database, createVault(NEW, [OLD]))).toEqual({ sealed: 0, unreadable: 1, left: 1 });
  });
});
