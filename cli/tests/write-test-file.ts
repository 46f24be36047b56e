import { isMap, isNode, parseDocument, stringify } from 'yaml';
import type { TestResource } from '../../src/contract/test.ts';
import { digestOf, type TestFile } from './test-file.ts';

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

/**
 * From the title, and the end of the id, so that two tests of one title have two files. The title of a test that was made
 * from a call may hold what a caller said, which a file name must not repeat: there the first criterion's id is taken.
 */
export function fileNameOf({
  id,
  title,
  source,
  spec,
}: Pick<TestResource, 'id' | 'title' | 'source' | 'spec'>): string {
  const named = source === 'written' ? title.replaceAll(PERSONAL, ' ') : (spec.criteria[0]?.id ?? '');
  const slug = named
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '');
  return `${slug === '' ? 'test' : slug}-${id.slice(-8).toLowerCase()}.yaml`;
}

/** Addresses of mail and long rows of figures. */
const PERSONAL = /[^\s@]{1,80}@[^\s@]{1,80}|\d(?:[\s().-]?\d){4,30}/g;
