import type { TestSpec } from '../tests/spec.ts';
import type { VersionChange } from '../versions/version-change.ts';

/** Tests in the order in which a change of the configuration asks for them, and what no test looks at. */
export interface Touched<Test> {
  tests: Test[];
  /** Changes that no test touches, in words. */
  untested: string[];
}

/** Words of a changed text that a test has to share before it counts as touched by it. */
const SHARED_WORDS = 2;
/** Shorter ones are the glue between words that tell something. */
const SHORTEST_WORD = 5;

/**
 * Tests that a change touches first, the others after them, each group in its order. A test is touched by a change of a
 * tool or step that it names, and by changed text that shares words with what it asks, says and expects.
 */
export function touchedFirst<Test extends { spec: TestSpec }>(
  tests: readonly Test[],
  changes: readonly VersionChange[],
): Touched<Test> {
  const read = tests.map(readTest);
  const touched = new Set<Test>();
  const untested: string[] = [];
  for (const change of changes) {
    const of = read.filter((test) => touches(test, change));
    for (const { test } of of) touched.add(test);
    if (of.length === 0) untested.push(change.detail);
  }
  const rest = tests.filter((test) => !touched.has(test));
  return { tests: [...tests.filter((test) => touched.has(test)), ...rest], untested };
}

/** Only the tests that a change touches. */
export function touchedBy<Test extends { spec: TestSpec }>(
  tests: readonly Test[],
  changes: readonly VersionChange[],
): Test[] {
  return tests.filter((test) => changes.some((change) => touches(readTest(test), change)));
}

const NAMED_AT_MOST = 5;

/** What changed without a test, in a sentence; null where all of it is tested. */
export function untestedWords(untested: readonly string[]): string | null {
  if (untested.length === 0) return null;
  const named = untested.slice(0, NAMED_AT_MOST).map((detail) => detail.replace(/\.$/, ''));
  const more = untested.length - named.length;
  return `Changed without a test: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

const readTest = <Test extends { spec: TestSpec }>(test: Test) => ({
  test,
  names: namesIn(test.spec),
  words: wordsOf(textOf(test.spec)),
});

function touches({ names, words }: Omit<ReturnType<typeof readTest>, 'test'>, change: VersionChange): boolean {
  return names.has(plain(change.place.id)) || names.has(plain(change.place.label)) || shares(words, change);
}

function namesIn({ fixtures, criteria }: TestSpec): Set<string> {
  const named = criteria.flatMap(({ check }) => {
    if (check === null) return [];
    if ('tool' in check) return [check.tool];
    if (check.kind === 'reached') return [check.step];
    return check.kind === 'order' ? check.steps : [];
  });
  return new Set([...fixtures.map(({ tool }) => tool), ...named].map(plain));
}

function textOf({ caller, criteria }: TestSpec): string {
  const said = criteria.flatMap(({ text, check }) => [text, check !== null && 'text' in check ? check.text : '']);
  return [caller.goal, caller.opening, ...(caller.script ?? []), ...said].join(' ');
}

function shares(words: ReadonlySet<string>, { before, after }: VersionChange): boolean {
  const changed = [...wordsOf(`${before ?? ''} ${after ?? ''}`)];
  const wanted = Math.min(SHARED_WORDS, changed.length);
  return wanted > 0 && changed.filter((word) => words.has(word)).length >= wanted;
}

const wordsOf = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= SHORTEST_WORD));

const plain = (name: string) => name.trim().toLowerCase();
