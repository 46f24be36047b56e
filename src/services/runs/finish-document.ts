import { createHash } from 'node:crypto';
import type { EntityManager } from '../../db/database.ts';
import { countNotRescored, earlierResults, keepDocument, loadRunRecord } from '../../db/runs/run-documents.ts';
import { comparedWithLast, withNote } from '../../domain/runs/compare.ts';
import { documentBytes, resultDocument, summaryOf } from '../../domain/runs/result-document.ts';
import type { ResultDocument } from '../../domain/runs/result-document-shape.ts';

export interface DocumentRequest {
  workspaceId: string;
  agentId: string;
  runId: string;
  /** 0: the run's own; n: of its n-th rescore. */
  score: number;
}

/**
 * Makes the result document of a run from its rows and puts it into force, within the caller's transaction: the run's
 * status and message are to be final by then. Doing it again gives the same bytes.
 * @returns the document as it is served and sent
 */
export async function finishDocument(
  em: EntityManager,
  { workspaceId, agentId, runId, score }: DocumentRequest,
): Promise<{ body: string; sha256: string }> {
  const record = await loadRunRecord(em, runId);
  if (record === null) throw new Error('The run was deleted.');
  const own = resultDocument(record);
  const rescored = score === 0 ? own : withLeftOver(own, await countNotRescored(em, runId, score));
  const document = comparedWithLast(rescored, await earlierResults(em, runId));
  const body = documentBytes(document);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const comparedToId = document.comparedTo?.batchId ?? null;
  const summary = summaryOf(document);
  const { epoch, message } = document;
  const kept = { runId, score, epoch, comparedToId, body, sha256, summary, message };
  await keepDocument(em, { workspaceId, agentId }, kept);
  return { body, sha256 };
}

function withLeftOver(document: ResultDocument, left: number): ResultDocument {
  if (left === 0) return document;
  const attempts = left === 1 ? '1 attempt keeps its' : `${left} attempts keep their`;
  const note = `${attempts} earlier score, because the judge could not be asked.`;
  return { ...document, message: withNote(document.message, note) };
}
