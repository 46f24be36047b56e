import { isMap, isNode, LineCounter, parseDocument } from 'yaml';
import type { FileProblem, TestFile } from './test-file.ts';

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
    value = document.toJS();
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
