import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const FOLDER = fileURLToPath(new URL('../histories/', import.meta.url));

/** Writes the history of a workflow to where `replay.test.ts` finds it. */
export async function recordHistory(name: string, handle: WorkflowHandle): Promise<void> {
  const history = JSON.stringify(bare(JSON.parse(historyToJSON(await handle.fetchHistory()))));
  await writeFile(`${FOLDER}${name}.json`, `${history.replaceAll(/\d+@[\w.-]+/g, 'a-worker')}\n`);
  process.stdout.write(`recorded ${name}\n`);
}

/** Names of machines, programs and folders are no part of a history. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !['stackTrace', 'identity'].includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, bare(inner)]));
}
