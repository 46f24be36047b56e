import { describe, expect, test } from 'vitest';
import type { Turn } from '../../../src/domain/calls/call.ts';
import type { Claim } from '../../../src/domain/calls/claim.ts';
import { readToolUses } from '../../../src/domain/calls/tool-uses.ts';
import type { Json } from '../../../src/domain/json.ts';
import { isJsonObject } from '../../../src/domain/json.ts';
import type { CallForTest } from '../../../src/domain/tests/call-for-test.ts';
import { criteriaOfCall } from '../../../src/domain/tests/criteria-of-call.ts';
import type { Criterion } from '../../../src/domain/tests/spec.ts';
import type { StableArguments } from '../../../src/domain/tests/stable-values.ts';
import { makeAnalysis, makeCall, makeSignal, turn } from '../../support/analysed-calls.ts';

const tool = (index: number, name: string, args: Json, body: Json = { ok: true }, ok = true): Turn[] => [
  { ...turn(index, 'agent', ''), toolCall: { id: `t${index}`, name, args } },
  {
    ...turn(index + 1, 'tool', ''),
    toolResult: { id: `t${index}`, name, ok, okSource: 'flag', body, latencyMs: null },
  },
];
const claim = (text: string, verdict: Claim['verdict']): Claim => ({
  turn: 3,
  text,
  kind: 'book',
  backedBy: null,
  verdict,
});

const allOfThem: StableArguments = ({ args }) => (isJsonObject(args) ? args : null);

const criteria = (turns: Turn[], over: Partial<CallForTest> = {}, stable = allOfThem): Criterion[] => {
  const call = makeCall({ providerCallId: 'a', turns: [turn(0, 'caller', 'A table for two, please.'), ...turns] });
  const given = { call, analysis: makeAnalysis(), signals: [], configuration: null, ...over };
  return criteriaOfCall(given, readToolUses(call, []), stable);
};
const idsOf = (made: readonly Criterion[]) => made.map(({ id }) => id);
const find = (made: readonly Criterion[], id: string) => made.find((one) => one.id === id);

const BOOKED = tool(1, 'book_table', { seats: 2 });
const ENDED_BADLY = { analysis: makeAnalysis({ outcome: 'unresolved' }) };
const wentWrong = (...codes: string[]) => codes.map((code) => makeSignal({ code, severity: 'high' }));

describe('the work of a call that ended well', () => {
  test('is asked for with the values of what was written, and without those of what was looked up', () => {
    const made = criteria([
      ...tool(1, 'find_table', { seats: 2 }),
      ...tool(3, 'book_table', { seats: 2, day: 'Friday' }),
    ]);
    expect(made).toMatchObject([
      { id: 'calls_find_table', required: true, check: { kind: 'tool_called', tool: 'find_table' } },
      {
        id: 'calls_book_table',
        required: true,
        text: 'Uses book_table with seats 2, day "Friday".',
        check: { kind: 'tool_called_with', tool: 'book_table', args: { seats: 2, day: 'Friday' } },
      },
      { id: 'in_order', required: false, check: { kind: 'order', steps: ['find_table', 'book_table'] } },
      { id: 'as_wanted', required: false, check: null },
    ]);
  });

  test('is asked for by the tool alone where none of its values come out the same', () => {
    expect(criteria(BOOKED, {}, () => null)[0]).toMatchObject({ check: { kind: 'tool_called', tool: 'book_table' } });
  });

  test.each<[rule: string, turns: Turn[]]>([
    ['that failed', tool(1, 'book_table', { seats: 2 }, { error: 'down' }, false)],
    ['that was never answered', tool(1, 'book_table', { seats: 2 }).slice(0, 1)],
    ['whose use nobody recorded', tool(1, 'book_table', { seats: 2 }).slice(1)],
  ])('leaves out a tool %s', (_, turns) => {
    expect(idsOf(criteria(turns))).toEqual(['as_wanted']);
  });

  test('names each use once, and no order of one tool', () => {
    const made = criteria([...BOOKED, ...tool(3, 'book_table', { seats: 2 })]);
    expect(idsOf(made)).toEqual(['calls_book_table', 'as_wanted']);
  });

  test('ids are unique, also where a tool is called as a second use would be', () => {
    const made = criteria([
      ...BOOKED,
      ...tool(3, 'book_table', { seats: 3 }),
      ...tool(5, 'book_table_2', { seats: 3 }),
    ]);
    expect(new Set(idsOf(made)).size).toBe(made.length);
    expect(made.slice(0, 3).map(({ check }) => check)).toMatchObject([
      { tool: 'book_table', args: { seats: 2 } },
      { tool: 'book_table', args: { seats: 3 } },
      { tool: 'book_table_2' },
    ]);
  });

  test('is told of ten tools at most, of however many', () => {
    const many = Array.from({ length: 14 }, (_, at) => tool(1 + 2 * at, `find_${'abcdefghijklmn'[at]}`, {})).flat();
    const made = criteria(many);
    expect(made.filter(({ id }) => id.startsWith('calls_'))).toHaveLength(10);
    expect(find(made, 'in_order')?.check).toMatchObject({ steps: expect.objectContaining({ length: 10 }) });
  });

  test.each([
    ['transferred', true],
    ['resolved', false],
    ['unresolved', false],
  ] as const)('of one that ended as %s a hand-over is asked for: %s', (outcome, asked) => {
    const hands = find(criteria(BOOKED, { analysis: makeAnalysis({ outcome }) }), 'hands_over');
    expect(hands !== undefined).toBe(asked);
    if (asked) expect(hands).toMatchObject({ required: true, check: { kind: 'ended_by', by: 'transfer' } });
  });
});

