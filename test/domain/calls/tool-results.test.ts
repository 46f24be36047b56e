import { describe, expect, test } from 'vitest';
import { type AnsweringTool, isBusinessAnswer, judgeToolBody } from '../../../src/domain/calls/tool-results.ts';
import type { Json } from '../../../src/domain/json.ts';

type Row = [what: string, body: Json, ok: boolean | null, refusal: boolean];

const FAULTS: Row[] = [
  ['a text that begins with "Error"', 'Error: user not found', false, false],
  ['a text about a time-out', 'Timeout while waiting for the calendar', false, false],
  ['a text of an HTTP client', 'AxiosError: Request failed with status code 502', false, false],
  ['nothing came back', 'No result returned.', false, false],
  ['an error status', { status: 'error', message: 'No reservation found' }, false, false],
  ['an error flag', { is_error: true, error: 'Field required' }, false, false],
  ['an HTTP status', { statusCode: 503 }, false, false],
  ['an HTTP status one level down', { result: { status: 404, message: 'Not Found' } }, false, false],
  ['an error text', { error: 'database is locked' }, false, false],
  ['an error object', { error: { code: 'E42', message: 'Internal failure' } }, false, false],
  ['a list of errors', { errors: ['bad token'] }, false, false],
  ['success is false without a business reason', { success: false, message: 'Unexpected token' }, false, false],
  ['a failure inside JSON text', '{"ok": false, "message": "socket hang up"}', false, false],
  ['a failed status', { status: 'failed' }, false, false],
];

const REFUSALS: Row[] = [
  ['nothing is free', { success: false, reason: 'no_availability' }, true, true],
  ['the error field only says no', { success: false, error: 'No slots available on this date' }, true, true],
  ['an empty list', [], true, true],
  ['an empty list of slots', { slots: [] }, true, true],
  ['a count of nothing', { item: null, total: 0 }, true, true],
  ['not found, as a flag', { found: false }, true, true],
  ['could not verify', { verified: false, message: 'Date of birth differs' }, true, true],
  ['a message that says no, one level down', { data: { message: 'That time is already taken' } }, true, true],
  ['words', 'There is no table available at that time.', true, true],
];

const SUCCESSES: Row[] = [
  ['a record', { id: 4, name: 'Ito' }, true, false],
  ['a list with entries', [{ id: 4 }], true, false],
  ['no error in the error field', { success: true, error: '' }, true, false],
  ['an error field that says none', { error: 'none', id: 4 }, true, false],
  ['an empty list beside a full one', { slots: ['10:00'], errors: [] }, true, false],
  ['a status of the business', { status: 'confirmed' }, true, false],
  ['a status number below 400', { status: 200, id: 4 }, true, false],
  ['plain words', 'The table is booked.', true, false],
  ['a word that only begins like an error', 'Errorless run, all 4 steps done', true, false],
  ['a code of another kind', { code: 12, id: 4 }, true, false],
  ['yes', true, true, false],
];

const OPEN: Row[] = [
  ['no body', null, null, false],
  ['an empty text', '', null, false],
];

describe.each([
  ['a fault', FAULTS],
  ['a refusal of the business, which is no fault', REFUSALS],
  ['a success', SUCCESSES],
  ['open', OPEN],
] as const)('%s', (_, rows) => {
  test.each(rows)('%s', (_what, body, ok, refusal) => {
    expect(judgeToolBody(body)).toMatchObject({ ok, refusal });
  });
});

test('a failure says its status, its code and its words', () => {
  expect(judgeToolBody({ status: 422, error_type: 'bad_request', message: 'date must be a day' })).toEqual({
    ok: false,
    httpStatus: 422,
    errorType: 'bad_request',
    refusal: false,
    message: 'date must be a day',
  });
  expect(judgeToolBody('Error: request timed out').errorType).toBe('timeout');
  expect(judgeToolBody('Request failed with status code 502').httpStatus).toBe(502);
});

describe('a result that is marked as an error is', () => {
  test.each<[string, Json]>([
    ['a full flight', 'Error: not enough places on flight 12'],
    ['an unknown guest', { status: 'error', error_type: 'not_found', message: 'No guest found' }],
    ['a rule of the business', 'Error: a voucher cannot be used for a change'],
  ])('the answer of the business where it is %s', (_what, body) => {
    expect(isBusinessAnswer(judgeToolBody(body))).toBe(true);
  });
  test.each<[string, Json]>([
    ['a time-out', 'Error: request timed out'],
    ['a broken connection', 'Error: connection could not be established'],
    ['an HTTP status', { status: 404, message: 'Not found' }],
    ['a missing argument', 'Error: field required'],
    ['a service that is down', { error: 'service unavailable' }],
  ])('a fault where it is %s', (_what, body) => {
    expect(isBusinessAnswer(judgeToolBody(body))).toBe(false);
  });
});

