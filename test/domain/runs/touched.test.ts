import { expect, test } from 'vitest';
import { touchedBy, touchedFirst, untestedWords } from '../../../src/domain/runs/touched.ts';
import { changesBetween } from '../../../src/domain/versions/changes.ts';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';
import { makeSpec } from '../../support/specs.ts';

const before: AgentConfiguration = {
  name: 'Restaurant',
  language: 'en',
  prompt: 'Be kind.\nOffer the terrace when the weather is warm.',
  firstMessage: null,
  model: null,
  voice: null,
  tools: [
    {
      id: 'book_table',
      name: 'book_table',
      description: 'Books.',
      kind: 'other',
      parameters: null,
      timeoutMs: 1000,
      speaksDuring: null,
    },
  ],
  nodes: [],
  startNodeId: null,
  variables: {},
};
const parking = {
  name: 'parking',
  spec: makeSpec({
    caller: {
      goal: 'Asks whether the terrace is open in warm weather',
      opening: 'Hello',
      facts: {},
      style: '',
      script: [],
    },
    fixtures: [],
    criteria: [{ id: 'c', text: 'Is kind.', required: true, check: null }],
  }),
};
const booking = { name: 'booking', spec: makeSpec() };
const other = {
  name: 'other',
  spec: makeSpec({
    caller: { goal: 'Cancels', opening: 'Cancel it', facts: {}, style: '', script: [] },
    fixtures: [],
    criteria: [{ id: 'c', text: 'Says sorry.', required: true, check: { kind: 'reached', step: 'Goodbye' } }],
  }),
};
const step = (id: string, label: string) => ({ id, label, kind: 'say', text: null, toolName: null, edges: [] });
const order = (after: Partial<AgentConfiguration>) => {
  const { tests, untested } = touchedFirst([other, parking, booking], changesBetween(before, { ...before, ...after }));
  return { names: tests.map(({ name }) => name), untested };
};

test('without a change the tests keep their order', () => {
  expect(order({})).toEqual({ names: ['other', 'parking', 'booking'], untested: [] });
});

test('a changed tool brings forward the tests that name it', () => {
  const [tool] = before.tools;
  const tools = tool ? [{ ...tool, timeoutMs: 9000 }] : [];
  expect(order({ tools })).toEqual({ names: ['booking', 'other', 'parking'], untested: [] });
});

test('a changed line brings forward the tests that speak of the same things', () => {
  const prompt = 'Be kind.\nOffer the terrace when the weather is warm and dry.';
  expect(order({ prompt })).toEqual({ names: ['parking', 'other', 'booking'], untested: [] });
});

test('an added step brings forward the tests that ask for it by its name', () => {
  const nodes = [{ id: 'n1', label: 'Goodbye', kind: 'end', text: null, toolName: null, edges: [] }];
  expect(order({ nodes })).toMatchObject({ names: ['other', 'parking', 'booking'], untested: [] });
});

test('what no test touches is said, at most five of it by name', () => {
  const { untested } = order({ voice: 'another voice' });
  expect(untestedWords(untested)).toMatch(/^Changed without a test: .*[Vv]oice.*\.$/);
  expect(untestedWords([])).toBeNull();
  expect(untestedWords(['a.', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe(
    'Changed without a test: a; b; c; d; e; and 2 more.',
  );
});

test.each([
  ['nothing', {}, []],
  ['a tool that a test names', { tools: [] }, ['booking']],
  ['a text that shares words with a test', { prompt: 'Be kind.\nOffer the terrace in any weather.' }, ['parking']],
  ['a step that a test wants to be reached', { nodes: [step('g', 'goodbye')] }, ['other']],
  ['a step in the order of a test', { nodes: [step('pay', 'Payment')] }, ['paying']],
  ['a step that no test names', { nodes: [step('w', 'Waiting')] }, []],
])('tests that a change touches: %s', (_, after, names) => {
  const paying = {
    name: 'paying',
    spec: makeSpec({
      caller: { goal: 'Pays', opening: 'Hi', facts: {}, style: '', script: [] },
      fixtures: [],
      criteria: [{ id: 'c', text: 'In order.', required: true, check: { kind: 'order', steps: ['greet', 'PAY'] } }],
    }),
  };
  const changes = changesBetween(before, { ...before, ...after });
  expect(touchedBy([other, parking, booking, paying], changes).map(({ name }) => name)).toEqual(names);
});

test('words of a caller’s script and of what is to be said are words of a test', () => {
  const scripted = (over: object) =>
    makeSpec({
      caller: { goal: 'Asks', opening: 'Hi', facts: {}, style: '', script: [] },
      fixtures: [],
      criteria: [],
      ...over,
    });
  const said = scripted({
    criteria: [
      { id: 'c', text: 'Says it.', required: true, check: { kind: 'said', text: 'parasols outside', by: 'agent' } },
    ],
  });
  const script = scripted({
    caller: { goal: 'Asks', opening: 'Hi', facts: {}, style: '', script: ['Are there parasols outside?'] },
  });
  const changes = changesBetween(before, { ...before, prompt: `${before.prompt}\nPut parasols outside.` });
  expect(touchedBy([{ spec: said }, { spec: script }, { spec: scripted({}) }], changes)).toHaveLength(2);
});
