import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { Failure } from '../failure.ts';
import { deeperThan } from '../json-body.ts';

const DEPTH_LIMIT = 64;

/** The body of a request that a platform sent. @throws Failure `invalid_body` where it is no object, packed or too deep. */
export function readDocument(headers: Readonly<Record<string, string | undefined>>, body: Uint8Array): JsonObject {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw new Failure('invalid_body', 'The body must not be compressed.');
  if (deeperThan(body, DEPTH_LIMIT)) {
    throw new Failure('invalid_body', `The body nests deeper than ${DEPTH_LIMIT} levels.`);
  }
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (isJsonObject(value)) return value;
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new Failure('invalid_body', 'The body is no JSON object.');
}
