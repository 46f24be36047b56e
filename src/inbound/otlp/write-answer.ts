import type { Encoding, Signal } from './read-request.ts';
import { rpcStatus, traceResponse } from './schema.ts';

/** Bodies of OTLP/HTTP's answers, in the encoding of the request. */

export const contentTypeOf = (encoding: Encoding) =>
  encoding === 'json' ? 'application/json' : 'application/x-protobuf';

/**
 * Nothing to say where everything was taken and read; senders must not send again what was refused. Zero refused with
 * words is how OTLP tells a sender of what it should know.
 */
export function writeTaken(
  encoding: Encoding,
  { rejected, reason }: { rejected: number; reason: string },
  signal: Signal = 'traces',
): Uint8Array {
  const isSilent = rejected === 0 && reason === '';
  if (encoding === 'json') {
    const partialSuccess = { [REJECTED[signal]]: String(rejected), errorMessage: reason };
    return Buffer.from(JSON.stringify(isSilent ? {} : { partialSuccess }));
  }
  // Answers about logs have other names for the same fields.
  const partialSuccess = { rejectedSpans: rejected, errorMessage: reason };
  return traceResponse.encode(traceResponse.fromObject(isSilent ? {} : { partialSuccess })).finish();
}

const REJECTED: Record<Signal, string> = { traces: 'rejectedSpans', logs: 'rejectedLogRecords' };

/** A `google.rpc.Status`. */
export function writeStatus(encoding: Encoding, status: { code: number; message: string }): Uint8Array {
  if (encoding === 'json') return Buffer.from(JSON.stringify(status));
  return rpcStatus.encode(rpcStatus.fromObject(status)).finish();
}
