import { describe, expect, test } from 'vitest';
import { effectOf } from '../../../src/domain/calls/tool-effects.ts';
import { readToolUses } from '../../../src/domain/calls/tool-uses.ts';
import { splitName } from '../../../src/domain/calls/tool-words.ts';
import type { Json } from '../../../src/domain/json.ts';
import { toolNamed } from '../../support/played.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';

const usesOf = (lines: readonly Line[], tools = [toolNamed('get_menu')]) => readToolUses(scripted(lines).call, tools);

describe('what a tool does is told by its name', () => {
  const effect = (name: string) => effectOf(splitName(name), null);

  test.each([
    ['write', 'book_table cancelOrder UpdateAddress termin_buchen anular_reserva reserver-table send_sms'],
    ['write', 'refund_order create_ticket check_in_guest checkIn check_out'],
    ['write', 'transfer_funds transfer_money transferBalance forward_payment'],
    ['write', 'transferir_dinero passer_commande transferer_argent'],
    ['read', 'get_menu searchFlights check_availability termin_suchen consultar_saldo verifier_compte'],
    ['read', 'order_status refund_details return_history is_open has_allergies check_in_time return_policy'],
    ['transfer', 'transfer_call transferToHuman escalate_to_manager weiterleiten connect_to_agent human_handoff'],
    ['transfer', 'transfer_to_billing forward_call hand_over'],
    ['end', 'end_call endCall hang_up hangup terminate_call'],
    ['unknown', 'banana x 42 zzz_table'],
  ])('as %s: %s', (expected, names) => {
    expect(names.split(' ').map((name) => [name, effect(name)])).toEqual(
      names.split(' ').map((name) => [name, expected]),
    );
  });

  test('unless its kind is known', () => {
    expect(effectOf(['get', 'menu'], { ...toolNamed('get_menu'), kind: 'transfer' })).toBe('transfer');
    expect(effectOf(['get', 'menu'], { ...toolNamed('get_menu'), kind: 'end_call' })).toBe('end');
  });

  test('and a name without words tells nothing', () => {
    expect(effectOf([], null)).toBe('unknown');
  });
});

describe('a result belongs to', () => {
  const call = (name: string, id: string | null = null): Line => ({ call: name, ...(id === null ? {} : { id }) });
  const result = (name: string, body: Json): Line => ({ result: name, body });
  const pairs = (lines: readonly Line[]) =>
    usesOf(lines).map(({ name, callTurn, resultTurn }) => [name, callTurn, resultTurn]);

  test.each<[string, Line[], [string, number | null, number | null][]]>([
    ['the call before it', [call('get_menu'), result('get_menu', {})], [['get_menu', 0, 1]]],
    [
      'the oldest open call of its name',
      [call('get_menu'), call('get_menu'), result('get_menu', 1), result('get_menu', 2)],
      [
        ['get_menu', 0, 2],
        ['get_menu', 1, 3],
      ],
    ],
    [
      'the call of its name, whatever was called between',
      [call('get_menu'), call('book_table'), result('get_menu', 1)],
      [
        ['get_menu', 0, 2],
        ['book_table', 1, null],
      ],
    ],
    ['no call, where none was recorded', [result('get_menu', {})], [['get_menu', null, 0]]],
    [
      'no call, where the only one has its result',
      [call('get_menu'), result('get_menu', 1), result('get_menu', 2)],
      [
        ['get_menu', 0, 1],
        ['get_menu', null, 2],
      ],
    ],
  ])('%s', (_, lines, expected) => {
    expect(pairs(lines)).toEqual(expected);
  });

  test('the call of its id, whatever the order', () => {
    const { call: record } = scripted([
      call('get_menu', 'one'),
      call('get_menu', 'two'),
      result('get_menu', 'second'),
      result('get_menu', 'first'),
    ]);
    const [, , second, first] = record.turns;
    if (second?.toolResult != null) second.toolResult.id = 'two';
    if (first?.toolResult != null) first.toolResult.id = 'one';
    expect(readToolUses(record, []).map(({ body }) => body)).toEqual(['first', 'second']);
  });

  test('no call of its id, where that has a result', () => {
    const { call: record } = scripted([
      call('get_menu', 'one'),
      result('get_menu', 'first'),
      result('get_menu', 'again'),
    ]);
    for (const { toolResult } of record.turns) if (toolResult !== null) toolResult.id = 'one';
    expect(readToolUses(record, []).map(({ body }) => body)).toEqual(['first', 'again']);
  });

  test('the oldest open call, where the result has no name', () => {
    const { call: record } = scripted([call('get_menu'), call('book_table'), result('x', 'menu')]);
    const nameless = record.turns[2]?.toolResult;
    if (nameless != null) nameless.name = null;
    expect(readToolUses(record, []).map(({ body }) => body)).toEqual(['menu', null]);
  });
});

