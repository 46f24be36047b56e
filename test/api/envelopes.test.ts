import { pino } from 'pino';
import { expect, test } from 'vitest';
import { failureOf } from '../../api/envelopes.ts';

const answerOf = (error: Error) =>
  failureOf(error, { requestId: 'req_1', operation: 'ingestCalls' }, pino({ level: 'silent' }));

test('a request that its client broke off is the client’s to mend', () => {
  const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  expect(answerOf(aborted)).toMatchObject({ status: 400, code: 'invalid_body' });
});

test.each([
  ['read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }],
  ['write EPIPE', { code: 'EPIPE', syscall: 'write' }],
])('a connection of our own that broke is not: %s', (message, fields) => {
  expect(answerOf(Object.assign(new Error(message), fields))).toMatchObject({ status: 500 });
});
