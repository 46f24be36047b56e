import { createHash } from 'node:crypto';
import { query } from '../lists.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Session } from '../session.ts';
import type { RunDocument } from './messages.ts';

export interface FetchedDocument {
  document: RunDocument;
  /** As the result endpoint gave them. */
  bytes: Uint8Array;
}

/**
 * The result document of a run that is over.
 * @throws Problem where the bytes are not those that the server named.
 */
export async function fetchDocument(
  { client }: Session,
  agentId: string,
  runId: string,
  compareTo?: string,
): Promise<FetchedDocument> {
  const { bytes, etag } = await client.readBytes(`/v1/agents/${agentId}/runs/${runId}/result${query({ compareTo })}`);
  const named = /[0-9a-f]{64}/i.exec(etag ?? '')?.[0].toLowerCase();
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (named !== undefined && named !== digest) {
    throw new Problem(`The document of run ${runId} did not arrive whole: its SHA-256 is ${digest}, not ${named}.`);
  }
  try {
    return { document: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), bytes };
  } catch {
    throw new Problem(`The document of run ${runId} is no JSON.`, EXIT.unusable);
  }
}
