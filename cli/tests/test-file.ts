import { createHash } from 'node:crypto';
import { isMap, isNode, LineCounter, parseDocument, stringify } from 'yaml';
import type { TestResource } from '../../src/contract/test.ts';

/** A test as a file of the user's repository: YAML, or JSON, which is YAML. */
export interface TestFile {
  path: string;
  text: string;
  /** Null: not on the server yet. */
  id: string | null;
  /** The revision of the server that the file was last the same as. */
  revision: number | null;
  /** Of the content as it was pulled or pushed: another content has changes that the server does not know. */
  digest: string | null;
  title: string;
  lane: TestResource['lane'];
  expect: TestResource['expect'];
  guard: boolean;
  /** As it stands in the file; the server says whether it is sound. */
  spec: unknown;
  /** Line of a field such as `spec.criteria[0].text`, or of what comes nearest above it. */
  lineOf(param: string): number;
}

/** What is wrong with a file, at a line. */
export interface FileProblem {
  path: string;
  line: number;
  message: string;
}

const KEYS = ['id', 'revision', 'digest', 'title', 'lane', 'expect', 'guard', 'spec'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LONGEST_FILE = 1024 * 1024;

export function readTestFile(path: string, text: string): TestFile | FileProblem[] {
  if (text.length > LONGEST_FILE) return [{ path, line: 1, message: 'It is longer than 1 MiB.' }];
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems = document.errors.map(({ pos, message }) => ({ path, line: lines.linePos(pos[0]).line, message }));
  if (problems.length > 0) return problems;
  const lineOf = (param: string) => {
    for (let keys = keysOf(param); keys.length > 0; keys = keys.slice(0, -1)) {
      const node = document.getIn(keys, true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const wrong = (param: string, message: string) => problems.push({ path, line: lineOf(param), message });
  if (!isMap(document.contents)) return [{ path, line: 1, message: 'It is no test: a test has a title and a spec.' }];
  let value: Record<string, unknown>;
  try {
    value = document.toJS() as Record<string, unknown>;
  } catch (error) {
    return [{ path, line: 1, message: error instanceof Error ? error.message : 'It can not be read.' }];
  }
  const { id = null, revision = null, digest = null, title, lane = null, expect = 'pass', guard = false, spec } = value;
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key)) wrong(key, `${key}: there is no such field; a test has ${KEYS.join(', ')}.`);
  }
  if (id !== null && !(typeof id === 'string' && UUID.test(id))) wrong('id', 'id: it must be the id of a test.');
  if (id !== null && !(Number.isInteger(revision) && Number(revision) > 0))
    wrong('revision', 'revision: it must be the whole number that came with the id. Pull the test again.');
  if (typeof title !== 'string' || title.trim() === '') wrong('title', 'title: it is needed.');
  if (expect !== 'pass' && expect !== 'fail') wrong('expect', 'expect: it must be pass or fail.');
  if (typeof guard !== 'boolean') wrong('guard', 'guard: it must be true or false.');
  if (spec === undefined) wrong('spec', 'spec: it is needed.');
  const odd = findNonJson(spec, 'spec');
  if (odd !== null) wrong(odd, `${odd}: JSON can not hold this value.`);
  if (problems.length > 0) return problems;
  return {
    path,
    text,
    lineOf,
    id: typeof id === 'string' ? id.toLowerCase() : null,
    revision: id === null ? null : Number(revision),
    digest: typeof digest === 'string' ? digest : null,
    title: String(title),
    lane: lane as TestFile['lane'],
    expect: expect as TestFile['expect'],
    guard: guard === true,
    spec,
  };
}

/** The whole file of a test, its fields always in the same order. */
export function writeTestFile(test: TestResource): string {
  const { id, revision, title, lane, expect, guard, spec } = test;
  const { caller, fixtures, criteria, maxTurns, tier } = spec;
  const ordered = {
    id,
    revision,
    digest: digestOf(test),
    title,
    lane,
    expect,
    guard,
    spec: {
      caller: {
        goal: caller.goal,
        opening: caller.opening,
        facts: caller.facts,
        style: caller.style,
        script: caller.script,
      },
      fixtures: fixtures.map(({ tool, match, respond, times }) => ({ tool, match, respond, times })),
      criteria: criteria.map(({ id, text, required, check }) => ({ id, text, required, check })),
      maxTurns,
      tier,
    },
  };
  return `${HEADER}${stringify(ordered, { lineWidth: 0 })}`;
}

const HEADER = `# A test of Earshot. \`earshot tests push\` sends what you change, \`earshot tests pull\` brings what others changed.
# id, revision and digest tie the file to the test on the server: leave them as they are.
`;

type Content = Pick<TestFile, 'title' | 'lane' | 'expect' | 'guard' | 'spec'>;

/** The same for the same content, however it is laid out. */
export function digestOf({ title, lane, expect, guard, spec }: Content): string {
  const canonical = JSON.stringify([title, lane, expect, guard, spec], (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(canonical).digest('hex').slice(0, 16);
}

/** Whether the file still says what was pulled or pushed. */
export const isUntouched = (file: TestFile) => file.digest === digestOf(file);

/** The same text as what the server has now; whatever else stands in it stays as it is laid out. */
export function withIdentity(file: TestFile, { id, revision }: Pick<TestResource, 'id' | 'revision'>): string {
  const { contents } = parseDocument(file.text);
  const first = isMap(contents) ? contents.items[0]?.key : undefined;
  if (!isMap(contents) || !first) throw new Error('A file that was read as a test is none.');
  const write = (value: string | number) => (contents.flow ? JSON.stringify(value) : stringify(value).trimEnd());
  const texts = Object.entries({ id, revision, digest: digestOf(file) });
  const missing = texts.filter(([key]) => !contents.has(key));
  const added = missing.map(([key, value]) =>
    contents.flow ? `"${key}": ${write(value)}, ` : `${key}: ${write(value)}\n`,
  );
  const edits = [{ from: first.range[0], to: first.range[0], text: added.join('') }];
  for (const [key, value] of texts) {
    const node = contents.get(key, true);
    if (!isNode(node) || !node.range) continue;
    edits.push({ from: node.range[0], to: node.range[1], text: write(value) });
  }
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to), file.text);
}

/** From the title, and the end of the id, so that two tests of one title have two files. */
export function fileNameOf({ id, title }: Pick<TestResource, 'id' | 'title'>): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
  return `${slug === '' ? 'test' : slug}-${id.slice(-8).toLowerCase()}.yaml`;
}

/** `a.b[0]` as keys. */
function keysOf(param: string): (string | number)[] {
  return [...param.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? '') : Number(index),
  );
}

/** Where something stands that would become something else on its way: dates, infinities, keys that are no text. */
function findNonJson(value: unknown, at: string): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : at;
  if (Array.isArray(value)) return first(value.map((each, index) => () => findNonJson(each, `${at}[${index}]`)));
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value === undefined ? null : at;
  return first(
    Object.entries(value).map(
      ([key, each]) =>
        () =>
          findNonJson(each, `${at}.${key}`),
    ),
  );
}

function first(looks: (() => string | null)[]): string | null {
  for (const look of looks) {
    const found = look();
    if (found !== null) return found;
  }
  return null;
}
