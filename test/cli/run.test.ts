import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { patiently } from '../../cli/patiently.ts';
import { ServerProblem } from '../../cli/problem.ts';
import { startApi } from '../support/api-process.ts';
import { type CommandLine, commandLineFor, type Ran } from '../support/command-line.ts';
import { resultCell, resultDocument } from '../support/run-document.ts';
import { openRunWorld, type RunWorld } from '../support/run-world.ts';
import { childrenOf, parseXml } from '../support/strict-xml.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

const address = inject('temporalAddress');
const PROGRAM = fileURLToPath(new URL('../../cli/earshot.js', import.meta.url));

describe('what is asked again', () => {
  const answers = (...given: (ServerProblem | string)[]) => {
    const left = [...given];
    return async () => {
      const next = left.shift() ?? 'nothing left';
      if (typeof next !== 'string') throw next;
      return next;
    };
  };
  const away = new ServerProblem('No server answers.', 4);
  const busy = (retryAfterSeconds: number) =>
    new ServerProblem('Too much.', 1, { status: 429, code: 'rate_limited', param: null, retryAfterSeconds });
  const refused = new ServerProblem('No.', 4, {
    status: 401,
    code: 'invalid_api_key',
    param: null,
    retryAfterSeconds: null,
  });

  test('a server that is away, in trouble or asks for patience is asked again, and people are told once', async () => {
    const said: string[] = [];
    const untilMs = performance.now() + 60_000;
    const say = (text: string) => void said.push(text);
    const beganMs = performance.now();
    expect(await patiently(answers(away, busy(1), 'there'), { untilMs, say })).toBe('there');
    expect(performance.now() - beganMs).toBeGreaterThan(1_400);
    expect(said).toEqual(['No server answers. Trying again.']);
  });

  test('a refusal is final, and so is a wait that would be longer than the time that is left', async () => {
    const patience = { untilMs: performance.now() + 60_000, say: () => {} };
    await expect(patiently(answers(refused, 'there'), patience)).rejects.toBe(refused);
    const long = busy(61);
    await expect(patiently(answers(long, 'there'), patience)).rejects.toBe(long);
  });
});

describe('earshot run, before anything is played', () => {
  let world: World;
  let cli: CommandLine;
  beforeAll(async () => {
    world = await createWorld();
    cli = await commandLineFor(world);
  });
  afterAll(() => world?.close());

  test('packs are listed with what a run of them costs, and one that is not there is named with those that are', async () => {
    const listed = await cli.run(['packs', '--agent', world.agentId]);
    expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('earshot run --pack attacks') });
    expect(listed.out).toContain('left out: A model has to play this caller');
    const packs = JSON.parse((await cli.run(['packs', '--agent', world.agentId, '--json'])).out);
    expect(packs.map(({ id }: { id: string }) => id)).toEqual(['attacks', 'attackers']);
    expect(await cli.run(['run', '--agent', world.agentId, '--pack', 'nothing'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('There are: attacks, attackers.'),
    });
  });

  test('wrong use and missing access end with 4 and say what to do', async () => {
    const of = (...args: string[]) => cli.run(['run', '--agent', world.agentId, ...args]);
    expect(await of()).toMatchObject({ code: 4, err: expect.stringContaining('Choose the tests') });
    expect(await of('--all', '--set', 'x')).toMatchObject({ code: 4 });
    expect(await of('--test', 'Nobody')).toMatchObject({
      code: 4,
      err: expect.stringContaining('There is no test Nobody'),
    });
    expect(await of('--all', '--repeats', '2')).toMatchObject({
      code: 4,
      err: expect.stringContaining('It must be 3'),
    });
    expect(await of('--all', '--junit', '-', '--json')).toMatchObject({ code: 4 });
    expect(await of('--all', '--junit', join(cli.folder, 'cli.json', 'j.xml'))).toMatchObject({
      code: 4,
      err: expect.stringContaining('j.xml can not be written'),
    });
    expect(await of('--all', '--junit', cli.folder)).toMatchObject({
      code: 4,
      err: expect.stringContaining('it is a folder'),
    });
    expect(await cli.run(['run', '--all', '--agent', 'Nobody'])).toMatchObject({ code: 4 });
    for (const args of [['--all'], ['--test', 'No such test']]) {
      const [junit, markdown] = [join(cli.folder, 'r.xml'), join(cli.folder, 'r.md')];
      const refused = await of(...args, '--junit', junit, '--markdown', markdown);
      expect(refused.code).toBe(4);
      const [suite] = childrenOf(parseXml(readFileSync(junit, 'utf8')), 'testsuite');
      expect(suite?.attributes).toMatchObject({ tests: '1', errors: '1', failures: '0' });
      expect(readFileSync(markdown, 'utf8')).toContain('Refused: ');
      rmSync(junit);
    }
    await world.makeAgent();
    expect(await cli.run(['run', '--all'])).toMatchObject({ code: 4, err: expect.stringContaining('Say which agent') });
    const url = cli.stored().url;
    const badKey = { EARSHOT_URL: url, EARSHOT_KEY: `svc_${'x'.repeat(32)}` };
    expect(await cli.run(['run', '--all'], badKey)).toMatchObject({
      code: 4,
      err: expect.stringContaining('invalid_api_key'),
    });
    const readKey = { EARSHOT_URL: url, EARSHOT_KEY: world.readKey };
    expect(await cli.run(['run', '--all', '--agent', world.agentId], readKey)).toMatchObject({
      code: 4,
      err: expect.stringContaining('key_read_only'),
    });
    expect(await cli.run(['run', '--all'], { EARSHOT_URL: 'http://127.0.0.1:1', EARSHOT_KEY: 'svc_x' })).toMatchObject({
      code: 4,
      err: expect.stringContaining('No Earshot server answers'),
    });
  });

  test('an agent that can not be tested is no failed test', async () => {
    expect(await cli.run(['run', '--all', '--agent', world.agentId])).toMatchObject({
      code: 4,
      err: expect.stringContaining('testing_not_configured'),
    });
  });
});

