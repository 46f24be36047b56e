import { findReachableAgent } from '../../db/agents/read-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { openIngest } from '../../db/imports/open-ingest.ts';
import type { IngestHolder } from '../../db/system/ingest-tokens.ts';
import { chargeIngest } from '../access/enter-ingest.ts';
import { Failure } from '../failure.ts';
import { orderImport } from '../imports/order-import.ts';
import { storeLines } from '../imports/store-lines.ts';
import type { RawBody } from '../json-body.ts';
import type { Services } from '../services.ts';
import { readSentRecords } from './read-records.ts';

export interface RefusedRecord {
  /** Counts from 1; in a list the record's place. */
  line: number;
  field: string | null;
  reason: string;
}

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
  const { texts, refused } = await sortRecords(services, holder, body);
  if (texts.length === 0 && refused.length === 0) throw new Failure('invalid_body', 'The body holds no records.');
  const importId = texts.length === 0 ? null : await storeRecords(services, holder, texts);
  return { object: 'taken_records', importId, taken: texts.length, refused };
}

async function sortRecords(services: Services, holder: IngestHolder, body: RawBody) {
  const texts: string[] = [];
  const refused: RefusedRecord[] = [];
  const reader = { analyser: services.analyser, workspaceId: holder.workspaceId };
  let bytes = 0;
  const count = (more: number) => {
    bytes += more;
  };
  try {
    for await (const record of readSentRecords(reader, body, services.now().getTime(), count)) {
      if (record.state === 'record') texts.push(record.text);
      else refused.push({ line: record.line, field: record.field, reason: record.reason });
    }
  } finally {
    await chargeIngest(services, holder, { bytes, spans: 0 });
  }
  return { texts, refused };
}

function storeRecords(services: Services, holder: IngestHolder, texts: readonly string[]): Promise<string> {
  return services.database.within(holder.workspaceId).transactional(async (em) => {
    const agent = await agentOf(em, holder);
    const { afterLine, isNew, ...request } = await openIngest(em, holder, texts.length);
    const { importId } = request;
    const records = texts.map((text, at) => ({ line: afterLine + at + 1, text }));
    await storeLines(em, services, { workspaceId: holder.workspaceId, importId }, records);
    if (isNew) await orderImport(em, services, agent, request);
    return importId;
  });
}

async function agentOf(em: EntityManager, { workspaceId, agentId }: IngestHolder) {
  const agent = await findReachableAgent(em, { workspaceId, onlyAgentId: agentId }, agentId);
  if (agent) return agent;
  throw new Failure('invalid_ingest_token', 'The agent of this token is gone.');
}
