import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { callRefsOf, isWholeCall } from '../domain/spans/call-refs.ts';
import { dialectNamed, libraryOf } from '../domain/spans/dialects.ts';
import { type LeftCount, sumLeft, tellLeft } from '../domain/spans/left-spans.ts';
import { groupSpans } from '../domain/spans/merge-spans.ts';
import { flatten, type SentSpan } from '../domain/spans/span.ts';
import { isTalk } from '../domain/spans/split-calls.ts';
import type { Encoding, Signal } from '../inbound/otlp/read-request.ts';

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

export async function readSpans(
  body: Uint8Array,
  { encoding, signal }: { encoding: Encoding; signal: Signal },
): Promise<ReadSpans> {
  const { UnreadableRequest } = await import('../inbound/otlp/read-request.ts');
  try {
    const read = signal === 'traces' ? await tracesIn(body, encoding) : await eventsIn(body, encoding);
    const byTrace = Map.groupBy(read.spans, ({ traceId }) => traceId);
    const batches = [...byTrace].map(([traceId, spans]) => batchOf(traceId, spans));
    return { batches, rejected: read.rejected, reason: read.reason };
  } catch (error) {
    if (error instanceof UnreadableRequest) return { unreadable: error.message };
    throw error;
  }
}

async function tracesIn(body: Uint8Array, encoding: Encoding) {
  const { readTraces } = await import('../inbound/otlp/read-traces.ts');
  const { groups, rejected, reason } = readTraces(body, encoding);
  const spans = flatten(groups);
  const left = tellLeft(sumLeft(await unreadOf(spans)), dialectNamed);
  return { spans, rejected, reason: [reason, left].filter(Boolean).join(' ') };
}

async function eventsIn(body: Uint8Array, encoding: Encoding) {
  const { readLogs } = await import('../inbound/otlp/read-logs.ts');
  const { groups, ...outcome } = readLogs(body, encoding);
  return { spans: flatten(groups), ...outcome };
}

/**
 * Spans of a request that tell nothing, as far as that can be seen at once: what models were asked without words, and
 * traces of which none is of a talk. Events that are sent apart may still follow the span of a request.
 */
async function unreadOf(spans: readonly SentSpan[]): Promise<LeftCount[]> {
  const { holdsContents, isRequest } = await import('../platforms/otel/contents.ts');
  const counts: LeftCount[] = [];
  for (const trace of Map.groupBy(spans, ({ traceId }) => traceId).values()) {
    const isOfTalk = trace.some((span) => isTalk(span) || isWholeCall(span) || callRefsOf(span).length > 0);
    for (const span of trace) {
      if (!isOfTalk) counts.push({ reason: 'no_talk', library: libraryOf(span), spans: 1 });
      else if (isRequest(span) && !holdsContents(span)) {
        counts.push({ reason: 'no_words', library: libraryOf(span), spans: 1 });
      }
    }
  }
  return counts;
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
