import type { ReadRecord } from '../../analyser/read-records.ts';
import type { StartedImport } from '../../contract/import.ts';
import { readRedaction } from '../../db/agents/agent-source.ts';
import { storeFailures } from '../../db/imports/failures.ts';
import { storeUploadedLines, type UploadedLine } from '../../db/imports/import-records.ts';
import { createImport } from '../../db/imports/imports.ts';
import { findImport } from '../../db/imports/read-imports.ts';
import { dropAbandonedUploads, dropUpload } from '../../db/imports/uploads.ts';
import { uploadedLinePlace } from '../../db/secrets/sealed-places.ts';
import { idBoundAt, newId } from '../../ids.ts';
import { redactRecord } from '../../services/reading/redact-records.ts';
import { lineRef } from '../../temporal/import-calls.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';
import { keepWithinStorage } from '../plan/keep-within-storage.ts';
import { scopeOf } from '../scope-of.ts';
import { orderImport } from './order-import.ts';
import { presentImport } from './present.ts';
import { readLines } from './read-lines.ts';

type BadLine = Extract<ReadRecord, { state: 'bad' }>;

/** Held at most of the records of an upload, and of its lines that are none: of those beyond, the reason alone is kept. */
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Stores an upload line by line, sealed, and orders its import once the last byte is there: an upload that breaks off
 * leaves nothing. Lines that are no records are kept with their number and reason beside it.
 */
export async function storeUpload(context: Context, chunks: AsyncIterable<Uint8Array>): Promise<StartedImport> {
  const { agent, em, services } = context;
  const importId = newId();
  await dropAbandonedUploads(em, idBoundAt(services.now().getTime() - 86_400_000));
  let bad: BadLine[];
  try {
    bad = await storeRecords(context, importId, chunks);
  } catch (error) {
    await dropUpload(em, importId);
    throw error;
  }
  const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
  const rules = await readRedaction(em, agent.id);
  const redacted = await Promise.all(
    bad.map(({ reason, text: payload }) =>
      redactRecord(services.analyser, owner.workspaceId, rules, { state: 'failed', reason, payload }),
    ),
  );
  return em.transactional(async (within) => {
    const request = await createImport(within, {
      ...owner,
      importId,
      kind: 'file',
      limit: null,
      from: null,
      refused: bad.length,
    });
    await storeFailures(within, {
      ...owner,
      importId,
      vault: services.vault,
      failures: redacted.flatMap((record, nth) => {
        const ref = lineRef(importId, bad[nth]?.line ?? nth);
        return record.state === 'failed' ? [{ ref, reason: record.reason, payload: record.payload }] : [];
      }),
    });
    await orderImport(within, services, agent, request);
    const row = await findImport(within, scopeOf(agent), importId);
    if (!row) throw new Error('An import that was just made is not there.');
    await context.audited(within, { id: importId });
    const badLines = bad.map(({ line, reason }) => ({ line, reason }));
    return context.kept(within, { ...presentImport(row), badLines });
  });
}

async function storeRecords(context: Context, importId: string, chunks: AsyncIterable<Uint8Array>) {
  const { agent, em, services } = context;
  const bad: BadLine[] = [];
  let batch: UploadedLine[] = [];
  let batchBytes = 0;
  let badBytes = 0;
  let lines = 0;
  const flush = async () => {
    await keepWithinStorage(em, services, { workspaceId: agent.workspaceId, bytes: batchBytes });
    await storeUploadedLines(em, importId, batch);
    batch = [];
    batchBytes = 0;
  };
  const reader = { analyser: services.analyser, workspaceId: agent.workspaceId };
  for await (const line of readLines(reader, chunks, { nowMs: null, calls: false })) {
    lines += 1;
    if (line.state === 'bad') {
      badBytes += line.text?.length ?? 0;
      bad.push(badBytes > BATCH_BYTES ? { ...line, text: null } : line);
      continue;
    }
    const place = uploadedLinePlace(agent.workspaceId, importId, line.line);
    const sealedPayload = services.vault.seal(line.text, place);
    batch.push({ line: line.line, sealedPayload });
    batchBytes += sealedPayload.length;
    if (batchBytes > BATCH_BYTES) await flush();
  }
  await flush();
  if (lines === 0) throw new Failure('invalid_body', 'The body holds no records.');
  return bad;
}
