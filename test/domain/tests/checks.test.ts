import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storedText } from '../../../src/domain/calls/quotes.ts';
import type { PlayedCall } from '../../../src/domain/runs/attempt.ts';
import { textsOf } from '../../../src/domain/runs/judge-address.ts';
import { findingsOf } from '../../../src/domain/runs/simulated-call.ts';
import { decide } from '../../../src/domain/tests/checks.ts';
import type { Check } from '../../../src/domain/tests/spec.ts';
import { ignoresPerson } from '../../support/judged.ts';
import { agent, answers, caller, calls, configurationOf, nodeNamed, played, toolNamed } from '../../support/played.ts';

const configuration = configurationOf({
  tools: [toolNamed('find_slot'), toolNamed('book_slot'), toolNamed('transfer')],
  nodes: [nodeNamed('n1', 'Welcome'), nodeNamed('n2', 'Ask for the day'), nodeNamed('n3', 'Good-bye')],
  startNodeId: 'n1',
});
const call = played(
  [
    agent('Welcome to the clinic, how can I help?', 'n1'),
    caller('A check-up on Friday, please.'),
    calls('find_slot', { day: 'Friday' }, 'n2'),
    answers('find_slot', { free: ['9:30'] }),
    agent('There is a place at half past nine.', 'n2'),
    caller('I’d take that.'),
    calls('book_slot', { day: '2026-11-27', at: '09:30', patient: { name: 'Ana Sousa' } }, 'n2'),
    answers('book_slot', { ok: true }),
    agent('It’s booked. Goodbye!', 'n3'),
  ],
  { steps: ['n1', 'n2', 'n3'] },
);
const of = (check: Check, over: Partial<PlayedCall> = {}) => decide(check, { ...call, ...over }, configuration);
const met = (check: Check, over: Partial<PlayedCall> = {}) => of(check, over).met;

test('a tool that was called is found at the turn that called it', () => {
  expect(of({ kind: 'tool_called', tool: 'book_slot' })).toEqual({
    met: true,
    turn: 6,
    quote: 'book_slot',
    because: 'The agent called book_slot once.',
  });
  expect(met({ kind: 'tool_called', tool: 'id-of-book_slot' })).toBe(true);
  expect(of({ kind: 'tool_called', tool: 'transfer' })).toMatchObject({ met: false, turn: null, quote: null });
});

test('a number of times is exact', () => {
  const twice = played([calls('find_slot', {}), agent('One moment.'), calls('find_slot', {})]);
  const times = (count: number) => decide({ kind: 'tool_called', tool: 'find_slot', times: count }, twice, null);
  expect(times(2).met).toBe(true);
  expect(times(1)).toMatchObject({ met: false, turn: 2 });
  expect(times(3)).toMatchObject({ met: false, because: 'The agent called find_slot 2 times, wanted was 3 times.' });
});

test.each([
  [0, 'The agent called find_slot 2 times, wanted was never.', 0],
  [1, 'The agent called find_slot 2 times, wanted was once.', 2],
  [2, 'The agent called find_slot 2 times, wanted was 2 times.', 0],
])('wanted %i times, the turn of the first that is too many is shown', (times, because, turn) => {
  const twice = played([calls('find_slot', {}), agent('One moment.'), calls('find_slot', {})]);
  expect(decide({ kind: 'tool_called', tool: 'find_slot', times }, twice, null)).toMatchObject({ because, turn });
});

test('a tool that must not be called fails at the turn that called it', () => {
  expect(met({ kind: 'tool_not_called', tool: 'transfer' })).toBe(true);
  expect(of({ kind: 'tool_not_called', tool: 'book_slot' })).toMatchObject({ met: false, turn: 6 });
});

