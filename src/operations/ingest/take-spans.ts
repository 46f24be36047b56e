import { spanBatchPlace } from '../../db/secrets/sealed-places.ts';
import type { NewBatch } from '../../db/spans/store-spans.ts';
import type { IngestHolder } from '../../db/system/ingest-tokens.ts';
import type { Encoding, Signal } from '../../inbound/otlp/read-request.ts';
import { chargeIngest } from '../access/enter-ingest.ts';
import { Failure } from '../failure.ts';
import { orRefused } from '../imports/read-lines.ts';
import { keepWithinStorage } from '../plan/keep-within-storage.ts';
import type { Services } from '../services.ts';
import { keepSpans, OF_TRACE_MAX } from './keep-spans.ts';

export interface TakenSpans {
  rejected: number;
  /** Why, in words, and which spans hold nothing that is read, with what helps; empty where there is nothing to say. */
  reason: string;
}

export interface Sent {
  body: Uint8Array;
  encoding: Encoding;
  signal: Signal;
}

/** Stores the spans or events of a request, sealed, before it is answered; the same request again changes nothing. */
export async function takeSpans(
  services: Pick<Services, 'analyser' | 'database' | 'vault' | 'storageMib'>,
  holder: IngestHolder,
  sent: Sent,
): Promise<TakenSpans> {
  const { batches: read, rejected, reason } = await readSpans(services, holder, sent);
  if (read.length === 0) return { rejected, reason };
  const { workspaceId, agentId } = holder;
  const batches = read.map(({ packed, ...batch }): NewBatch => {
    const place = spanBatchPlace(workspaceId, agentId, batch.traceId, batch.digest);
    return { ...batch, sealed: services.vault.sealBytes(packed, place) };
  });
  const em = services.database.within(workspaceId);
  const bytes = batches.reduce((sum, { sealed }) => sum + sealed.length, 0);
  await keepWithinStorage(em, services, { workspaceId, bytes });
  const full = await keepSpans(em, { owner: { workspaceId, agentId }, batches });
  const overfull = full.reduce((sum, { spans }) => sum + spans, 0);
  return { rejected: rejected + overfull, reason: [reason, reasonOf(overfull)].filter(Boolean).join(' ') };
}

async function readSpans(
  services: Pick<Services, 'analyser' | 'database'>,
  holder: IngestHolder,
  { body, encoding, signal }: Sent,
) {
  let spans = 0;
  try {
    const read = await orRefused(services.analyser.readSpans(holder.workspaceId, body, { encoding, signal }));
    if ('unreadable' in read) throw new Failure('invalid_body', read.unreadable);
    spans = read.rejected + read.batches.reduce((sum, batch) => sum + batch.spans, 0);
    return read;
  } finally {
    await chargeIngest(services, holder, { bytes: body.length, spans });
  }
}

function reasonOf(overfull: number): string {
  if (overfull === 0) return '';
  const { spans, bytes } = OF_TRACE_MAX;
  return `A trace takes ${spans} spans and ${bytes / 1024 / 1024} MiB; ${overfull} more were not taken.`;
}
