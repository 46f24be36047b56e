import { describe, expect, test } from 'vitest';
import { isBusinessAnswer, judgeToolBody } from '../../../src/domain/calls/tool-results.ts';
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
  [{ error: 'unavailable', message: 'No tables on Friday.' }, true],
])('a status line of a server is a fault and no business answer: %o', (body, ok) => {
  expect(judgeToolBody(body).ok).toBe(ok);
});
