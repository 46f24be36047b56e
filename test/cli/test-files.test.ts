import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readTestFile } from '../../cli/tests/read-test-file.ts';
import { isSameSpec } from '../../cli/tests/same-spec.ts';
import { isUntouched } from '../../cli/tests/test-file.ts';
import { fileNameOf, withIdentity, writeTestFile } from '../../cli/tests/write-test-file.ts';
import type { TestResource } from '../../src/contract/test.ts';
import { exampleSpec, testSpecInput } from '../../src/contract/test-spec.ts';
import { type CommandLine, commandLineFor } from '../support/command-line.ts';
import { createWorld, type World } from '../support/world.ts';

/** A spec in YAML, as somebody would write it by hand. */
const SPEC =
  '  caller: {goal: Book a table., opening: Hello., script: [Yes.]}\n  criteria:\n    - text: Says goodbye.\n      check: {kind: said, text: goodbye}\n';
const ID = '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e6f';

function stored(given: Partial<TestResource> = {}): TestResource {
  return {
    object: 'test',
    id: ID,
    title: 'Looks up times before it offers one',
    source: 'written',
    lane: null,
    expect: 'pass',
    guard: false,
    gates: false,
    gateReason: null,
    revision: 3,
    spec: testSpecInput.parse(exampleSpec),
    sourceCallId: null,
    generatedFrom: null,
    createdBy: 'earshot',
    archivedAt: null,
    lastResult: null,
    createdAt: '2026-03-02T09:15:04.120Z',
    updatedAt: '2026-03-02T09:15:04.120Z',
    ...given,
  };
}

function read(text: string) {
  const file = readTestFile('a.yaml', text);
  if (Array.isArray(file)) throw new Error(JSON.stringify(file));
  return file;
}
const problems = (text: string) => {
  const file = readTestFile('a.yaml', text);
  return Array.isArray(file) ? file.map(({ line, message }) => `${line}: ${message}`) : [];
};

