import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/domain/json.ts';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';
import { problemOf } from '../../../src/domain/watches/check-form.ts';
import type { WatchExpectation, WatchForm, WatchScope } from '../../../src/domain/watches/watch.ts';
import { nodeNamed, toolNamed } from '../../support/played.ts';

const configuration: AgentConfiguration = {
  name: 'Front desk',
  language: null,
  prompt: null,
  firstMessage: null,
  model: null,
  voice: null,
  tools: [toolNamed('find'), toolNamed('book', { parameters: { type: 'object', properties: { day: {} } } })],
  nodes: [nodeNamed('n1', 'Greeting'), nodeNamed('n2', 'Closing')],
  startNodeId: 'n1',
  variables: {},
};
const ALL: WatchScope = { kind: 'all_calls' };
const called = (tool: string): WatchExpectation => ({ kind: 'tool_called', tool });
const problem = (
  scope: WatchScope,
  expectation: WatchExpectation,
  polarity: WatchForm['polarity'] = 'must',
  known: Parameters<typeof problemOf>[1] = { configuration, intents: ['refund'] },
) => problemOf({ scope, expectation, polarity }, known);

describe('what the agent does not have can never apply', () => {
  test.each<[string, WatchScope, WatchExpectation, string]>([
    ['a tool of the scope', { kind: 'tool_called', tool: 'send' }, called('book'), 'scope.code.tool'],
    ['a tool that is expected', ALL, called('send'), 'expectation.code.tool'],
    [
      'a tool that comes behind',
      ALL,
      { kind: 'tool_called_before', tool: 'find', before: 'send' },
      'expectation.code.before',
    ],
    ['a step', { kind: 'step_reached', step: 'Payment' }, called('book'), 'scope.code.step'],
    ['an intent', { kind: 'intent', intent: 'parking' }, called('book'), 'scope.code.intent'],
    ['an argument', ALL, { kind: 'tool_called_with', tool: 'book', args: { hour: 9 } }, 'expectation.code.args.hour'],
  ])('%s', (_, scope, expectation, param) => {
    expect(problem(scope, expectation)).toMatchObject({ param });
  });

  test.each<[string, WatchScope, WatchExpectation]>([
    ['a tool by its id', ALL, called('id-of-book')],
    ['a step by its label', { kind: 'step_reached', step: 'closing' }, called('book')],
    ['an intent', { kind: 'intent', intent: 'refund' }, called('book')],
    ['an argument', ALL, { kind: 'tool_called_with', tool: 'book', args: { day: 'Friday' } }],
    ['an argument of a tool that names none', ALL, { kind: 'tool_called_with', tool: 'find', args: { day: 1 } }],
  ])('but it has %s', (_, scope, expectation) => {
    expect(problem(scope, expectation)).toBeNull();
  });

  test('and is not known before a configuration and intents are', () => {
    const unknown = { configuration: null, intents: null };
    expect(problem({ kind: 'tool_called', tool: 'send' }, called('mail'), 'must', unknown)).toBeNull();
    expect(problem({ kind: 'intent', intent: 'parking' }, called('mail'), 'must', unknown)).toBeNull();
    expect(problem(ALL, { kind: 'reaches', step: 'n1' }, 'must', unknown)).toBeNull();
  });

  test.each<[string, Json]>([
    ['no object', []],
    ['a list of properties', { properties: [] }],
    ['no properties', { properties: null }],
  ])('of arguments that a tool takes as %s nothing is known', (_, parameters) => {
    const tools = [toolNamed('book', { parameters })];
    const known = { configuration: { ...configuration, tools }, intents: null };
    expect(problem(ALL, { kind: 'tool_called_with', tool: 'book', args: { hour: 9 } }, 'must', known)).toBeNull();
  });
});

describe('what the scope settles says nothing', () => {
  const ALWAYS = 'On the calls that it is about this always holds, so it would say nothing.';
  const NEVER = 'On the calls that it is about this can never hold.';

  test.each<[string, WatchScope, WatchExpectation, string, string]>([
    ['the tool is called', { kind: 'tool_called', tool: 'book' }, called('book'), ALWAYS, NEVER],
    ['the step is reached', { kind: 'step_reached', step: 'n2' }, { kind: 'reaches', step: 'n2' }, ALWAYS, NEVER],
    [
      'the outcome is it',
      { kind: 'outcome', outcome: 'resolved' },
      { kind: 'outcome', outcome: 'resolved' },
      ALWAYS,
      NEVER,
    ],
    [
      'the outcome is another',
      { kind: 'outcome', outcome: 'resolved' },
      { kind: 'outcome', outcome: 'unresolved' },
      NEVER,
      ALWAYS,
    ],
    ['a tool before itself', ALL, { kind: 'tool_called_before', tool: 'book', before: 'book' }, NEVER, ALWAYS],
    ['every call begins there', ALL, { kind: 'reaches', step: 'n1' }, ALWAYS, NEVER],
    ['every call begins there, by its label', ALL, { kind: 'reaches', step: 'Greeting' }, ALWAYS, NEVER],
    ['somebody spoke', ALL, { kind: 'outcome', outcome: 'no_contact' }, NEVER, ALWAYS],
    [
      'somebody said it',
      { kind: 'caller_said', text: 'refund' },
      { kind: 'outcome', outcome: 'no_contact' },
      NEVER,
      ALWAYS,
    ],
  ])('%s', (_, scope, expectation, must, mustNot) => {
    expect(problem(scope, expectation, 'must')).toEqual({ param: 'expectation', message: must });
    expect(problem(scope, expectation, 'must_not')).toEqual({ param: 'expectation', message: mustNot });
  });

  test.each<[string, WatchScope, WatchExpectation]>([
    ['another tool', { kind: 'tool_called', tool: 'find' }, called('book')],
    ['another step', { kind: 'step_reached', step: 'n1' }, { kind: 'reaches', step: 'n2' }],
    ['another tool before', ALL, { kind: 'tool_called_before', tool: 'find', before: 'book' }],
    ['a tool that failed', { kind: 'tool_failed', tool: 'book' }, called('book')],
    ['an outcome of all calls', ALL, { kind: 'outcome', outcome: 'resolved' }],
    [
      'no contact where a step was reached',
      { kind: 'step_reached', step: 'n1' },
      { kind: 'outcome', outcome: 'no_contact' },
    ],
  ])('and leaves open %s', (_, scope, expectation) => {
    expect(problem(scope, expectation)).toBeNull();
  });
});
