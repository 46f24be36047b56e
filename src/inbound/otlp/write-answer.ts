import type { Encoding } from './read-traces.ts';
import { rpcStatus, traceResponse } from './schema.ts';

/** Bodies of OTLP/HTTP's answers, in the encoding of the request. */

export const contentTypeOf = (encoding: Encoding) =>
  encoding === 'json' ? 'application/json' : 'application/x-protobuf';

/** Nothing to say where everything was taken; senders must not send again what was refused. */
export function writeTaken(encoding: Encoding, refused: { rejected: number; reason: string }): Uint8Array {
  const { rejected, reason } = refused;
  const body = rejected === 0 ? {} : { partialSuccess: { rejectedSpans: rejected, errorMessage: reason } };
  if (encoding === 'json') {
    const ofJson = rejected === 0 ? {} : { partialSuccess: { rejectedSpans: String(rejected), errorMessage: reason } };
    return Buffer.from(JSON.stringify(ofJson));
  }
  return traceResponse.encode(traceResponse.fromObject(body)).finish();
}

/** A `google.rpc.Status`. */
export function writeStatus(encoding: Encoding, status: { code: number; message: string }): Uint8Array {
  if (encoding === 'json') return Buffer.from(JSON.stringify(status));
  return rpcStatus.encode(rpcStatus.fromObject(status)).finish();
}