describe('of a call that ended badly', () => {
  test('nothing of its work is asked for where nobody knows what went wrong', () => {
    expect(idsOf(criteria(BOOKED, ENDED_BADLY))).toEqual(['as_wanted']);
  });

  test('its tools are asked for without their values, since those may be what was wrong', () => {
    const made = criteria(BOOKED, { ...ENDED_BADLY, signals: wentWrong('monologue') });
    expect(find(made, 'calls_book_table')?.check).toEqual({ kind: 'tool_called', tool: 'book_table' });
  });

  test('the caller may also be told plainly why not', () => {
    const asks = (over: Partial<CallForTest>) => find(criteria(BOOKED, over), 'as_wanted')?.text;
    expect(asks({})).toBe('The caller gets what was asked for: I want to book a table for two.');
    expect(asks(ENDED_BADLY)).toBe(
      'The caller gets what was asked for, or is told plainly why not and what to do instead: I want to book a table for two.',
    );
  });

  test.each<[rule: string, over: Parameters<typeof makeAnalysis>[0], wanted: string]>([
    [
      'its first request',
      {
        requests: [
          { turn: 1, text: 'A table.' },
          { turn: 3, text: 'A taxi.' },
        ],
      },
      'A table.',
    ],
    ['its objective where it has no request', { requests: [], objective: 'A table for two.' }, 'A table for two.'],
    [
      'its objective where the request has no words',
      { requests: [{ turn: 1, text: '\u200b ' }], objective: 'A table.' },
      'A table.',
    ],
  ])('what the caller wants is %s', (_, over, wanted) => {
    expect(find(criteria([], { analysis: makeAnalysis(over) }), 'as_wanted')?.text).toMatch(new RegExp(`: ${wanted}$`));
  });
});

describe('words that the agent must not say', () => {
  test.each([
    ['unbacked', true],
    ['after_failure', true],
    ['backed', false],
  ] as const)('a claim that is %s is forbidden: %s', (verdict, forbidden) => {
    const analysis = makeAnalysis({ claims: [claim('It is booked.', verdict)] });
    const found = find(criteria([], { analysis }), 'no_false_claim');
    expect(found?.check ?? null).toEqual(forbidden ? { kind: 'not_said', text: 'It is booked.', by: 'agent' } : null);
  });

  test('each is forbidden once, five of them at most, and none without a word', () => {
    const claims = ['Done.', ' Done. ', '…', 'A.', 'B.', 'C.', 'D.', 'E.', 'F.'].map((text) => claim(text, 'unbacked'));
    const made = criteria([], { analysis: makeAnalysis({ claims }) });
    expect(made.flatMap(({ check }) => (check?.kind === 'not_said' ? check.text : []))).toEqual([
      'Done.',
      'A.',
      'B.',
      'C.',
      'D.',
    ]);
    expect(new Set(idsOf(made)).size).toBe(made.length);
  });

  test('where something was done, that saying so follows the doing is left to the judge', () => {
    const backed = makeAnalysis({ claims: [claim('It is booked.', 'backed')] });
    expect(find(criteria(BOOKED, { analysis: backed }), 'only_what_is_done')).toMatchObject({
      required: false,
      check: null,
    });
    expect(find(criteria([]), 'only_what_is_done')).toBeUndefined();
  });

  test.each([
    ['forbidden_phrase_said', true],
    ['placeholder_spoken', true],
    ['markup_spoken', true],
    ['prompt_leak', true],
    ['monologue', false],
  ])('the quote of %s is forbidden: %s', (code, forbidden) => {
    const signals = [makeSignal({ code, quote: 'Dear {{name}}' })];
    expect(idsOf(criteria([], { signals })).includes('not_said')).toBe(forbidden);
  });
});