describe('arguments of a tool', () => {
  const withArgs = (args: Extract<Check, { kind: 'tool_called_with' }>['args']) =>
    of({ kind: 'tool_called_with', tool: 'book_slot', args });

  test('are met in part, however they are written, and quoted as they were', () => {
    const answer = withArgs({ at: '9:30 am', patient: { name: 'ana sousa' } });
    expect(answer).toMatchObject({ met: true, turn: 6 });
    expect(answer.quote).toBe(storedText(call.turns[6]?.toolCall?.args ?? null));
  });

  test('that differ name the first difference', () => {
    expect(withArgs({ at: '10:30' })).toMatchObject({
      met: false,
      because: 'The agent called book_slot once, never with what was wanted: "at" was 09:30, wanted was 10:30.',
    });
    expect(withArgs({ room: 4 }).because).toContain('"room" was missing');
  });

  test('that could mean another value too are not decided', () => {
    const slashed = played([calls('book_slot', { day: '05/06/2026' })]);
    const check: Check = { kind: 'tool_called_with', tool: 'book_slot', args: { day: '2026-05-06' } };
    expect(decide(check, slashed, null)).toMatchObject({ met: null, turn: 0 });
    expect(decide(check, played([calls('book_slot', { day: '07/08/2026' })]), null).met).toBe(false);
  });

  test('that the platform did not record decide nothing', () => {
    const result = played([answers('book_slot', { ok: true })]);
    const check: Check = { kind: 'tool_called_with', tool: 'book_slot', args: { at: '9:30' } };
    expect(decide(check, result, null)).toMatchObject({
      met: null,
      turn: 0,
      quote: null,
      because: expect.stringContaining('its arguments are not recorded'),
    });
  });

  test('of which none fits are shown as the last call had them, cut where they are long', () => {
    const twice = played([calls('book_slot', { at: '9:00' }), calls('book_slot', { at: 'x'.repeat(200) })]);
    const answer = decide({ kind: 'tool_called_with', tool: 'book_slot', args: { at: '10:30' } }, twice, null);
    expect(answer).toMatchObject({ met: false, turn: 1 });
    expect(answer.because).toMatch(
      /^The agent called book_slot 2 times, never .*: "at" was x{120}, wanted was 10:30\.$/,
    );
  });

  test('of any call of the tool count', () => {
    const twice = played([calls('book_slot', { at: '9:00' }), calls('book_slot', '{"at": "9:30"}')]);
    const check: Check = { kind: 'tool_called_with', tool: 'book_slot', args: { at: '09:30' } };
    expect(decide(check, twice, null)).toMatchObject({ met: true, turn: 1, quote: '{"at": "9:30"}' });
  });
});

describe('what was said', () => {
  test('is found as words, and quoted as it stands in the turn', () => {
    expect(of({ kind: 'said', text: 'a place at 9:30' })).toEqual({
      met: true,
      turn: 4,
      quote: 'a place at half past nine',
      because: 'The agent said “a place at 9:30”.',
    });
    expect(met({ kind: 'said', text: 'ITS BOOKED, GOODBYE' })).toBe(true);
  });

  test('is the agent’s unless the check names the caller', () => {
    expect(met({ kind: 'said', text: 'check-up' })).toBe(false);
    expect(of({ kind: 'said', text: 'check up', by: 'caller' })).toMatchObject({ met: true, quote: 'check-up' });
  });

  test('is met by silence where it must not be said, and shown where it was', () => {
    expect(met({ kind: 'not_said', text: 'refund' })).toBe(true);
    expect(of({ kind: 'not_said', text: 'booked' })).toMatchObject({ met: false, turn: 8, quote: 'booked' });
  });

  test('without a word can’t be decided', () => {
    expect(met({ kind: 'said', text: '?!' })).toBeNull();
    expect(met({ kind: 'not_said', text: '…' })).toBeNull();
  });
});

test('whoever ended the call decides, and a call that broke off does not', () => {
  expect(met({ kind: 'ended_by', by: 'agent' })).toBe(true);
  expect(met({ kind: 'ended_by', by: 'transfer' })).toBe(false);
  expect(met({ kind: 'ended_by', by: 'agent' }, { endedBy: 'transfer' })).toBe(false);
  expect(of({ kind: 'ended_by', by: 'caller' }, { endedBy: 'limit' })).toMatchObject({ met: false, turn: 8 });
  expect(met({ kind: 'ended_by', by: 'caller' }, { endedBy: null })).toBeNull();
});

describe('a step', () => {
  test('is reached by its id or its label', () => {
    expect(of({ kind: 'reached', step: 'n2' })).toMatchObject({ met: true, turn: 2 });
    expect(of({ kind: 'reached', step: 'ask for the day' })).toMatchObject({ met: true, turn: 2 });
    expect(met({ kind: 'reached', step: 'good bye' }, { turns: call.turns.slice(0, 5), steps: ['n1', 'n2'] })).toBe(
      false,
    );
  });

  test('that the call passed without a turn is reached', () => {
    expect(met({ kind: 'reached', step: 'n3' }, { turns: call.turns.slice(0, 8) })).toBe(true);
  });

  test('may be a tool', () => {
    expect(met({ kind: 'reached', step: 'book_slot' })).toBe(true);
    expect(met({ kind: 'reached', step: 'transfer' })).toBe(false);
  });

  test('that the version does not have can’t be decided', () => {
    expect(of({ kind: 'reached', step: 'Payment' })).toMatchObject({
      met: null,
      because: expect.stringContaining('no step and no tool named Payment'),
    });
    expect(decide({ kind: 'reached', step: 'n1' }, played([agent('Hello.')]), null).met).toBeNull();
  });
});

describe('an order', () => {
  test('holds over tools and steps, with others between', () => {
    expect(met({ kind: 'order', steps: ['Welcome', 'find_slot', 'book_slot', 'n3'] })).toBe(true);
    expect(met({ kind: 'order', steps: ['n1', 'n3'] })).toBe(true);
  });

  test('does not hold the other way round', () => {
    expect(of({ kind: 'order', steps: ['book_slot', 'find_slot'] })).toMatchObject({
      met: false,
      because: 'The call came to find_slot, and not after what had to come before it.',
    });
    expect(met({ kind: 'order', steps: ['find_slot', 'find_slot'] })).toBe(false);
  });
});