describe('a test as a file', () => {
  test('holds all of the test, in the same order each time', () => {
    const text = writeTestFile(stored());
    expect(text).toMatch(/^# A test of Earshot\./);
    expect(text.match(/^\w+(?=:)/gm)).toEqual(['id', 'revision', 'digest', 'title', 'lane', 'expect', 'guard', 'spec']);
    const file = read(text);
    expect(file).toMatchObject({ id: ID, revision: 3, title: stored().title, spec: stored().spec });
    expect(isUntouched(file)).toBe(true);
    const shuffled = { ...stored().spec, caller: { ...stored().spec.caller } };
    expect(writeTestFile(stored({ spec: shuffled }))).toBe(text);
  });

  test('whatever text stands in it comes back as it was', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('no', '1.0', '- a', '# b', 'x: y', ' a\n b\n\n', '!!js'),
    );
    fc.assert(
      fc.property(text, text, fc.jsonValue(), (title, line, respond) => {
        const spec = {
          ...stored().spec,
          caller: { ...stored().spec.caller, opening: line, facts: { [line]: title }, script: [title, line] },
          fixtures: [{ tool: 'find', match: null, respond: JSON.parse(JSON.stringify(respond)), times: null }],
        };
        const file = read(writeTestFile(stored({ title: `t${title}`, spec })));
        expect(file.title).toBe(`t${title}`);
        expect(file.spec).toEqual(spec);
        expect(isSameSpec(file.spec, spec)).toBe(true);
      }),
    );
  });

  test('its name comes from the title and the end of the id', () => {
    expect(fileNameOf(stored({ title: 'Bücht „den Tisch“ / zurück' }))).toBe('bucht-den-tisch-zuruck-3c4d5e6f.yaml');
    expect(fileNameOf(stored({ title: '予約' }))).toBe('test-3c4d5e6f.yaml');
    expect(fileNameOf(stored({ title: 'Call 617 555 0133 or o.g@mail.com' }))).toBe('call-or-3c4d5e6f.yaml');
  });

  test('its name tells nothing of the call that it was made from', () => {
    const made = stored({ title: 'Success claimed: This is Quillan', source: 'production' });
    expect(fileNameOf(made)).toBe(`${made.spec.criteria[0]?.id.replaceAll('_', '-')}-3c4d5e6f.yaml`);
  });

  test('a new id and revision leave comments and order alone', () => {
    const own = '# Ours.\ntitle: Books # the main one\nspec:\n  # soon more\n  criteria: []\n';
    const written = withIdentity(read(own), { id: ID, revision: 1 });
    expect(written).toContain('# the main one');
    expect(written).toContain('# soon more');
    expect(read(written)).toMatchObject({ id: ID, revision: 1, title: 'Books' });
    expect(isUntouched(read(written))).toBe(true);
    expect(withIdentity(read(written), { id: ID, revision: 2 })).toBe(written.replace('revision: 1', 'revision: 2'));
    const json = '{"title": "Books", "spec": {"criteria":[]}}';
    expect(JSON.parse(withIdentity(read(json), { id: ID, revision: 4 }))).toMatchObject({ id: ID, revision: 4 });
    expect(withIdentity(read(json), { id: ID, revision: 4 })).toContain('"title": "Books", "spec": {"criteria":[]}}');
  });

  test('what is wrong with it is said with its line', () => {
    expect(problems('title: A\nspec: {}\nextra: 1\n')).toEqual([expect.stringMatching(/^3: extra: /)]);
    expect(problems('a: [1\n')).toEqual([expect.stringMatching(/^2: /)]);
    expect(problems('- a\n')).toEqual([expect.stringMatching(/^1: It is no test/)]);
    expect(problems('spec: {}\n')).toEqual([expect.stringMatching(/title: it is needed/)]);
    expect(problems('title: A\nid: 12\nspec: {}\n')).toHaveLength(2);
    expect(problems('title: A\ntitle: B\nspec: {}\n')).toHaveLength(1);
    expect(problems('title: A\nspec:\n  maxTurns: .inf\n')).toEqual([
      '3: spec.maxTurns: JSON can not hold this value.',
    ]);
    const bomb = Array.from({ length: 12 }, (_, at) => `a${at}: &a${at} [${`*a${at - 1},`.repeat(at === 0 ? 0 : 9)}1]`);
    expect(problems(`title: A\nspec:\n  ${bomb.join('\n  ')}\n`)).toHaveLength(1);
    expect(problems(' '.repeat(1_048_577))).toEqual(['1: It is longer than 1 MiB.']);
  });

  test('what a file leaves away is the same as its default on the server, and nothing else is', () => {
    const short = { caller: { goal: 'g', opening: 'o' }, criteria: [{ text: 'Says it.' }] };
    const whole = testSpecInput.parse(short);
    expect(isSameSpec(short, whole)).toBe(true);
    expect(isSameSpec(short, { ...whole, maxTurns: 13 })).toBe(false);
    expect(isSameSpec({ ...short, maxTurns: 13 }, whole)).toBe(false);
    expect(isSameSpec({ ...short, odd: 1 }, whole)).toBe(false);
    const [criterion] = whole.criteria;
    if (criterion) expect(isSameSpec(short, { ...whole, criteria: [{ ...criterion, required: false }] })).toBe(false);
    const facts = { caller: { ...short.caller, facts: ['name: Ada Brook', 'is late'] }, criteria: short.criteria };
    expect(isSameSpec(facts, testSpecInput.parse(facts))).toBe(true);
    expect(isSameSpec(facts, whole)).toBe(false);
    const respond = { tool: 't', respond: { a: null } };
    const withFixture = testSpecInput.parse({ ...short, fixtures: [respond] });
    expect(isSameSpec({ ...short, fixtures: [{ tool: 't', respond: {} }] }, withFixture)).toBe(false);
  });
});

