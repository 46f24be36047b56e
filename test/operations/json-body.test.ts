import { expect, test } from 'vitest';
import { readJsonBody } from '../../src/operations/json-body.ts';

test('a body in several parts is read whole', async () => {
  async function* chunks() {
    for (const part of ['{"a', '":1}']) yield Buffer.from(part);
  }
  const body = {
    kind: 'bytes' as const,
    contentType: 'application/json',
    contentEncoding: null,
    declaredBytes: null,
    chunks: chunks(),
  };
  expect(await readJsonBody(body)).toEqual({ a: 1 });
});
