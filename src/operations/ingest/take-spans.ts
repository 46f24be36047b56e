import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { spanBatchPlace } from '../../db/secrets/sealed-places.ts';
import type { NewBatch } from '../../db/spans/store-spans.ts';
import type { IngestHolder } from '../../db/system/ingest-tokens.ts';
import { callRefsOf, isWholeCall } from '../../domain/spans/call-refs.ts';
import { groupSpans } from '../../domain/spans/merge-spans.ts';
import { flatten, type SentSpan } from '../../domain/spans/span.ts';
import { type Encoding, readTraces, UnreadableTraces } from '../../inbound/otlp/read-traces.ts';
import { Failure } from '../failure.ts';
import { keepWithinStorage } from '../plan/keep-within-storage.ts';
import type { Services } from '../services.ts';
import { keepSpans, OF_TRACE_MAX } from './keep-spans.ts';

/** Calls of one trace have a few names each. */
const REFS_MAX = 100;

export interface TakenSpans {
  rejected: number;
  /** Why, in words. */
  reason: string;
}

/** Stores the spans of a request, sealed, before it is answered; the same request again changes nothing. */
export async function takeSpans(
  services: Pick<Services, 'database' | 'vault' | 'storageMib'>,
  holder: IngestHolder,
  sent: { body: Uint8Array; encoding: Encoding },
): Promise<TakenSpans> {
  const { groups, rejected, reason } = read(sent);
  const byTrace = Map.groupBy(flatten(groups), ({ traceId }) => traceId);
  if (byTrace.size === 0) return { rejected, reason };
  const batches = [...byTrace].map(([traceId, spans]) => batchOf(services, holder, traceId, spans));
  const { workspaceId, agentId } = holder;
  const em = services.database.within(workspaceId);
  const bytes = batches.reduce((sum, { sealed }) => sum + sealed.length, 0);
  await keepWithinStorage(em, services, { workspaceId, bytes });
  const full = await keepSpans(em, { owner: { workspaceId, agentId }, batches });
  const overfull = full.reduce((sum, { spans }) => sum + spans, 0);
  return { rejected: rejected + overfull, reason: [reason, reasonOf(overfull)].filter(Boolean).join(' ') };
}

function reasonOf(overfull: number): string {
  if (overfull === 0) return '';
  const { spans, bytes } = OF_TRACE_MAX;
  return `A trace takes ${spans} spans and ${bytes / 1024 / 1024} MiB; ${overfull} more were not taken.`;
}

function read({ body, encoding }: { body: Uint8Array; encoding: Encoding }) {
  try {
    return readTraces(body, encoding);
  } catch (error) {
    throw error instanceof UnreadableTraces ? new Failure('invalid_body', error.message) : error;
  }
}

function batchOf(
  { vault }: Pick<Services, 'vault'>,
  { workspaceId, agentId }: IngestHolder,
  traceId: string,
  spans: readonly SentSpan[],
): NewBatch {
  const text = JSON.stringify(groupSpans(spans));
  const digest = createHash('sha256').update(text).digest('base64url');
  return {
    traceId,
    digest,
    sealed: vault.sealBytes(zstdCompressSync(text), spanBatchPlace(workspaceId, agentId, traceId, digest)),
    spans: spans.length,
    bytes: Buffer.byteLength(text),
    callRefs: [...new Set(spans.flatMap(callRefsOf))].slice(0, REFS_MAX),
    ended: spans.some(isWholeCall),
  };
}
