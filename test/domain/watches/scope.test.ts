import { describe, expect, test } from 'vitest';
import { readCall } from '../../../src/domain/signals/reading.ts';
import { beginningOf, enteringOf } from '../../../src/domain/watches/scope.ts';
import type { WatchScope } from '../../../src/domain/watches/watch.ts';
import { nodeNamed, toolNamed } from '../../support/played.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

const configuration = {
  tools: [toolNamed('find_slot'), toolNamed('book_visit')],
  nodes: [nodeNamed('n1', 'Greeting'), nodeNamed('n2', 'Find a slot')],
};
const TALK: Line[] = [
  { a: 'Hello, how can I help?', node: 'n1' },
  { c: 'I need a visit.' },
  { call: 'find_slot', args: {}, node: 'n2' },
  { result: 'find_slot', body: { error: 'timeout' }, ok: false },
  { a: 'One moment.', node: 'n2' },
  { call: 'find_slot', args: {}, node: 'n2' },
  { result: 'find_slot', body: { slots: [] }, ok: true },
  { a: 'Nothing is free.', node: 'n1' },
  { c: 'Can I talk to a real person please?' },
];
const WITHOUT: Line[] = [{ a: 'Hello, how can I help?' }, { c: 'I need a visit.' }];

interface About extends Given {
  intent?: string;
  outcome?: 'resolved' | 'unresolved';
}

function begins(scope: WatchScope, lines: Line[] = TALK, { intent, outcome, ...given }: About = {}) {
  const steps = lines.flatMap((line, at) => ('node' in line && line.node ? [{ at, node: line.node }] : []));
  const transitions = steps
    .filter(({ node }, at) => steps[at - 1]?.node !== node)
    .map(({ at, node }) => ({ atTurn: at, atMs: null, fromId: null, toId: node, toLabel: null, reason: null }));
  const call = scripted(lines, { configuration, transitions: JSON.parse(JSON.stringify(transitions)), ...given });
  return beginningOf(scope, { reading: readCall(call), intent: intent ?? null, outcome: outcome ?? null });
}

describe('a scope begins', () => {
  test.each<[string, WatchScope, number]>([
    ['at once on all calls', { kind: 'all_calls' }, 0],
    ['where a tool is called', { kind: 'tool_called', tool: 'find_slot' }, 2],
    ['where a tool is called, by its id', { kind: 'tool_called', tool: 'id-of-find_slot' }, 2],
    ['where the answer of a tool says that it failed', { kind: 'tool_failed', tool: 'find_slot' }, 3],
    ['at a step, by its id', { kind: 'step_reached', step: 'n2' }, 2],
    ['at a step, by its label', { kind: 'step_reached', step: 'find a slot' }, 2],
    ['where the caller asks for a person', { kind: 'caller_said', act: 'asks_for_person' }, 8],
    ['where the caller says words', { kind: 'caller_said', text: 'a visit' }, 1],
  ])('%s', (_, scope, turn) => {
    expect(begins(scope)).toEqual({ turn });
  });

  test('at once where the intent or the outcome is the one', () => {
    const known = { intent: 'book_visit', outcome: 'resolved' as const };
    expect(begins({ kind: 'intent', intent: 'book_visit' }, TALK, known)).toEqual({ turn: 0 });
    expect(begins({ kind: 'outcome', outcome: 'resolved' }, TALK, known)).toEqual({ turn: 0 });
  });
});

describe('a call is outside', () => {
  test.each<[string, WatchScope]>([
    ['where the tool was not called', { kind: 'tool_called', tool: 'book_visit' }],
    ['where the tool did not fail', { kind: 'tool_failed', tool: 'book_visit' }],
    ['where the step was not reached', { kind: 'step_reached', step: 'Closing' }],
    ['where the agent said the words, and no caller', { kind: 'caller_said', text: 'how can i help' }],
    ['where the outcome is another', { kind: 'outcome', outcome: 'unresolved' }],
    ['where the intent is another', { kind: 'intent', intent: 'cancel_visit' }],
  ])('%s', (_, scope) => {
    expect(begins(scope, TALK, { intent: 'book_visit', outcome: 'resolved' })).toBeNull();
  });

  test('where nobody spoke', () => {
    expect(begins({ kind: 'all_calls' }, [{ a: 'Hello?' }])).toBeNull();
  });

  test('where nobody asks for a person', () => {
    expect(begins({ kind: 'caller_said', act: 'asks_for_person' }, WITHOUT)).toBeNull();
  });
});

describe('it can not be told', () => {
  test.each<[string, WatchScope, Line[]]>([
    ['without tools in the record', { kind: 'tool_called', tool: 'find_slot' }, WITHOUT],
    ['without tools in the record, that one failed', { kind: 'tool_failed', tool: 'find_slot' }, WITHOUT],
    ['without steps in the record', { kind: 'step_reached', step: 'n1' }, WITHOUT],
    ['before the call has an intent', { kind: 'intent', intent: 'book_visit' }, TALK],
  ])('%s', (_, scope, lines) => {
    expect(begins(scope, lines)).toHaveProperty('gap');
  });

  test('of a call in a language without lists, but for words in a row', () => {
    const call: Line[] = [{ a: 'Hyvää päivää.' }, { c: 'Haluan puhua ihmisen kanssa.' }];
    const given = { language: 'fi' };
    expect(begins({ kind: 'caller_said', act: 'asks_for_person' }, call, given)).toHaveProperty('gap');
    expect(begins({ kind: 'caller_said', text: 'puhua ihmisen' }, call, given)).toEqual({ turn: 1 });
  });
});

test('a step that the call comes to again counts from then on', () => {
  const transitions = [0, 4, 7].map((atTurn, at) => ({
    atTurn,
    atMs: null,
    fromId: null,
    toId: at === 1 ? 'n2' : 'n1',
    toLabel: null,
    reason: null,
  }));
  const reading = readCall(scripted(TALK, { configuration, transitions: JSON.parse(JSON.stringify(transitions)) }));
  expect(enteringOf('n1', reading)?.turn).toBe(0);
  expect(enteringOf('n1', reading, 1)?.turn).toBe(7);
  expect(enteringOf('n1', reading, 8)).toBeNull();
});