describe('test files against a server', () => {
  let world: World;
  let cli: CommandLine;
  let folder: string;
  let agentId: string;
  beforeAll(async () => {
    world = await createWorld();
    cli = await commandLineFor(world);
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'earshot-tests-'));
    agentId = await world.makeAgent();
    return () => rmSync(folder, { recursive: true, force: true });
  });

  const cliTests = (...args: string[]) => cli.run(['tests', ...args, '--agent', agentId, '--dir', folder]);
  const path = (name: string) => join(folder, name);
  const write = (name: string, text: string) => writeFileSync(path(name), text);
  const files = () => readdirSync(folder).toSorted();
  const create = (title = 'Books a table', spec: unknown = exampleSpec) =>
    world.ask('POST', `/v1/agents/${agentId}/tests`, { as: world.writeKey, body: { title, spec } });
  const serverTests = async (): Promise<TestResource[]> => (await world.get(`/v1/agents/${agentId}/tests`)).body.data;

  test('pulling writes a file for each test, and again changes nothing', async () => {
    await create('Books a table');
    await create('Cancels');
    const first = await cliTests('pull');
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('2 new') });
    expect(files().map((name) => name.replace(/-[0-9a-f]{8}\.yaml$/, ''))).toEqual(['books-a-table', 'cancels']);
    const before = files().map((name) => readFileSync(path(name), 'utf8'));
    expect((await cliTests('pull')).out).toContain('0 new, 0 updated, 2 unchanged');
    expect(files().map((name) => readFileSync(path(name), 'utf8'))).toEqual(before);
    expect((await cliTests('push', '--dry-run')).out).toContain('0 new, 0 changed, 2 unchanged');
  });

  test('a file that somebody wrote becomes a test, and gets its id and revision; sent again, nothing happens', async () => {
    write('mine.yaml', `# Ours.\ntitle: Says goodbye\nspec:\n${SPEC}`);
    const dry = await cliTests('push', '--dry-run');
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('would create') });
    expect(await serverTests()).toHaveLength(0);
    expect(await cliTests('push')).toMatchObject({ code: 0, out: expect.stringContaining('1 new') });
    const [made] = await serverTests();
    expect(made).toMatchObject({ title: 'Says goodbye', revision: 1, source: 'written' });
    expect(readFileSync(path('mine.yaml'), 'utf8')).toMatch(
      new RegExp(`^# Ours\\.\\nid: ${made?.id}\\nrevision: 1\\n`),
    );
    expect((await cliTests('push')).out).toContain('0 new, 0 changed, 1 unchanged');
    expect(await serverTests()).toHaveLength(1);
  });

  test('a changed file becomes the next revision', async () => {
    await create();
    await cliTests('pull');
    const [name = ''] = files();
    write(name, readFileSync(path(name), 'utf8').replace('maxTurns: 12', 'maxTurns: 9'));
    expect((await cliTests('push')).out).toContain('0 new, 1 changed');
    expect(await serverTests()).toEqual([
      expect.objectContaining({ revision: 2, spec: expect.objectContaining({ maxTurns: 9 }) }),
    ]);
    expect(readFileSync(path(name), 'utf8')).toContain('revision: 2');
    expect((await cliTests('pull')).out).toContain('1 unchanged, 0 kept');
  });

  test('what others changed comes with a pull; what changed on both sides is refused until it is decided', async () => {
    const { body } = await create();
    await cliTests('pull');
    const [name = ''] = files();
    const others = (maxTurns: number, revision: number) =>
      world.ask('PUT', `/v1/agents/${agentId}/tests/${body.id}/spec`, {
        as: world.writeKey,
        body: { revision, spec: { ...exampleSpec, maxTurns } },
      });
    await others(20, 1);
    expect((await cliTests('push')).out).toContain('1 outdated');
    expect((await cliTests('pull')).out).toContain('1 updated');
    write(name, readFileSync(path(name), 'utf8').replace('maxTurns: 20', 'maxTurns: 5'));
    expect((await cliTests('pull')).out).toContain('1 kept');
    await others(30, 2);
    const refused = await cliTests('push');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Changed on the server since you pulled') });
    expect(await cliTests('pull')).toMatchObject({ code: 1, out: expect.stringContaining('1 conflicts') });
    expect(readFileSync(path(name), 'utf8')).toContain('maxTurns: 5');
    expect(await cliTests('pull', '--force')).toMatchObject({ code: 0, out: expect.stringContaining('1 updated') });
    expect(readFileSync(path(name), 'utf8')).toContain('maxTurns: 30');
    expect(await serverTests()).toEqual([expect.objectContaining({ revision: 3 })]);
  });

  test('one bad file keeps all from being sent, and is named with its line', async () => {
    write('a.yaml', `title: Good\nspec:\n${SPEC}`);
    write('b.yaml', `title: Bad\nspec:\n${SPEC.replace('kind: said', 'kind: shouted')}`);
    const pushed = await cliTests('push');
    expect(pushed.code).toBe(1);
    expect(pushed.err).toMatch(/b\.yaml:\d+: spec\.criteria\[0\]\.check/);
    expect(pushed.err).toContain('Nothing was sent');
    expect(await serverTests()).toHaveLength(0);
    const validated = await cli.run(['validate', folder, '--agent', agentId]);
    expect(validated.code).toBe(1);
    expect(validated.out).toMatch(/b\.yaml:\d+: spec\.criteria\[0\]\.check/);
    expect(validated.out).toContain('1 valid, 1 with problems.');
    expect(await cli.run(['validate', path('a.yaml'), '--agent', agentId])).toMatchObject({ code: 0 });
  });

  test('a file that is no text, or no file, is named and keeps all from being sent', async () => {
    write('a.yaml', `title: Good\nspec:\n${SPEC}`);
    writeFileSync(path('b.yaml'), Buffer.from('title: Caf\u00e9\n', 'latin1'));
    mkdirSync(path('c.yaml'));
    const pushed = await cliTests('push');
    expect(pushed).toMatchObject({ code: 1, err: expect.stringContaining('b.yaml:1: It can not be read as a text') });
    expect(pushed.err).toContain('c.yaml:1: ');
    expect(await serverTests()).toHaveLength(0);
    expect(await cli.run(['validate', path('none.yaml')])).toMatchObject({ code: 4 });
  });

  test('two files of one test are refused, and a test whose file is gone stays on the server', async () => {
    await create();
    await cliTests('pull');
    const [name = ''] = files();
    write('copy.yaml', readFileSync(path(name), 'utf8'));
    expect(await cliTests('push')).toMatchObject({ code: 1, err: expect.stringContaining('has the same id') });
    rmSync(path(name));
    rmSync(path('copy.yaml'));
    expect(await cliTests('push')).toMatchObject({ code: 0, out: expect.stringContaining('1 on the server only') });
    expect(await serverTests()).toHaveLength(1);
  });

  test('a test of another agent is refused with what to do', async () => {
    write('mine.yaml', `id: ${ID}\nrevision: 1\ntitle: Books\nspec:\n${SPEC}`);
    const pushed = await cliTests('push');
    expect(pushed).toMatchObject({ code: 1, err: expect.stringContaining('Take id, revision and digest out') });
  });

  test('a title is changed by a person, and refused to a key before anything is sent', async () => {
    await create('Books');
    await cliTests('pull');
    const [name = ''] = files();
    write(name, readFileSync(path(name), 'utf8').replace('title: Books', 'title: Books a table'));
    const env = { EARSHOT_URL: cli.stored().url, EARSHOT_KEY: world.writeKey, EARSHOT_DATA: folder };
    const byKey = await cli.run(['tests', 'push', '--agent', agentId, '--dir', folder], env);
    expect(byKey).toMatchObject({ code: 4, err: expect.stringContaining('by a person only') });
    expect(await cliTests('push')).toMatchObject({ code: 0, out: expect.stringContaining('settled') });
    expect(await serverTests()).toEqual([expect.objectContaining({ title: 'Books a table', revision: 1 })]);
  });

  test('the list says which tests gate and why', async () => {
    await create('Books');
    const listed = await cli.run(['tests', '--agent', agentId]);
    expect(listed.out).toMatch(/Books +written +no +/);
    expect(JSON.parse((await cli.run(['tests', '--agent', agentId, '--json'])).out)).toHaveLength(1);
  });
});

test('more files than the limit on writes lets through at once are sent with waits, and people hear of the first', async () => {
  const world = await createWorld({ limited: true });
  const folder = mkdtempSync(join(tmpdir(), 'earshot-tests-'));
  try {
    const cli = await commandLineFor(world);
    for (let at = 1; at <= 26; at += 1) {
      writeFileSync(join(folder, `t${at}.yaml`), `title: Test ${at}\nspec:\n${SPEC}`);
    }
    const pushed = await cli.run(['tests', 'push', '--agent', world.agentId, '--dir', folder]);
    expect(pushed).toMatchObject({ code: 0, out: expect.stringContaining('26 new') });
    // On a machine slow enough there is nothing to wait for.
    expect(pushed.err.match(/rate_limited/g)?.length ?? 0).toBeLessThan(2);
    expect((await world.get(`/v1/agents/${world.agentId}/tests?limit=100`)).body.data).toHaveLength(26);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await world.close();
  }
});