describe('what went wrong must not happen again', () => {
  const cut: Turn[] = [
    turn(1, 'agent', 'How can I help?'),
    turn(2, 'caller', 'Can I talk to a real person please?'),
    turn(3, 'agent', 'I can help you with that.'),
    turn(4, 'caller', 'No. I want to talk to a human.'),
    turn(5, 'agent', 'What can I do for you?'),
  ];
  const ignored = (severity: 'low' | 'medium' | 'high' | 'critical') => [
    makeSignal({ code: 'human_request_ignored', severity }),
  ];

  test.each([
    ['unresolved', 'low', true],
    ['unresolved', 'high', true],
    ['resolved', 'critical', true],
    ['resolved', 'high', true],
    ['resolved', 'medium', false],
    ['resolved', 'low', false],
  ] as const)('of a call that ended as %s, of severity %s: required %s', (outcome, severity, required) => {
    const over = { analysis: makeAnalysis({ outcome }), signals: ignored(severity) };
    expect(find(criteria([...cut, ...tool(6, 'book_table', {})], over), 'not_human_request_ignored')).toMatchObject({
      required,
      check: { kind: 'no_finding', code: 'human_request_ignored' },
    });
  });

  test('and is left to the judge where the words of the call would not show it again', () => {
    const made = criteria(BOOKED, { ...ENDED_BADLY, signals: ignored('critical') });
    expect(find(made, 'not_human_request_ignored')).toMatchObject({ required: false, check: null });
  });

  test('a tool fails in the test as it did, so that what is asked for is how it is borne', () => {
    const failed = tool(1, 'book_table', { seats: 2 }, { error: 'down' }, false);
    const made = criteria(failed, { ...ENDED_BADLY, signals: wentWrong('tool_failed') });
    expect(find(made, 'not_tool_failed')).toMatchObject({
      check: null,
      text: 'When a tool fails, the agent says plainly that it did not work and what happens next.',
    });
  });

  test('the five gravest are named, the gravest first, each once', () => {
    const signals = [
      makeSignal({ code: 'monologue', severity: 'low' }),
      makeSignal({ code: 'flow_loop', severity: 'medium' }),
      makeSignal({ code: 'tool_failed', severity: 'high' }),
      makeSignal({ code: 'claimed_after_failure', severity: 'critical' }),
      makeSignal({ code: 'tool_failed', severity: 'high', turnIndex: 9 }),
      makeSignal({ code: 'transfer_failed', severity: 'high' }),
      makeSignal({ code: 'human_request_ignored', severity: 'high', turnIndex: 0 }),
    ];
    expect(idsOf(criteria([], { signals })).filter((id) => /^not_(?!said)/.test(id))).toEqual([
      'not_claimed_after_failure',
      'not_human_request_ignored',
      'not_tool_failed',
      'not_transfer_failed',
      'not_flow_loop',
    ]);
  });
});

describe('something always decides', () => {
  test('the judge, where no check was found', () => {
    expect(criteria([])).toMatchObject([{ id: 'as_wanted', required: true, check: null }]);
  });

  test('a check before the judge, where none is required of itself', () => {
    const signals = [makeSignal({ code: 'human_request_ignored', severity: 'low' })];
    const turns = [
      turn(1, 'agent', 'How can I help?'),
      turn(2, 'caller', 'Can I talk to a real person please?'),
      turn(3, 'agent', 'I can help you with that.'),
      turn(4, 'caller', 'No. I want to talk to a human.'),
      turn(5, 'agent', 'What can I do for you?'),
    ];
    const analysis = makeAnalysis({ claims: [claim('It is done.', 'backed')] });
    const made = criteria(turns, { signals, analysis });
    expect(made[0]).toMatchObject({ id: 'only_what_is_done', check: null });
    expect(made.filter(({ required }) => required).map(({ id }) => id)).toEqual(['not_human_request_ignored']);
  });
});
