import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { countSpans, type NewBatch, storeSpans } from '../../db/spans/store-spans.ts';
import type { IngestHolder } from '../../db/system/ingest-tokens.ts';
import { callRefsOf, isWholeCall } from '../../domain/spans/call-refs.ts';
import { groupSpans } from '../../domain/spans/merge-spans.ts';
import { flatten, type SentSpan } from '../../domain/spans/span.ts';
import { type Encoding, readTraces, UnreadableTraces } from '../../inbound/otlp/read-traces.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { settleEntry } from '../../temporal/settle-spans.ts';
import { Failure } from '../failure.ts';
import type { Services } from '../services.ts';

/** A call of an hour has a few thousand; a trace that never ends is no call. */
const SPANS_OF_TRACE_MAX = 50_000;
/** Calls of one trace have a few names each. */
const REFS_MAX = 100;

export interface TakenSpans {
  rejected: number;
  /** Why, in words. */
  reason: string;
}

/**
 * Stores the spans of a request, sealed, before it is answered; the same request again changes nothing. Who makes calls
 * of them is told only where that is due sooner than it was.
 */
export async function takeSpans(
  services: Pick<Services, 'database' | 'vault'>,
  holder: IngestHolder,
  sent: { body: Uint8Array; encoding: Encoding },
): Promise<TakenSpans> {
  const { groups, rejected, reason } = read(sent);
  const byTrace = Map.groupBy(flatten(groups), ({ traceId }) => traceId);
  if (byTrace.size === 0) return { rejected, reason };
  const { workspaceId, agentId } = holder;
  const em = services.database.within(workspaceId);
  const known = await countSpans(em, agentId, [...byTrace.keys()]);
  const full = [...byTrace].filter(([id, spans]) => (known.get(id) ?? 0) + spans.length > SPANS_OF_TRACE_MAX);
  for (const [traceId] of full) byTrace.delete(traceId);
  const batches = [...byTrace].map(([traceId, spans]) => batchOf(services, traceId, spans));
  await em.transactional(async (within) => {
    const { sooner } = await storeSpans(within, holder, batches);
    if (sooner) await addToOutbox(within, { entry: settleEntry({ workspaceId, agentId }), workspaceId, agentId });
  });
  const overfull = full.reduce((sum, [, spans]) => sum + spans.length, 0);
  const why = overfull === 0 ? '' : `A trace takes ${SPANS_OF_TRACE_MAX} spans; ${overfull} more were not taken.`;
  return { rejected: rejected + overfull, reason: [reason, why].filter(Boolean).join(' ') };
}

function read({ body, encoding }: { body: Uint8Array; encoding: Encoding }) {
  try {
    return readTraces(body, encoding);
  } catch (error) {
    throw error instanceof UnreadableTraces ? new Failure('invalid_body', error.message) : error;
  }
}

function batchOf({ vault }: Pick<Services, 'vault'>, traceId: string, spans: readonly SentSpan[]): NewBatch {
  const text = JSON.stringify(groupSpans(spans));
  return {
    traceId,
    digest: createHash('sha256').update(text).digest('base64url'),
    sealed: vault.sealBytes(zstdCompressSync(text)),
    spans: spans.length,
    callRefs: [...new Set(spans.flatMap(callRefsOf))].slice(0, REFS_MAX),
    ended: spans.some(isWholeCall),
  };
}
