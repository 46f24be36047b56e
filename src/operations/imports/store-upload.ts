import type { ReadRecord } from '../../analyser/read-records.ts';
import type { StartedImport } from '../../contract/import.ts';
import { readRedaction } from '../../db/agents/agent-source.ts';
import { storeFailures } from '../../db/imports/failures.ts';
import { createImport } from '../../db/imports/imports.ts';
import { findImport } from '../../db/imports/read-imports.ts';
import { dropAbandonedUploads, dropUpload } from '../../db/imports/uploads.ts';
import { idBoundAt, newId } from '../../ids.ts';
import { redactRecord } from '../../services/reading/redact-records.ts';
import { lineRef } from '../../temporal/import-calls.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { orderImport } from './order-import.ts';
import { presentImport } from './present.ts';
import { readLines } from './read-lines.ts';
import { storeLines } from './store-lines.ts';

type BadLine = Extract<ReadRecord, { state: 'bad' }>;

/** Held at most of the lines of an upload that are no records: of those beyond, the reason alone is kept. */
const BAD_BYTES = 4 * 1024 * 1024;

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

async function storeRecords({ agent, em, services }: Context, importId: string, chunks: AsyncIterable<Uint8Array>) {
  const { workspaceId } = agent;
  const bad: BadLine[] = [];
  let badBytes = 0;
  let lines = 0;
  async function* records() {
    const reader = { analyser: services.analyser, workspaceId };
    for await (const line of readLines(reader, chunks, { nowMs: null, calls: false })) {
      lines += 1;
      if (line.state === 'record') {
        yield line;
        continue;
      }
      badBytes += line.text?.length ?? 0;
      bad.push(badBytes > BAD_BYTES ? { ...line, text: null } : line);
    }
  }
  await storeLines(em, services, { workspaceId, importId }, records());
  if (lines === 0) throw new Failure('invalid_body', 'The body holds no records.');
  return bad;
}
