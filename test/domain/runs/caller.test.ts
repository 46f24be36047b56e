import { describe, expect, test } from 'vitest';
import { nextMove } from '../../../src/domain/runs/caller.ts';
import { fixturesLeft } from '../../../src/domain/runs/fixtures.ts';
import { type PlayedStep, playedCallOf } from '../../../src/domain/runs/played-steps.ts';
import type { Fixture, TestSpec } from '../../../src/domain/tests/spec.ts';
import { turn } from '../../support/analysed-calls.ts';

const spec = (script: string[] | null, maxTurns = 10, opening = 'I need a visit.'): TestSpec => ({
  caller: { goal: 'Book a visit', opening, facts: {}, style: '', script },
  fixtures: [],
  criteria: [],
  maxTurns,
  tier: 'text',
});

const step = (at: number, text: string, over: Partial<PlayedStep> = {}): PlayedStep => ({
  step: at,
  by: at % 2 === 0 ? 'agent' : 'caller',
  turns: text === '' ? [] : [turn(0, at % 2 === 0 ? 'agent' : 'caller', text)],
  messages: [],
  state: null,
  flowSteps: [],
  noFixture: [],
  ended: null,
  ...over,
});
const steps = (...texts: string[]) => texts.map((text, at) => step(at, text));

describe('what comes next in a simulated call', () => {
  test('the agent opens, and answers what the caller said', () => {
    expect(nextMove(spec([]), [])).toEqual({ do: 'agent answers', said: null });
    expect(nextMove(spec([]), steps('Hello.', 'I need a visit.'))).toEqual({
      do: 'agent answers',
      said: 'I need a visit.',
    });
  });

  test('a scripted caller says its opening, then its lines in order', () => {
    const scripted = spec(['Ada Wren.', 'Tuesday.']);
    expect(nextMove(scripted, steps('Hello.'))).toEqual({
      do: 'caller says',
      text: 'I need a visit.',
      hangsUp: false,
    });
    expect(nextMove(scripted, steps('Hello.', 'I need a visit.', 'Who is it?'))).toMatchObject({ text: 'Ada Wren.' });
    expect(nextMove(scripted, steps('Hello.', 'a', 'b', 'c', 'When?'))).toMatchObject({ text: 'Tuesday.' });
  });

  test('then it says goodbye and hangs up, without a goodbye where its turns are used up', () => {
    const over = steps('Hello.', 'I need a visit.', 'When?');
    expect(nextMove(spec([]), over)).toEqual({ do: 'caller says', text: 'Thank you, goodbye.', hangsUp: true });
    expect(nextMove(spec([], 1), over)).toEqual({ do: 'end', endedBy: 'caller' });
  });

  test('a persona has its lines worded, and says goodbye as every script does', () => {
    const scripted = spec(['Ada Wren.']);
    expect(nextMove(scripted, steps('Hello.'), 'hurried')).toEqual({ do: 'caller words', line: 'I need a visit.' });
    expect(nextMove(scripted, steps('Hello.', 'a', 'b', 'c', 'd'), 'hurried')).toMatchObject({ hangsUp: true });
    expect(nextMove(spec(null), steps('Hello.'), 'hurried')).toMatchObject({ do: 'caller says' });
  });

  test('a caller with lines or a model left ends by the limit', () => {
    const over = steps('Hello.', 'I need a visit.', 'When?');
    expect(nextMove(spec(['Tuesday.'], 1), over)).toEqual({ do: 'end', endedBy: 'limit' });
    expect(nextMove(spec(null, 1), over)).toEqual({ do: 'end', endedBy: 'limit' });
  });

  test('a model is asked after the opening, or at once where there is none', () => {
    expect(nextMove(spec(null), steps('Hello.'))).toMatchObject({ do: 'caller says', text: 'I need a visit.' });
    expect(nextMove(spec(null), steps('Hello.', 'I need a visit.', 'When?'))).toEqual({ do: 'caller is asked' });
    expect(nextMove(spec(null, 10, ' '), steps('Hello.'))).toEqual({ do: 'caller is asked' });
  });

  test.each(['agent', 'caller', 'transfer'] as const)('nothing follows an end by the %s', (ended) => {
    expect(nextMove(spec(['More.']), [step(0, 'Bye.', { ended })])).toEqual({ do: 'end', endedBy: ended });
  });

  test('an agent that answers nothing twice in a row is hung up on; a silent opening is none', () => {
    const many = spec(['a', 'b', 'c', 'd']);
    expect(nextMove(many, steps('', 'Hello?', ''))).toMatchObject({ do: 'caller says' });
    expect(nextMove(many, steps('', 'Hello?', '', 'Anyone?', ''))).toEqual({ do: 'end', endedBy: 'caller' });
    expect(nextMove(many, steps('', 'Hello?', '', 'Anyone?', 'Yes.', 'Ah.', ''))).toMatchObject({ do: 'caller says' });
  });
});

describe('a call put together from its steps', () => {
  test('counts its turns through, and a caller speaks at the step that is active', () => {
    const asked = { ...turn(0, 'agent', 'Who is it?'), nodeId: 'node_identify' };
    const call = playedCallOf([
      step(0, '', { turns: [{ ...turn(0, 'agent', 'Hello.'), nodeId: 'node_welcome' }], flowSteps: ['node_welcome'] }),
      step(1, 'A visit.'),
      step(2, '', { turns: [asked], flowSteps: ['node_identify'] }),
    ]);
    expect(call.turns.map(({ index, nodeId }) => [index, nodeId])).toEqual([
      [0, 'node_welcome'],
      [1, 'node_welcome'],
      [2, 'node_identify'],
    ]);
    expect(call.steps).toEqual(['node_welcome', 'node_identify']);
  });
});

describe('fixtures with a number of times', () => {
  const fixture = (over: Partial<Fixture>): Fixture => ({
    tool: 'look',
    match: null,
    respond: 1,
    times: null,
    ...over,
  });
  const calls = (...args: object[]) =>
    args.map((one, at) => ({ ...turn(at, 'agent', ''), toolCall: { id: null, name: 'look', args: one as never } }));

  test('are left out as soon as so many calls fitted them', () => {
    const once = fixture({ times: 1 });
    const always = fixture({ respond: 2 });
    expect(fixturesLeft([once, always], [])).toEqual([once, always]);
    expect(fixturesLeft([once, always], calls({}))).toEqual([always]);
  });

  test('count only calls with their arguments, at any depth, and the narrower first', () => {
    const wide = fixture({ times: 1 });
    const narrow = fixture({ times: 1, match: { who: { name: 'Ada' } } });
    expect(fixturesLeft([wide, narrow], calls({ who: { name: 'Ada', age: 3 } }))).toEqual([wide]);
    expect(fixturesLeft([wide, narrow], calls({ who: { name: 'Bo' } }))).toEqual([narrow]);
    expect(fixturesLeft([narrow], calls({ who: 'Ada' }))).toEqual([narrow]);
  });

  test('of another tool stay', () => {
    const other = fixture({ tool: 'book', times: 1 });
    expect(fixturesLeft([other], calls({}))).toEqual([other]);
  });
});