test.each([
  [{ error: '503 Service Unavailable', message: 'upstream timed out' }, false],
  [{ error: '503 Service Unavailable' }, false],
  [{ error: 'route_planner_unavailable', message: 'upstream returned 503' }, false],
  [{ error: 'unavailable', message: 'No tables on Friday.' }, true],
])('a status line of a server is a fault and no business answer: %o', (body, ok) => {
  expect(judgeToolBody(body).ok).toBe(ok);
});

const tool = (effect: AnsweringTool['effect'], rules: AnsweringTool['rules'] = []): AnsweringTool => ({
  name: 'book_slot',
  effect,
  rules,
});
const verdictOf = (body: Json, effect: AnsweringTool['effect'] = 'write') => {
  const { ok, refusal } = judgeToolBody(body, tool(effect));
  return ok === null ? 'unknown' : !ok ? 'failed' : refusal ? 'refused' : 'ok';
};

describe('an answer is read through what carries it:', () => {
  test.each<[string, Json, string]>([
    ['a content part', [{ type: 'text', text: '{"error":"timeout"}' }], 'failed'],
    ['parts of a protocol that marks errors', { content: [{ type: 'text', text: 'Boom' }], isError: true }, 'failed'],
    [
      'parts of a protocol that marks none',
      { content: [{ type: 'text', text: '{"id": "B7"}' }], isError: false },
      'ok',
    ],
    ['an item of a workflow', [{ json: { success: 'false', message: 'Unexpected token' } }], 'failed'],
    ['an output of a workflow', [{ output: 'Error: no such column' }], 'failed'],
    ['a list of one', [{ success: false }], 'failed'],
    ['JSON in a string in JSON', JSON.stringify(JSON.stringify({ success: false })), 'failed'],
    ['a dictionary of Python', "{'ok': False, 'detail': 'it\\'s broken', 'retry': None}", 'failed'],
    ['a dictionary of Python that worked', "{'ok': True, 'id': 'B7'}", 'ok'],
    ['a fenced block', '```json\n{"success": false}\n```', 'failed'],
    ['a gateway that passes on', { statusCode: 200, body: '{"success": false}' }, 'failed'],
    ['a gateway that says so itself', { statusCode: 502, body: 'upstream' }, 'failed'],
    ['layers of data', { data: { result: { success: false } } }, 'failed'],
    ['results for each call', { results: [{ toolCallId: 'x', error: 'socket hang up' }] }, 'failed'],
    [
      'a deed that is marked as failed, for a reason of the business',
      { success: false, message: 'Slot taken' },
      'failed',
    ],
    ['an item of a workflow with such a reason', [{ json: { success: 'false', message: 'Slot taken' } }], 'failed'],
    ['an error with such a reason', { results: [{ toolCallId: 'x', error: 'slot taken' }] }, 'failed'],
    ['results in words', { results: [{ toolCallId: 'x', result: 'Sorry, that slot is not available.' }] }, 'refused'],
    ['a query of a graph', { data: null, errors: [{ message: 'Cannot query field "slot"' }] }, 'failed'],
    ['a remote procedure', { jsonrpc: '2.0', id: 4, error: { code: -32603, message: 'Internal error' } }, 'failed'],
    ['a thing of its own', { booking: { error: 'calendar is read-only' } }, 'failed'],
    ['a number', { ok: 0 }, 'failed'],
    ['another language', { error: null, exito: false, mensaje: 'Fallo interno' }, 'failed'],
    ['a status of another language', { estado: 'KO' }, 'failed'],
    ['accents', { réussi: false }, 'failed'],
  ])('%s', (_, body, expected) => {
    expect(verdictOf(body)).toBe(expected);
  });
});

