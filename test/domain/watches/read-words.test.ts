import { describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../../src/domain/versions/configuration.ts';
import { type FormProblem, problemOf } from '../../../src/domain/watches/check-form.ts';
import { readWords } from '../../../src/domain/watches/read-words.ts';
import { suggestWatches } from '../../../src/domain/watches/suggest.ts';
import type { WatchForm } from '../../../src/domain/watches/watch.ts';
import { scripted } from '../signals/scripted-call.ts';

const tool = (name: string, kind: ToolDefinition['kind'] = 'other'): ToolDefinition => ({
  id: `id-${name}`,
  name,
  description: '',
  kind,
  parameters: { type: 'object', properties: { date: {} } },
  timeoutMs: null,
  speaksDuring: null,
});
const node = (id: string, label: string, text: string | null = null) => ({
  id,
  label,
  kind: 'say',
  text,
  toolName: null,
  edges: [],
});
const START = 'Greeting';
const given = {
  prompt: 'You book tables.\nAlways say "this call is recorded".\nNever be rude.\nBe friendly.',
  tools: [tool('book_table'), tool('find_table'), tool('transfer_to_host', 'transfer')],
  startNodeId: 'n1',
  nodes: [node('n1', START), node('n2', 'Closing', 'Never promise a refund.')],
};
const { configuration } = scripted([{ a: 'Hello.' }], { configuration: given });
if (!configuration) throw new Error('The call has a configuration.');
const known = { configuration, intents: [{ slug: 'book_a_table', label: 'Book a table' }] };

describe('the words of a person', () => {
  test.each<[scope: string, expectation: string, form: WatchForm]>([
    [
      'all calls',
      'say "this call is recorded"',
      { scope: { kind: 'all_calls' }, expectation: { kind: 'says', text: 'this call is recorded' }, polarity: 'must' },
    ],
    [
      'If the caller asks for a person',
      'transfer them',
      {
        scope: { kind: 'caller_said', act: 'asks_for_person' },
        expectation: { kind: 'outcome', outcome: 'transferred' },
        polarity: 'must',
      },
    ],
    [
      'calls about Book a table',
      'The call ends within 5 minutes',
      {
        scope: { kind: 'intent', intent: 'book_a_table' },
        expectation: { kind: 'ends_within', seconds: 300 },
        polarity: 'must',
      },
    ],
    [
      'calls that reach Greeting',
      'The agent asks for the date',
      {
        scope: { kind: 'step_reached', step: 'Greeting' },
        expectation: { kind: 'asks_for', words: ['date'], before: null },
        polarity: 'must',
      },
    ],
    [
      'callers say "my deposit"',
      'never ends as abandoned',
      {
        scope: { kind: 'caller_said', text: 'my deposit' },
        expectation: { kind: 'outcome', outcome: 'abandoned' },
        polarity: 'must_not',
      },
    ],
    [
      'calls that end as resolved',
      'come to Closing',
      {
        scope: { kind: 'outcome', outcome: 'resolved' },
        expectation: { kind: 'reaches', step: 'Closing' },
        polarity: 'must',
      },
    ],
  ])('"%s", "%s"', (scope, expectation, form) => {
    const read = readWords(
      { scope: { text: scope, code: null }, expectation: { text: expectation, polarity: null, code: null } },
      known,
    );
    expect(read).toEqual({ form, unread: [], nearest: null });
  });

  test('that no rule can put into code are a model’s, and said', () => {
    const words = { text: 'Sound as if you cared', polarity: null, code: null };
    const read = readWords({ scope: { text: 'all calls', code: null }, expectation: words }, known);
    expect(read.form.expectation.kind).toBe('judged');
    expect(read.unread).toEqual(['Sound as if you cared']);
  });

  test('that hold two orders leave none out in silence', () => {
    const text = 'Always say "this call is recorded". Never be rude.';
    const expectation = { text, polarity: null, code: null };
    const read = readWords({ scope: { text: '', code: null }, expectation }, known);
    expect(read.form.expectation).toEqual({ kind: 'judged', text });
    expect(read.nearest?.expectation.kind).toBe('says');
    expect(read.unread).toEqual(['Never be rude.']);
  });
});

describe('an expectation that would say nothing is named before it is saved', () => {
  const all = { kind: 'all_calls' } as const;
  test.each<[WatchForm, FormProblem['param'], RegExp]>([
    [
      { scope: { kind: 'tool_called', tool: 'gone' }, expectation: { kind: 'says', text: 'hi' }, polarity: 'must' },
      'scope.code.tool',
      /no tool/,
    ],
    [
      { scope: all, expectation: { kind: 'tool_called', tool: 'gone' }, polarity: 'must' },
      'expectation.code.tool',
      /no tool/,
    ],
    [
      { scope: all, expectation: { kind: 'reaches', step: 'gone' }, polarity: 'must' },
      'expectation.code.step',
      /no step/,
    ],
    [
      { scope: { kind: 'intent', intent: 'gone' }, expectation: { kind: 'says', text: 'hi' }, polarity: 'must' },
      'scope.code.intent',
      /never applies/,
    ],
    [
      {
        scope: all,
        expectation: { kind: 'tool_called_with', tool: 'book_table', args: { color: 1 } },
        polarity: 'must',
      },
      'expectation.code.args.color',
      /takes no/,
    ],
    [
      {
        scope: all,
        expectation: { kind: 'tool_called_before', tool: 'book_table', before: 'book_table' },
        polarity: 'must',
      },
      'expectation',
      /never hold/,
    ],
    [
      {
        scope: { kind: 'tool_called', tool: 'book_table' },
        expectation: { kind: 'tool_called', tool: 'book_table' },
        polarity: 'must_not',
      },
      'expectation',
      /never hold/,
    ],
    [
      {
        scope: { kind: 'outcome', outcome: 'resolved' },
        expectation: { kind: 'outcome', outcome: 'resolved' },
        polarity: 'must',
      },
      'expectation',
      /always holds/,
    ],
    [
      {
        scope: { kind: 'outcome', outcome: 'resolved' },
        expectation: { kind: 'outcome', outcome: 'abandoned' },
        polarity: 'must',
      },
      'expectation',
      /never hold/,
    ],
    [
      { scope: all, expectation: { kind: 'outcome', outcome: 'no_contact' }, polarity: 'must' },
      'expectation',
      /never hold/,
    ],
    [{ scope: all, expectation: { kind: 'reaches', step: START }, polarity: 'must' }, 'expectation', /always holds/],
    [{ scope: all, expectation: { kind: 'reaches', step: START }, polarity: 'must_not' }, 'expectation', /never hold/],
  ])('%j', (form, param, message) => {
    const problem = problemOf(form, { configuration, intents: ['book_a_table'] });
    expect(problem).toMatchObject({ param, message: expect.stringMatching(message) });
  });

  test('nothing is held against an agent whose configuration nobody knows', () => {
    const form: WatchForm = { scope: all, expectation: { kind: 'tool_called', tool: 'x' }, polarity: 'must' };
    expect(problemOf(form, { configuration: null, intents: null })).toBeNull();
  });
});

describe('lines of the agent’s own text', () => {
  test('that are like rules become watches, with their words and where they stand', () => {
    const suggested = suggestWatches(configuration);
    expect(suggested.map(({ name }) => name)).toEqual([
      'Says “this call is recorded”',
      'Never be rude',
      'Never promises refund',
    ]);
    expect(suggested.map(({ step, line, text, form }) => [step, line, text, form.expectation.kind])).toEqual([
      [null, 2, 'Always say "this call is recorded".', 'says'],
      [null, 3, 'Never be rude.', 'judged'],
      ['Closing', 1, 'Never promise a refund.', 'says'],
    ]);
  });

  test('are worded by the sentence that asks for it, whatever else its line says', () => {
    const prompt = 'You are Ada, a receptionist. Be short. If a caller asks for a person, hand over to the desk.';
    expect(suggestWatches({ ...configuration, prompt, nodes: [] })).toMatchObject([
      { expectationText: 'If a caller asks for a person, hand over to the desk.', text: prompt },
    ]);
  });

  test('keep their key when they move and lose it when they change', () => {
    const moved = { ...configuration, prompt: `# Rules\n${given.prompt}` };
    const changed = { ...configuration, prompt: given.prompt.replace('recorded', 'taped') };
    const keys = (of: typeof configuration) => suggestWatches(of).map(({ sourceKey }) => sourceKey);
    expect(keys(moved)).toEqual(keys(configuration));
    expect(keys(changed)[0]).not.toBe(keys(configuration)[0]);
    expect(keys(changed).slice(1)).toEqual(keys(configuration).slice(1));
  });
});
