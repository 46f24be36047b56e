import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { callRefsOf, isWholeCall } from '../domain/spans/call-refs.ts';
import { groupSpans } from '../domain/spans/merge-spans.ts';
import { flatten, type SentSpan } from '../domain/spans/span.ts';
import type { Encoding } from '../inbound/otlp/read-traces.ts';

/** Spans of one trace as they are kept, but for the seal. */
export interface ReadBatch {
  traceId: string;
  digest: string;
  packed: Uint8Array;
  spans: number;
  /** Of the spans before they were packed. */
  bytes: number;
  callRefs: string[];
  /** A span that stands for a whole call is among them. */
  ended: boolean;
}

export type ReadSpans = { batches: ReadBatch[]; rejected: number; reason: string } | { unreadable: string };

/** Calls of one trace have a few names each. */
const REFS_MAX = 100;

export async function readSpans(body: Uint8Array, encoding: Encoding): Promise<ReadSpans> {
  const { readTraces, UnreadableTraces } = await import('../inbound/otlp/read-traces.ts');
  try {
    const { groups, rejected, reason } = readTraces(body, encoding);
    const byTrace = Map.groupBy(flatten(groups), ({ traceId }) => traceId);
    return { batches: [...byTrace].map(([traceId, spans]) => batchOf(traceId, spans)), rejected, reason };
  } catch (error) {
    if (error instanceof UnreadableTraces) return { unreadable: error.message };
    throw error;
  }
}

function batchOf(traceId: string, spans: readonly SentSpan[]): ReadBatch {
  const text = JSON.stringify(groupSpans(spans));
  return {
    traceId,
    digest: createHash('sha256').update(text).digest('base64url'),
    packed: zstdCompressSync(text),
    spans: spans.length,
    bytes: Buffer.byteLength(text),
    callRefs: [...new Set(spans.flatMap(callRefsOf))].slice(0, REFS_MAX),
    ended: spans.some(isWholeCall),
  };
}