describe('the document on its way', () => {
  const base = '/v1/agents/019d1f4e-6a10-7c3e-9b1a-00000000bbbb';
  const runPath = `${base}/runs/019d1f4e-6a10-7c3e-9b1a-00000000aaaa`;
  const document = JSON.stringify(resultDocument([resultCell(1)]));
  const list = (...data: unknown[]) => JSON.stringify({ object: 'list', data, hasMore: false, nextCursor: null });
  let etag = '';
  let broken = 0;
  let server: Server;
  beforeAll(async () => {
    const answers: Record<string, string> = {
      '/v1/agents': list({ id: base.slice('/v1/agents/'.length), name: 'Front desk', counts: { calls: 1 } }),
      [runPath]: JSON.stringify({ id: runPath.slice(-36), status: 'complete', message: null }),
      [`${runPath}/result`]: document,
      [`${base}/tests`]: list({ id: resultCell(1).testId, title: 'Books' }),
    };
    server = createServer((request, response) => {
      const body = answers[(request.url ?? '').split('?')[0] ?? ''] ?? '{}';
      if (request.url?.endsWith('/result')) {
        response.setHeader('etag', etag);
        response.setHeader('content-length', Buffer.byteLength(body));
        broken -= 1;
        if (broken >= 0) return response.write(body.slice(0, 100), () => response.destroy());
      }
      return response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server?.close());
  const result = () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return runProgram(['result', runPath.slice(-36), '--wait', '--document', '-'], {
      EARSHOT_URL: `http://127.0.0.1:${port}`,
      EARSHOT_KEY: 'svc_x',
    });
  };
  const digest = createHash('sha256').update(document).digest('hex');

  test('is taken where its SHA-256 is that of the entity tag, and refused where it is not', async () => {
    etag = `"${digest}"`;
    expect(await result()).toMatchObject({ code: 0, out: document });
    etag = `"${'0'.repeat(64)}"`;
    expect(await result()).toMatchObject({ code: 4, out: '', err: expect.stringContaining('did not arrive whole') });
  });

  test('is asked for again where the answer breaks off', async () => {
    etag = `"${digest}"`;
    broken = 1;
    expect(await result()).toMatchObject({ code: 0, out: document, err: expect.stringContaining('broke off') });
  });
});

describe.skipIf(address === null)('earshot run, with everything behind it', () => {
  let runs: RunWorld;
  let cli: CommandLine;
  let asKey: Record<string, string>;
  const FEE = { opening: 'How much is a cleaning?', says: '90 to 140' };
  beforeAll(async () => {
    runs = await openRunWorld(address);
    cli = await commandLineFor(runs.world);
    asKey = { EARSHOT_URL: cli.stored().url, EARSHOT_KEY: runs.world.writeKey, EARSHOT_DATA: join(cli.folder, 'none') };
  });
  afterAll(() => runs?.close());

  const file = (name: string) => join(cli.folder, name);
  const run = (...args: string[]) => cli.run(['run', '--agent', runs.agentId, ...args], asKey);
  const runIdOf = ({ err }: Ran) => /Run ([0-9a-f-]{36})/.exec(err)?.[1] ?? 'none';
  const endpoint = (runId: string) => runs.world.get(`/v1/agents/${runs.agentId}/runs/${runId}/result`);

  test('a run that nobody plays yet is not finished in time, and Ctrl-C says how to go on', async () => {
    await runs.makeTest('Names the fee', FEE);
    const late = await run('--test', 'Names the fee', '--timeout', '1');
    expect(late).toMatchObject({ code: 3, err: expect.stringContaining('Not finished within 1 seconds') });
    const runId = runIdOf(late);
    expect(late.err).toContain(`npx earshot result ${runId} --wait`);
    expect(await cli.run(['result', runId], asKey)).toMatchObject({
      code: 3,
      err: expect.stringContaining('Queued'),
    });
    const stopped = startProgram(['result', runId, '--wait'], asKey);
    await stopped.says('Queued');
    stopped.child.kill('SIGINT');
    expect(await stopped.ended).toMatchObject({
      code: 130,
      err: expect.stringContaining('The run continues on the server'),
    });
    const cancelled = await cli.run(['cancel', runId, '--reason', 'Not needed.']);
    expect(cancelled).toMatchObject({ code: 0, out: expect.stringContaining('Cancelled') });
    expect(await cli.run(['cancel', runId], asKey)).toMatchObject({ code: 4, err: expect.stringContaining('sign-in') });
  });

  test('a run over its budget waits for a person, who approves it', async () => {
    const runId = (await run('--test', 'Names the fee', '--no-wait')).out.trim();
    await sql`
      update runs set status = 'awaiting_approval', trigger = 'auto', message = 'Waits for a person.',
        waits_until = now() + interval '1 day' where id = ${runId}`.execute(runs.world.database.em().getKysely());
    expect(await cli.run(['result', runId], asKey)).toMatchObject({
      code: 3,
      err: expect.stringContaining(`Waits for a person. To decide: npx earshot approve ${runId}`),
    });
    expect((await cli.run(['runs', '--agent', runs.agentId], asKey)).err).toContain(`Run ${runId} waits for a person.`);
    expect(await cli.run(['approve', runId, '--covered'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Approved to play what the budget covers'),
    });
    expect(await cli.run(['refuse', runId])).toMatchObject({ code: 1, err: expect.stringContaining('run_decided') });
  });

  test('a restart of the server while it waits changes nothing', async () => {
    const first = await startApi(runs.world.database.url);
    const port = new URL(first.url).port;
    const waiting = startProgram(['run', '--agent', runs.agentId, '--test', 'Names the fee', '--timeout', '100'], {
      ...asKey,
      EARSHOT_URL: first.url,
    });
    await waiting.says('Queued');
    first.child.kill('SIGKILL');
    await waiting.says('Trying again');
    const second = await startApi(runs.world.database.url, { EARSHOT_PORT: port });
    runs.sendOutbox();
    expect(await waiting.ended).toMatchObject({ code: 0, out: expect.stringContaining('Passed') });
    await second.stop();
  });

  test('calibrated tests gate: a pass ends with 0, and what is written is what the API has', async () => {
    await runs.makeTest('Names another fee', { ...FEE, says: 'one million' });
    const calibrated = await cli.run(['calibrate', '--all', '--agent', runs.agentId]);
    expect(calibrated).toMatchObject({ code: 0, out: expect.stringContaining('2 of 2 tests gate') });
    const files = [
      '--document',
      file('out/result.json'),
      '--junit',
      file('junit.xml'),
      '--markdown',
      file('summary.md'),
    ];
    const passed = await run('--test', 'Names the fee', ...files);
    expect(passed).toMatchObject({ code: 0, out: expect.stringContaining('Passed: the one gating cell passed.') });
    const answer = await endpoint(runIdOf(passed));
    expect(readFileSync(file('out/result.json'), 'utf8')).toBe(answer.text);
    const [suite] = childrenOf(parseXml(readFileSync(file('junit.xml'), 'utf8')), 'testsuite');
    expect(suite?.attributes).toMatchObject({ tests: '1', failures: '0', errors: '0', skipped: '0' });
    expect(readFileSync(file('summary.md'), 'utf8')).toContain('| Names the fee | own caller | ✅ passed |');
  });

  test('a gating test that fails ends with 1 and says which criterion was not met', async () => {
    const failed = await run('--all', '--junit', file('failed.xml'), '--json');
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.out)).toMatchObject({
      exitCode: 1,
      says: 'Not passed: 1 of 2 gating cells failed.',
      document: { summary: { passed: 1, failed: 1, gating: 2 } },
    });
    const [suite] = childrenOf(parseXml(readFileSync(file('failed.xml'), 'utf8')), 'testsuite');
    expect(suite?.attributes).toMatchObject({ tests: '2', failures: '1', time: expect.stringMatching(/^\d+\.\d{3}$/) });
    const again = await cli.run(['result', JSON.parse(failed.out).runId], asKey);
    expect(again).toMatchObject({ code: 1, out: expect.stringContaining('Names another fee') });
    const listed = await cli.run(['runs', '--agent', runs.agentId], asKey);
    expect(listed.out).toMatch(/ci +complete +3 +2\/2 +1 +1 /);
  });

  test('a used-up budget or plan ends with 2, and nothing is played', async () => {
    const made = await cli.run(['keys', 'make', 'poor', '--access', 'write', '--budget', '0.01', '--json']);
    const poor = { ...asKey, EARSHOT_KEY: JSON.parse(made.out).key };
    const wrongFolder = await cli.run(['run', '--agent', runs.agentId, '--all', '--sarif', file('s'), '--dir', 'none']);
    expect(wrongFolder).toMatchObject({ code: 4, err: expect.stringContaining('none is no folder') });
    const refused = file('refused.xml');
    const byBudget = await cli.run(['run', '--agent', runs.agentId, '--all', '--junit', refused], poor);
    const [suite] = childrenOf(parseXml(readFileSync(refused, 'utf8')), 'testsuite');
    expect(suite?.attributes).toMatchObject({ tests: '1', errors: '1' });
    expect(byBudget).toMatchObject({ code: 2, err: expect.stringContaining('budget_exceeded') });
    const some = await cli.run(['keys', 'make', 'some', '--access', 'write', '--budget', '0.05', '--json']);
    const partly = await cli.run(['run', '--agent', runs.agentId, '--all'], {
      ...asKey,
      EARSHOT_KEY: JSON.parse(some.out).key,
    });
    expect(partly).toMatchObject({
      code: 2,
      out: expect.stringMatching(
        /not run +Names another fee[^]*Not passed: 1 of 2 gating cells not played\..*covers 1 of 2/,
      ),
    });
    await cli.run(['plan', 'set', 'growth', '--test-calls', '0']);
    expect(await run('--all')).toMatchObject({ code: 2, err: expect.stringContaining('quota_exceeded') });
    await cli.run(['plan', 'set', 'enterprise', '--test-calls', 'default']);
  });

  test('what was played already is not played again, until a test or its gate changes', async () => {
    const first = await run('--test', 'Names the fee', '--if-changed', '--document', file('first.json'));
    expect(first).toMatchObject({ code: 0, err: expect.stringContaining('nothing is played') });
    const all = await run('--all', '--if-changed');
    expect(all).toMatchObject({ code: 1, err: expect.stringContaining('nothing is played') });
    const { body } = await runs.world.get(`/v1/agents/${runs.agentId}/tests?limit=100`);
    const fee = body.data.find(({ title }: { title: string }) => title === 'Names the fee');
    await runs.world.ask('PUT', `/v1/agents/${runs.agentId}/tests/${fee.id}/spec`, {
      as: runs.world.writeKey,
      body: { revision: fee.revision, spec: { ...fee.spec, maxTurns: 4 } },
    });
    const changed = await run('--test', 'Names the fee', '--if-changed');
    expect(changed).toMatchObject({ code: 0, out: expect.stringContaining('no test gates yet') });
    expect(changed.err).not.toContain('nothing is played');
  });

  test('a cell that nobody can decide is tried again on demand, by a person in the run, by a key in another', async () => {
    await runs.makeTest('Is kind', { ...FEE, says: null });
    const plain = await run('--test', 'Is kind');
    expect(plain).toMatchObject({ code: 1, out: expect.stringContaining('no required criterion was judged') });
    const byKey = await run('--test', 'Is kind', '--retry-errors');
    expect(byKey).toMatchObject({ code: 1, err: expect.stringContaining('as a key can start runs only') });
    const before = JSON.parse((await cli.run(['runs', '--agent', runs.agentId, '--json'])).out).length;
    const byPerson = await cli.run(['run', '--agent', runs.agentId, '--test', 'Is kind', '--retry-errors', '--json']);
    expect(byPerson.code).toBe(1);
    const [cell] = JSON.parse(byPerson.out).document.cells;
    expect(cell.attempts.length).toBeGreaterThan(2);
    const after = JSON.parse((await cli.run(['runs', '--agent', runs.agentId, '--json'])).out).length;
    expect(after - before).toBe(1);
  });

  test('a start is not waited for on demand, happens once a key, and can be compared with another run', async () => {
    const once = ['--test', 'Names the fee', '--no-wait', '--idempotency-key', 'build-7'];
    const [one, two] = [await run(...once), await run(...once)];
    expect([one.code, two.code, two.out]).toEqual([0, 0, one.out]);
    const runId = one.out.trim();
    const result = await cli.run(['result', runId, '--wait', '--json'], asKey);
    expect(JSON.parse(result.out).document).toMatchObject({ batchId: runId, status: 'complete' });
    const other = JSON.parse(result.out).document.comparedTo?.batchId;
    const next = await run('--test', 'Names the fee', '--compare-to', runId, '--json');
    expect(JSON.parse(next.out).document.comparedTo).toMatchObject({ batchId: runId });
    expect(other).not.toBe(runId);
  });

  test('--watch pushes and plays what changes, names what it can not send, and ends by Ctrl-C', async () => {
    const dir = file('watched');
    await cli.run(['tests', 'pull', '--agent', runs.agentId, '--dir', dir], asKey);
    const path = join(dir, readdirSync(dir).find((name) => name.startsWith('names-the-fee')) ?? 'none');
    const text = readFileSync(path, 'utf8');
    const chosen = ['--agent', runs.agentId, '--test', 'Names the fee', '--dir', dir];
    const watching = startProgram(['run', ...chosen, '--watch'], asKey);
    await watching.says('Watching');
    writeFileSync(path, 'title: [');
    await watching.says(`${path}:1:`);
    await watching.says('Watching', 2);
    writeFileSync(path, text.replaceAll('90 to 140', 'to 140'));
    await watching.says('Watching', 3);
    watching.child.kill('SIGINT');
    const { code, out, err } = await watching.ended;
    expect(code).toBe(130);
    expect(err).toMatch(/Run \S+ of .*\n(?:.*\n)*Changed: .*\n(?:.*\n)*changed +\S+names-the-fee(?:.*\n)*Run \S+ of /);
    expect(out.match(/^Passed/gm)).toHaveLength(2);
    const revisionOf = (content: string) => Number(/^revision: (\d+)$/m.exec(content)?.[1]);
    expect(revisionOf(readFileSync(path, 'utf8'))).toBe(revisionOf(text) + 1);
  });

  test('stored attempts are scored again without a call, and an export tells the new result', async () => {
    const exportRuns = async (): Promise<Loose[]> => {
      const told = await cli.run(['export', '--agent', runs.agentId, '--since', file('lake.cursor')], asKey);
      const lines = told.out.split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'run');
    };
    const first = await exportRuns();
    const [latest] = JSON.parse((await cli.run(['runs', '--agent', runs.agentId, '--limit', '1', '--json'])).out);
    const rescored = await cli.run(['rescore', latest.id, '--wait', '--json'], asKey);
    expect(rescored.code).toBe(0);
    expect(JSON.parse(rescored.out).document.batchId).toBe(latest.id);
    expect(first.find(({ id }) => id === latest.id)).toMatchObject({
      change: 'new',
      data: { status: 'complete', result: { batchId: latest.id } },
    });
    expect(await exportRuns()).toMatchObject([{ change: 'changed', id: latest.id }]);
    expect(await exportRuns()).toEqual([]);
  });
});

const runProgram = (args: string[], env: Record<string, string>) => startProgram(args, env).ended;

/** The command in a process of its own that is still going on. */
function startProgram(args: string[], env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { code: null, out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (ran.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (ran.err += chunk.toString()));
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ ...ran, code })));
  return {
    child,
    ended,
    async says(text: string, times = 1) {
      while (ran.err.split(text).length <= times) {
        if (child.exitCode !== null) throw new Error(`It ended before it said ${text}:\n${ran.err}${ran.out}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}