test('turns are those in which somebody spoke', () => {
  expect(met({ kind: 'turns_at_most', turns: 5 })).toBe(true);
  expect(of({ kind: 'turns_at_most', turns: 4 })).toMatchObject({
    met: false,
    turn: 8,
    because: 'Caller and agent spoke 5 turns, 4 were allowed.',
  });
});

test('whatever is asked of whatever call, the evidence is an exact part of the turn that it names', () => {
  const text = fc.oneof(
    fc.constantFrom('At nine.', 'half past nine', 'n1', 'book_slot', 'Good-bye', '', '¿Qué? — nada', 'e\u0301te\u0301'),
    fc.string({ maxLength: 8 }),
  );
  const line: fc.Arbitrary<Parameters<typeof played>[0][number]> = fc.oneof(
    fc.record({
      role: fc.constantFrom('agent' as const, 'caller' as const, 'other' as const),
      text,
      nodeId: fc.option(text),
    }),
    fc.tuple(text, fc.dictionary(text, text)).map(([name, args]) => calls(name, args)),
    fc.tuple(text, text).map(([name, body]) => answers(name, body)),
  );
  const check: fc.Arbitrary<Check> = fc.oneof(
    fc.record({ kind: fc.constantFrom('tool_called' as const, 'tool_not_called' as const), tool: text }),
    fc.record({ kind: fc.constant('tool_called_with' as const), tool: text, args: fc.dictionary(text, text) }),
    fc.record({ kind: fc.constantFrom('said' as const, 'not_said' as const), text }),
    fc.record({ kind: fc.constant('ended_by' as const), by: fc.constantFrom('agent' as const, 'caller' as const) }),
    fc.record({ kind: fc.constant('reached' as const), step: text }),
    fc.record({ kind: fc.constant('order' as const), steps: fc.array(text, { minLength: 1, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('turns_at_most' as const), turns: fc.nat({ max: 4 }) }),
  );
  fc.assert(
    fc.property(check, fc.array(line, { maxLength: 6 }), fc.array(text, { maxLength: 3 }), (asked, lines, steps) => {
      const { turn, quote, because } = decide(asked, played(lines, { steps }), configuration);
      expect(because).not.toBe('');
      if (quote === null) return;
      const cited = lines[turn ?? -1];
      const texts = cited ? textsOf(played([cited]).turns[0] ?? ({} as never)) : [];
      expect([...texts, cited?.toolResult?.name ?? ''].some((one) => one.includes(quote))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

describe('a finding', () => {
  const by = { attemptId: 'a', version: 1, configuration, thresholds: {} };
  const onCall = (code: string, one: PlayedCall) =>
    decide({ kind: 'no_finding', code }, one, configuration, findingsOf(one, by));
  const failing = [
    caller('A check-up on Friday, please.'),
    calls('book_slot', { day: 'Friday' }),
    {
      role: 'tool' as const,
      toolResult: { id: null, name: 'book_slot', ok: false, okSource: 'flag' as const, body: {}, latencyMs: null },
    },
    agent('I am sorry, that did not work.'),
  ];

  test('of our own detectors is there with its turn and quote, or is not', () => {
    const found = onCall('human_request_ignored', ignoresPerson);
    expect(found).toMatchObject({ met: false, because: expect.stringMatching(/^Request for a person ignored: /) });
    expect(ignoresPerson.turns[found.turn ?? -1]?.text).toContain(found.quote);
    expect(onCall('human_request_ignored', call)).toEqual({
      met: true,
      turn: null,
      quote: null,
      because: 'The call does not show “Request for a person ignored”.',
    });
  });

  test.each<[string, string, PlayedCall, RegExp]>([
    ['a played call has no times', 'dead_air', call, /can't say of a call that is played as text/],
    ['nothing is called so', 'no_such_code', call, /can't say/],
    ['it is only noted', 'kb_miss', call, /can't say/],
    [
      'the test gave the tool no answer',
      'tool_failed',
      played(failing, { noFixture: ['book_slot'] }),
      /had no fixture/,
    ],
  ])('can’t be decided where %s', (_why, code, one, because) => {
    expect(onCall(code, one)).toMatchObject({ met: null, because: expect.stringMatching(because) });
  });

  test('that detectors can’t compute is undecided with their reason', () => {
    const open = { found: [], withoutFixture: [], open: [{ code: 'flow_loop', reason: 'No steps are recorded.' }] };
    expect(decide({ kind: 'no_finding', code: 'flow_loop' }, call, null, open)).toMatchObject({
      met: null,
      because: 'No steps are recorded.',
    });
    expect(decide({ kind: 'no_finding', code: 'flow_loop' }, call, null).met).toBeNull();
  });
});
