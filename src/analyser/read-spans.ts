import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { callRefsOf, isWholeCall } from '../domain/spans/call-refs.ts';
import { dialectNamed, libraryOf } from '../domain/spans/dialects.ts';
import { type LeftCount, sumLeft, tellLeft } from '../domain/spans/left-spans.ts';
import { groupSpans } from '../domain/spans/merge-spans.ts';
import { flatten, type SentSpan } from '../domain/spans/span.ts';
import { isTalk, namesCalls } from '../domain/spans/split-calls.ts';
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
  /** None of them names a call, though their library does. */
  loose: boolean;
  /** Some of them hold what was said or done. */
  worded: boolean;
  /** Those that hold nothing, by library. */
  left: LeftCount[];
  /** When the first of them began and the last ended. Milliseconds since 1970. */
  beginMs: number;
  endMs: number;
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
    const { groups, rejected, reason } = await sentIn(body, encoding, signal);
    const { holdsContents, isRequest } = await import('../platforms/otel/contents.ts');
    const byTrace = Map.groupBy(flatten(groups), ({ traceId }) => traceId);
    const batches = [...byTrace].map(([traceId, spans]) => batchOf(traceId, spans, { holdsContents, isRequest }));
    const left = tellLeft(sumLeft(batches.flatMap((batch) => batch.left)), dialectNamed);
    return { batches, rejected, reason: [reason, left].filter(Boolean).join(' ') };
  } catch (error) {
    if (error instanceof UnreadableRequest) return { unreadable: error.message };
    throw error;
  }
}

async function sentIn(body: Uint8Array, encoding: Encoding, signal: Signal) {
  if (signal === 'traces') return (await import('../inbound/otlp/read-traces.ts')).readTraces(body, encoding);
  return (await import('../inbound/otlp/read-logs.ts')).readLogs(body, encoding);
}

type Looks = Record<'holdsContents' | 'isRequest', (span: SentSpan) => boolean>;

function batchOf(traceId: string, spans: readonly SentSpan[], looks: Looks): ReadBatch {
  const text = JSON.stringify(groupSpans(spans));
  return {
    traceId,
    digest: createHash('sha256').update(text).digest('base64url'),
    packed: zstdCompressSync(text),
    spans: spans.length,
    bytes: Buffer.byteLength(text),
    callRefs: [...new Set(spans.flatMap(namesOf))].slice(0, REFS_MAX),
    ended: spans.some(isWholeCall),
    loose: spans.every((span) => namesCalls(span) && namesOf(span).length === 0),
    worded: spans.some(looks.holdsContents),
    left: sumLeft(unreadOf(spans, looks)),
    beginMs: spans.reduce((least, { startMs }) => Math.min(least, startMs), Number.POSITIVE_INFINITY),
    endMs: spans.reduce((most, { endMs }) => Math.max(most, endMs), 0),
  };
}

const namesOf = (span: SentSpan) => [...callRefsOf(span), ...callRefsOf({ attributes: span.resource })];

/**
 * Spans of a trace that tell nothing, as far as that can be seen at once: all, where none is of a talk, else what models
 * were asked without words. Events that are sent apart may still follow the span of a request.
 */
function unreadOf(spans: readonly SentSpan[], { holdsContents, isRequest }: Looks): LeftCount[] {
  const isOfTalk = spans.some((span) => isTalk(span) || isWholeCall(span) || namesOf(span).length > 0);
  const reason = isOfTalk ? 'no_words' : 'no_talk';
  return spans
    .filter((span) => !isOfTalk || (isRequest(span) && !holdsContents(span)))
    .map((span) => ({ reason, library: libraryOf(span), spans: 1 }));
}
