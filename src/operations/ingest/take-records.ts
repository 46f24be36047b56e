import { findReachableAgent } from '../../db/agents/read-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { storeUploadedLines } from '../../db/imports/import-records.ts';
import { openIngest } from '../../db/imports/open-ingest.ts';
import { uploadedLinePlace } from '../../db/secrets/sealed-places.ts';
import type { IngestHolder } from '../../db/system/ingest-tokens.ts';
import { Failure } from '../failure.ts';
import { orderImport } from '../imports/order-import.ts';
import type { RawBody } from '../json-body.ts';
import { keepWithinStorage } from '../plan/keep-within-storage.ts';
import type { Services } from '../services.ts';
import { judgeRecord, type RefusedRecord } from './judge-record.ts';
import { readSentRecords } from './read-records.ts';

export interface TakenRecords {
  object: 'taken_records';
  /** Where it is followed what becomes of them; null where none was taken. */
  importId: string | null;
  taken: number;
  refused: RefusedRecord[];
}

/**
 * Takes records of finished calls: each that can be read is stored before the answer, the others are named with what is
 * wrong. A record that was sent before replaces what it was, and changes nothing where it is the same.
 */
export async function takeRecords(services: Services, holder: IngestHolder, body: RawBody): Promise<TakenRecords> {
  const { texts, refused } = await sortRecords(body, services.now().getTime());
  if (texts.length === 0 && refused.length === 0) throw new Failure('invalid_body', 'The body holds no records.');
  const importId = texts.length === 0 ? null : await storeRecords(services, holder, texts);
  return { object: 'taken_records', importId, taken: texts.length, refused };
}

async function sortRecords(body: RawBody, nowMs: number): Promise<{ texts: string[]; refused: RefusedRecord[] }> {
  const texts: string[] = [];
  const refused: RefusedRecord[] = [];
  for await (const entry of readSentRecords(body)) {
    const judged = await judgeRecord(entry, nowMs);
    if ('refused' in judged) refused.push(judged.refused);
    else texts.push(judged.text);
  }
  return { texts, refused };
}

function storeRecords(services: Services, holder: IngestHolder, texts: readonly string[]): Promise<string> {
  return services.database.within(holder.workspaceId).transactional(async (em) => {
    const agent = await agentOf(em, holder);
    const { afterLine, isNew, ...request } = await openIngest(em, holder, texts.length);
    const { importId } = request;
    const lines = texts.map((text, at) => {
      const line = afterLine + at + 1;
      return { line, sealedPayload: services.vault.seal(text, uploadedLinePlace(holder.workspaceId, importId, line)) };
    });
    const bytes = lines.reduce((sum, { sealedPayload }) => sum + sealedPayload.length, 0);
    await keepWithinStorage(em, services, { workspaceId: holder.workspaceId, bytes });
    await storeUploadedLines(em, importId, lines);
    if (isNew) await orderImport(em, services, agent, request);
    return importId;
  });
}

async function agentOf(em: EntityManager, { workspaceId, agentId }: IngestHolder) {
  const agent = await findReachableAgent(em, { workspaceId, onlyAgentId: agentId }, agentId);
  if (agent) return agent;
  throw new Failure('invalid_ingest_token', 'The agent of this token is gone.');
}
