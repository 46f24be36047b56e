import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { stageCommandLine } from '../../release/command-line.ts';
import { pack } from '../../release/pack.ts';
import { openRunWorld, type RunWorld } from '../support/run-world.ts';
import { parseXml } from '../support/strict-xml.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const address = inject('temporalAddress');

interface Step {
  name?: string;
  id?: string;
  uses?: string;
  shell?: string;
  run?: string;
  env?: Record<string, string>;
}
interface Action {
  inputs: Record<string, { required?: boolean; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

const read = (path: string) => readFileSync(join(PROJECT, 'docs/ci', path), 'utf8');
const action: Action = parse(read('github/action.yml'));

describe('the files to copy', () => {
  test('no input of the action becomes part of a script', () => {
    for (const step of action.runs.steps) {
      if (step.run === undefined) continue;
      expect(step.shell).toBe('bash');
      expect(step.run).not.toContain('${{');
    }
  });

  test('the example workflow gives the action what it needs, and nothing that it does not know', () => {
    const workflow = parse(read('github/workflow.yml'));
    const [job] = Object.values<{ steps: { uses: string; with?: Record<string, string> }[] }>(workflow.jobs);
    const given = Object.keys(job?.steps.find(({ uses }) => uses.endsWith('actions/earshot'))?.with ?? {});
    const required = Object.entries(action.inputs).filter(([, { required }]) => required);
    expect(given).toEqual(expect.arrayContaining(required.map(([name]) => name)));
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(given));
  });
});

describe.skipIf(address === null)('the files to copy, at work', () => {
  let runs: RunWorld;
  let url: string;
  let github: Server;
  let tools: string;
  let tarball: string;
  let folder: string;
  /** Comments of the pull request, as the stand-in for GitHub has them. */
  let comments: { id: number; body: string; user: { type: string } }[];
  let refuses = false;

  beforeAll(async () => {
    runs = await openRunWorld(address);
    runs.sendOutbox();
    tools = mkdtempSync(join(tmpdir(), 'earshot-ci-tools-'));
    folder = tools;
    tarball = pack(await stageCommandLine('@acme'), tools);
    const install = action.runs.steps.find(({ env }) => env?.['PACKAGE'])?.run ?? '';
    const installed = await bash(install, { PACKAGE: tarball });
    if (installed.code !== 0) throw new Error(installed.out);
    await runs.world.app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${portOf(runs.world.app.server)}`;
    await runs.makeTest('Names the fee', { opening: 'How much is a cleaning?', says: '90 to 140' });
    await runs.makeTest('It\'s $(kind) & "odd"', { opening: 'How much is a cleaning?', says: null });
    github = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        response.statusCode = refuses ? 403 : 200;
        response.end(JSON.stringify(refuses ? {} : answer(request.method ?? '', request.url ?? '', text)));
      });
    });
    await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    github?.close();
    rmSync(tools, { recursive: true });
    await runs?.close();
  });
  beforeEach(() => {
    comments = [];
    refuses = false;
    folder = mkdtempSync(join(tmpdir(), 'earshot-ci-'));
    return () => rmSync(folder, { recursive: true, force: true });
  });

  function answer(method: string, path: string, text: string): unknown {
    expect(path).toMatch(/^\/repos\/team\/agents\/issues\/(7\/comments|comments\/\d+)/);
    if (method === 'GET') return comments;
    const { body } = JSON.parse(text) as { body: string };
    const found = comments.find(({ id }) => path.endsWith(`/comments/${id}`));
    if (method === 'PATCH' && found) found.body = body;
    else comments.push({ id: comments.length + 1, body, user: { type: 'Bot' } });
    return {};
  }

  test('a run that passes: exit code, JUnit, summary, and one comment that the next run replaces', async () => {
    // Somebody else's comment with the same beginning stays as it is.
    comments.push({ id: 1, body: `<!-- earshot-run ${runs.agentId} --> mine`, user: { type: 'User' } });
    const first = await runAction({ tests: 'Names the fee\n' });
    expect(first).toMatchObject({ code: 0, outputs: { 'exit-code': '0' } });
    expect(parseXml(readFileSync(join(folder, 'earshot-junit.xml'), 'utf8')).attributes).toMatchObject({ tests: '1' });
    expect(JSON.parse(readFileSync(join(folder, 'earshot-result.json'), 'utf8'))).toMatchObject({ schemaVersion: 1 });
    expect(first.summary).toContain('Names the fee');
    expect(comments).toHaveLength(2);
    const before = comments[1]?.body;
    expect(await runAction({ tests: 'Names the fee' })).toMatchObject({ code: 0 });
    expect(comments).toHaveLength(2);
    expect(comments[1]?.body).not.toBe(before);
    expect(comments[0]?.body).toContain('mine');
  });

  test('a run that does not pass fails the job after it was told; a comment that is refused is only a warning', async () => {
    refuses = true;
    await bash(`earshot tests pull --agent ${runs.agentId}`, SERVER());
    const ran = await runAction({ tests: 'It\'s $(kind) & "odd"\n\n' });
    expect(ran.out).toMatch(
      /::(error|warning) file=tests\/earshot\/it-s-kind-odd[^,]*,line=\d+,title=Earshot::It's \$\(kind\)/,
    );
    expect(ran).toMatchObject({ code: 1, outputs: { 'exit-code': '1' } });
    expect(ran.out).toContain('::warning::The comment could not be written');
    expect(ran.summary).toContain('no required criterion was judged');
  });

  test('without a choice all tests are played; without access the job ends with 4 and a report that says why', async () => {
    writeFileSync(join(folder, 'earshot-junit.xml'), 'of an earlier job');
    const refused = await runAction({ key: `svc_${'x'.repeat(32)}` });
    expect(refused).toMatchObject({ code: 4, summary: expect.stringContaining('Refused: This key is unknown') });
    const report = parseXml(readFileSync(join(folder, 'earshot-junit.xml'), 'utf8'));
    expect(report.attributes).toMatchObject({ tests: '1', errors: '1' });
    await runAction({});
    expect(JSON.parse(readFileSync(join(folder, 'earshot-result.json'), 'utf8')).cells).toHaveLength(2);
  });

  test('the job for GitLab writes the same', async () => {
    const { earshot: job } = parse(read('gitlab.yml'));
    const ran = await bash(job.script.join('\n'), { ...SERVER(), EARSHOT_AGENT: runs.agentId });
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('Passed') });
    const report = readFileSync(join(folder, job.artifacts.reports.junit), 'utf8');
    expect(parseXml(report).attributes).toMatchObject({ tests: '2' });
    for (const path of job.artifacts.paths) expect(readFileSync(join(folder, path), 'utf8')).not.toBe('');
  });

  const SERVER = () => ({ EARSHOT_URL: url, EARSHOT_KEY: runs.world.writeKey });

  /** Runs the steps as GitHub does: in order, until one fails. */
  async function runAction(given: Record<string, string>) {
    const inputs: Record<string, string> = {
      url,
      key: runs.world.writeKey,
      agent: runs.agentId,
      package: tarball,
      ...given,
    };
    for (const [name, { default: value }] of Object.entries(action.inputs)) inputs[name] ??= value ?? '';
    const outputs: Record<string, string> = {};
    writeFileSync(join(folder, 'output'), '');
    writeFileSync(join(folder, 'summary'), '');
    writeFileSync(join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 7 } }));
    let [code, out] = [0, ''];
    for (const { run, env = {} } of action.runs.steps) {
      if (run === undefined) continue;
      const values = Object.entries(env).map(([key, value]) => [key, resolve(value, inputs, outputs)]);
      const ran = await bash(run, {
        ...Object.fromEntries(values),
        GITHUB_ACTION_PATH: join(PROJECT, 'docs/ci/github'),
        GITHUB_OUTPUT: join(folder, 'output'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        GITHUB_REPOSITORY: 'team/agents',
        GITHUB_API_URL: `http://127.0.0.1:${portOf(github)}`,
      });
      for (const line of readFileSync(join(folder, 'output'), 'utf8').split('\n').filter(Boolean)) {
        const [key = '', value = ''] = line.split('=');
        outputs[key] = value;
      }
      out += ran.out;
      code = ran.code ?? 1;
      if (code !== 0) break;
    }
    return { code, out, outputs, summary: readFileSync(join(folder, 'summary'), 'utf8') };
  }

  function resolve(value: string, inputs: Record<string, string>, outputs: Record<string, string>): string {
    return value.replaceAll(
      /\$\{\{ (?:(inputs)|steps\.run\.outputs)\.([\w-]+) \}\}/g,
      (_all, isInput, name: string) => {
        const found = (isInput ? inputs : outputs)[name];
        if (found === undefined) throw new Error(`${value} names nothing.`);
        return found;
      },
    );
  }

  function bash(script: string, env: Record<string, string>): Promise<{ code: number | null; out: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
        cwd: folder,
        env: {
          PATH: `${join(tools, 'earshot/node_modules/.bin')}:${join(PROJECT, 'node_modules/.bin')}:${process.env['PATH']}`,
          HOME: folder,
          RUNNER_TEMP: tools,
          npm_config_offline: 'true',
          EARSHOT_DATA: folder,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let out = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, out }));
    });
  }
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