describe('how a use came out', () => {
  const outcome = (body: Json, ok?: boolean) => {
    const [use] = usesOf([
      { call: 'book_table', args: {} },
      { result: 'book_table', body, ...(ok === undefined ? {} : { ok }) },
    ]);
    return use === undefined ? null : { ok: use.ok, refusal: use.refusal, denied: use.denied, blocked: use.blocked };
  };

  test.each<[string, Json, boolean | undefined, object]>([
    ['a success', { id: 4 }, undefined, { ok: true, refusal: false, denied: false, blocked: false }],
    ['a no of the business', { slots: [] }, undefined, { ok: true, refusal: true, denied: false, blocked: true }],
    ['a fault', 'Error: request timed out', undefined, { ok: false, refusal: false, denied: false, blocked: false }],
    [
      'a no that is marked as an error',
      'Error: not enough places on flight 12',
      undefined,
      { ok: false, refusal: false, denied: true, blocked: true },
    ],
    ['a fault by its mark', { id: 4 }, false, { ok: false, refusal: false, denied: false, blocked: false }],
    ['a success by its mark alone', '', true, { ok: true }],
    ['a fault in what is marked as answered', { status: 'error' }, true, { ok: false }],
    ['nothing', null, undefined, { ok: null, refusal: false, denied: false, blocked: false }],
  ])('%s', (_, body, ok, expected) => {
    expect(outcome(body, ok)).toMatchObject(expected);
  });

  test('that never came is open', () => {
    expect(usesOf([{ call: 'book_table' }])).toMatchObject([{ ok: null, resultTurn: null, blocked: false }]);
  });

  const no: Line[] = [
    { call: 'book_table', args: { at: '19:00' } },
    { result: 'book_table', body: { slots: [] } },
  ];
  const again: Line[] = [
    { call: 'book_table', args: { at: '20:00' } },
    { result: 'book_table', body: { id: 4 } },
  ];

  test.each<[string, Line[], boolean]>([
    ['is tried again at once', [...no, ...again], false],
    ['is told before it is tried again', [...no, { a: 'Seven is taken.' }, ...again], true],
    ['is followed by another tool', [...no, { call: 'get_menu' }], true],
    ['is the last thing', no, true],
  ])('a no that %s blocks, or does not', (_, lines, blocked) => {
    expect(usesOf(lines)[0]?.blocked).toBe(blocked);
  });
});

test('an answer that was taught to be a failure is one, also where its words are a no', () => {
  const { call } = scripted([
    { call: 'book_slot', args: {} },
    { result: 'book_slot', body: 'Sorry, that slot is not available any more.' },
  ]);
  const rule = { tool: 'book_slot', means: 'failed' as const, field: null, values: ['not available any more'] };
  expect(readToolUses(call, [])[0]).toMatchObject({ ok: true, refusal: true, blocked: true });
  expect(readToolUses(call, [], [rule])[0]).toMatchObject({ ok: false, refusal: false, denied: false, blocked: false });
});

test('equal arguments are equal, in whatever order they stand', () => {
  const key = (args: Json) => usesOf([{ call: 'book_table', args }])[0]?.argsKey;
  expect(key({ at: '19:00', for: 2, wishes: ['quiet'] })).toBe(key({ wishes: ['quiet'], for: 2, at: '19:00' }));
  expect(key({ at: '19:00', for: 2 })).not.toBe(key({ at: '19:00', for: '2' }));
  expect(key({ wishes: ['a', 'b'] })).not.toBe(key({ wishes: ['b', 'a'] }));
});
