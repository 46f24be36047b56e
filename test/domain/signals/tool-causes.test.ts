import { expect, test } from 'vitest';
import type { Json } from '../../../src/domain/json.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import { failureFacts, TOOL_FAILURE_CAUSES } from '../../../src/domain/signals/tool-causes.ts';
import { type Line, scripted } from './scripted-call.ts';

const QUIET = {
  tool: 'order_glaze',
  httpStatus: null,
  errorType: null,
  message: null,
  latencyMs: null,
  timeoutMs: null,
};
const AT = {
  turnIndex: 2,
  quote: '',
  detail: '',
  place: { kind: 'tool', id: 'order_glaze', label: '' },
  confidence: 1,
} as const;

/** The first cause whose evidence is there. */
function causeOf(facts: Record<string, Json>): string | null {
  return TOOL_FAILURE_CAUSES.find((row) => row.evidence({ ...QUIET, ...facts }, AT, null) !== null)?.code ?? null;
}

test.each<[Record<string, Json>, string]>([
  [{ errorType: 'timeout' }, 'tool_timeout'],
  [{ latencyMs: 8000, timeoutMs: 8000 }, 'tool_timeout'],
  [{ httpStatus: 429 }, 'tool_rate_limited'],
  [{ httpStatus: 401 }, 'tool_not_authorised'],
  [{ httpStatus: 403 }, 'tool_not_authorised'],
  [{ httpStatus: 422 }, 'tool_arguments_rejected'],
  [{ message: 'Missing required parameter: colour' }, 'tool_arguments_rejected'],
  [{ message: 'Invalid value for cone' }, 'tool_arguments_rejected'],
  [{ message: 'cone must be one of 6, 8, 10' }, 'tool_arguments_rejected'],
  [{ message: 'The request does not match the JSON schema' }, 'tool_arguments_rejected'],
  [{ message: 'body fails schema validation' }, 'tool_arguments_rejected'],
  [{ errorType: 'invalid_request' }, 'tool_arguments_rejected'],
  [{ httpStatus: 500 }, 'tool_service_error'],
  [{ httpStatus: 503, message: 'Upstream is down' }, 'tool_service_error'],
  [{ message: 'connect ECONNREFUSED 10.0.0.7:443' }, 'tool_unreachable'],
  [{ message: 'getaddrinfo ENOTFOUND glazes.internal' }, 'tool_unreachable'],
  [{ errorType: 'missing' }, 'tool_no_result'],
  [{ message: 'Pickup date is before the firing date, it cannot be before' }, 'tool_refuses_input'],
  [{ message: 'The firing list of the large kiln is frozen' }, 'tool_says:'],
])('%j shows the cause %s', (facts, cause) => {
  expect(`${causeOf(facts)}:`).toContain(cause);
});

test.each<[string, Record<string, Json>]>([
  ['nothing is told', {}],
  ['the answer came in time', { latencyMs: 7999, timeoutMs: 8000 }],
  ['no time-out is known', { latencyMs: 60_000 }],
  ['the status names no kind of failure', { httpStatus: 400 }],
  ['the words say only that it failed', { message: 'Sorry, something went wrong. Please try again later.' }],
  ['the words only name the tool', { message: 'order_glaze failed: internal error' }],
  ['the same in German', { message: 'Es ist ein Fehler aufgetreten, bitte später erneut versuchen' }],
])('the cause stays open where %s', (_, facts) => {
  expect(causeOf(facts)).toBeNull();
});

test('a database that lacks a schema was given no wrong arguments', () => {
  expect(causeOf({ message: 'relation "glazes" is not in schema "public"' })).not.toBe('tool_arguments_rejected');
  expect(causeOf({ httpStatus: 500, message: 'schema "kilns" does not exist' })).toBe('tool_service_error');
});

test('a rule about time is not told where a rule about arguments is', () => {
  expect(causeOf({ errorType: 'timeout', httpStatus: 500 })).toBe('tool_timeout');
  expect(causeOf({ httpStatus: 422, message: 'connection refused' })).toBe('tool_arguments_rejected');
});

test('the service, not the agent, has to mend what fails outside', () => {
  const party = (code: string) => TOOL_FAILURE_CAUSES.find((row) => row.code === code)?.party;
  expect(party('tool_service_error')).toBe('tool_owner');
  expect(party('tool_arguments_rejected')).toBe('agent');
});

test('what the tool says explains nothing once the same tool has worked', () => {
  const says = TOOL_FAILURE_CAUSES.find((row) => row.code === 'tool_says');
  const failed: Line[] = [
    { c: 'two buckets of glaze' },
    { call: 'order_glaze', args: {} },
    { result: 'order_glaze', body: { error: 'The firing list of the large kiln is frozen' } },
  ];
  const again: Line[] = [
    { call: 'order_glaze', args: { kiln: 2 } },
    { result: 'order_glaze', body: { success: true } },
  ];
  const facts = { ...QUIET, message: 'The firing list of the large kiln is frozen' };
  expect(says?.evidence(facts, AT, readCall(scripted(failed)))).toMatchObject({
    detail: 'The result says: The firing list of the large kiln is frozen',
  });
  expect(says?.evidence(facts, AT, readCall(scripted([...failed, ...again])))).toBeNull();
});

test('facts of a failed use are those that its causes read', () => {
  const call = scripted([
    { c: 'two buckets of glaze' },
    { call: 'order_glaze', args: {} },
    { result: 'order_glaze', body: { status: 503, message: 'Upstream is down' }, ms: 1200 },
  ]);
  const [use] = readCall(call).tools;
  expect(use === undefined ? null : failureFacts(use)).toEqual({
    tool: 'order_glaze',
    httpStatus: 503,
    errorType: null,
    message: 'Upstream is down',
    latencyMs: 1200,
    timeoutMs: null,
  });
});