describe('what lies in the data that was asked for is no mark of the answer:', () => {
  test.each<[string, Json]>([
    ['a payment that failed', { payment_id: 'p1', amount: 20, status: 'failed' }],
    [
      'orders of which one failed',
      {
        orders: [
          { id: 1, status: 'failed' },
          { id: 2, status: 'sent' },
        ],
      },
    ],
    ['a log', [{ id: 1, level: 'error', error: 'E42' }]],
    ['a device that reports an error', { device: { id: 'd1', error: 'E5', online: false } }],
    ['a policy that is not valid', { policy: { number: 'P1', valid: false }, holder: 'Ito' }],
    ['a product with a code', { code: 412, name: 'Bark', price: 4 }],
    [
      'an article about what cannot be done',
      'Guests who arrive after ten cannot use the front door and ring at number 4.',
    ],
  ])('%s', (_, body) => {
    expect(verdictOf(body, 'read')).toBe('ok');
  });

  test('a batch of which a part worked did', () => {
    expect(verdictOf({ success: true, results: [{ id: 1, error: 'full' }] })).toBe('ok');
    expect(
      verdictOf({
        results: [
          { id: 1, ok: true },
          { id: 2, error: 'full' },
        ],
      }),
    ).toBe('ok');
  });
});

describe('prose', () => {
  test.each<[string, string]>([
    ['Failed to save the booking, please try again', 'failed'],
    ['The booking failed because of a database error.', 'failed'],
    ['Die Buchung konnte nicht gespeichert werden: Server nicht erreichbar', 'failed'],
    ['No se pudo guardar la cita: error del servidor', 'failed'],
    ["L'envoi a échoué", 'failed'],
    ['Não foi possível salvar o agendamento', 'failed'],
    ['Failed to find customer by phone, please ask for the policy number', 'refused'],
    ['Could not locate a policy for this phone. Ask for the policy number.', 'refused'],
    ['Der Termin ist leider nicht verfügbar.', 'refused'],
    ['Booked for Friday at three.', 'ok'],
    ['Termin angelegt.', 'ok'],
    ['Reference BK-1042', 'ok'],
    ['We will see about that', 'unknown'],
    ['Varaus on kesken', 'unknown'],
    ['[REDACTED]', 'unknown'],
    ['', 'unknown'],
  ])('of a deed: %s', (text, expected) => {
    expect(verdictOf(text)).toBe(expected);
  });

  test.each<[string, string]>([
    ['We are open from nine to five.', 'ok'],
    ['Premium', 'ok'],
    ['Asiakasta ei löytynyt tällä numerolla', 'unknown'],
  ])('of a look-up: %s', (text, expected) => {
    expect(verdictOf(text, 'read')).toBe(expected);
  });
});

test.each<[string, Json]>([
  ['nothing', null],
  ['an empty object', {}],
  ['an empty list', []],
  ['a state that is open', { status: 'pending' }],
])('a deed whose answer says neither is unknown: %s', (_, body) => {
  expect(verdictOf(body)).toBe('unknown');
});

describe('what was taught', () => {
  const means = (body: Json, rule: Partial<AnsweringTool['rules'][number]>) => {
    const rules = [{ tool: 'book_slot', means: 'failed' as const, field: null, values: [], ...rule }];
    const { ok, refusal } = judgeToolBody(body, tool('write', rules));
    return ok === null ? 'unknown' : !ok ? 'failed' : refusal ? 'refused' : 'ok';
  };

  test.each<[string, Json, Partial<AnsweringTool['rules'][number]>, string]>([
    ['of a field', { rc: 7, id: 'B1' }, { field: 'rc', values: ['7', '9'] }, 'failed'],
    ['of a field in depth', { data: { booking: { state: 'X' } } }, { field: 'booking.state', values: ['x'] }, 'failed'],
    ['of a list', { rows: [{ rc: 'KO' }] }, { field: 'rows.rc', values: ['KO'] }, 'failed'],
    ['of the text', 'Kalenteri ei vastaa', { values: ['ei vastaa'] }, 'failed'],
    ['of every tool', { rc: 7 }, { tool: '*', field: 'rc', values: ['7'] }, 'failed'],
    ['as a no', { rc: 7 }, { means: 'refused', field: 'rc', values: ['7'] }, 'refused'],
    ['as a success', { error: 'warning: slow' }, { means: 'ok', field: 'error', values: ['warning: slow'] }, 'ok'],
    ['as unknown', { id: 'B1', state: 'open' }, { means: 'unknown', field: 'state', values: ['open'] }, 'unknown'],
    ['of another value', { rc: 8, id: 'B1' }, { field: 'rc', values: ['7'] }, 'ok'],
    ['of another tool', { rc: 7, id: 'B1' }, { tool: 'find', field: 'rc', values: ['7'] }, 'ok'],
  ])('%s holds', (_, body, rule, expected) => {
    expect(means(body, rule)).toBe(expected);
  });
});
