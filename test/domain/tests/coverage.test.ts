import { expect, test } from 'vitest';
import { type Coverable, coverByTests, type TestReach } from '../../../src/domain/tests/coverage.ts';
import type { Check } from '../../../src/domain/tests/spec.ts';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';

const configuration = {
  tools: [{ id: 'tool_1', name: 'book_table' }],
  nodes: [{ id: 'n1', label: 'Pick a day' }],
} as unknown as AgentConfiguration;
const item = (kind: Coverable['kind'], id: string, over: Partial<Coverable> = {}): Coverable => ({
  kind,
  id,
  label: id,
  calls: null,
  aliases: [],
  ...over,
});
const reach = (id: string, over: Partial<TestReach> = {}, check: Check | null = null): TestReach => ({
  id,
  spec: { criteria: [{ id: 'c', text: 'x', required: true, check }], fixtures: [] },
  generatedFrom: null,
  intents: [],
  places: [],
  issueIds: [],
  ...over,
});
const items = [
  item('intent', 'book'),
  item('node', 'n1'),
  item('tool', 'book_table', { aliases: ['tool_1'] }),
  item('issue', 'i1'),
];
const covered = (test: TestReach) =>
  coverByTests(items, [test], configuration)
    .filter(({ testIds }) => testIds.length > 0)
    .map(({ kind }) => kind);

test.each<[string, TestReach, string[]]>([
  ['its source call’s intents', reach('t', { intents: ['book', 'cancel'] }), ['intent']],
  [
    'the places that call reached',
    reach('t', {
      places: [
        { kind: 'node', id: 'n1' },
        { kind: 'tool', id: 'tool_1' },
      ],
    }),
    ['node', 'tool'],
  ],
  ['issues that call is evidence of', reach('t', { issueIds: ['i1'] }), ['issue']],
  ['what it was generated from', reach('t', { generatedFrom: 'issue:i1' }), ['issue']],
  ['a tool that a check names', reach('t', {}, { kind: 'tool_called', tool: 'tool_1' }), ['tool']],
  ['a step that a check names by its label', reach('t', {}, { kind: 'reached', step: 'pick a day' }), ['node']],
  ['tools and steps of an order', reach('t', {}, { kind: 'order', steps: ['n1', 'book_table'] }), ['node', 'tool']],
  [
    'a tool that it has a fixture for',
    reach('t', { spec: { criteria: [], fixtures: [{ tool: 'book_table', match: null, respond: 1, times: null }] } }),
    ['tool'],
  ],
  ['nothing by words alone', reach('t', {}, { kind: 'said', text: 'book' }), []],
])('a test covers %s', (_, test_, kinds) => {
  expect(covered(test_)).toEqual(kinds);
});

test('an intent is covered under slugs that were merged into it', () => {
  const merged = item('intent', 'book', { aliases: ['reserve'] });
  expect(coverByTests([merged], [reach('t', { intents: ['reserve'] })], null)[0]?.testIds).toEqual(['t']);
});

test('what no test covers comes first of its kind, most calls first', () => {
  const all = [
    item('tool', 'x'),
    item('intent', 'a', { calls: 5 }),
    item('intent', 'b', { calls: 9 }),
    item('intent', 'c', { calls: 7 }),
  ];
  const shown = coverByTests(all, [reach('t1', { intents: ['b'] }), reach('t2', { intents: ['b'] })], null);
  expect(shown.map(({ id, testIds }) => [id, testIds])).toEqual([
    ['c', []],
    ['a', []],
    ['b', ['t1', 't2']],
    ['x', []],
  ]);
});
