import { nextToken, type Schemas, send } from './api.ts';
import { BASE } from './base-path.ts';
import { Unsendable } from './problem.ts';
import { Refused } from './refused.ts';

/** Files whose records are sent as they are; others the command line turns into such. */
const LINES = /\.(jsonl|ndjson)$/i;
const JSON_FILE = /\.json$/i;

/**
 * Starts an import of files of calls: JSON lines, or one JSON document, which is a record or a list of them.
 * @throws where a file is none of these, or the server refuses them.
 */
export async function uploadCalls(agentId: string, files: readonly File[]): Promise<Schemas['StartedImport']> {
  const bodies: (Blob | string)[] = [];
  for (const file of files) bodies.push(await linesOf(file), '\n');
  const answer = await send(
    new Request(`${location.origin}${BASE}/app/agents/${agentId}/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await nextToken()}`, 'content-type': 'application/x-ndjson' },
      body: new Blob(bodies),
    }),
  );
  const said: unknown = await answer.json();
  if (!answer.ok) throw new Refused(said as Schemas['Error']);
  return said as Schemas['StartedImport'];
}

async function linesOf(file: File): Promise<Blob | string> {
  if (LINES.test(file.name)) return file;
  if (!JSON_FILE.test(file.name)) {
    throw new Unsendable(
      `${file.name} holds no JSON lines. For tables, subtitles and chat logs run npx earshot import ${file.name}, which reads them.`,
    );
  }
  const text = await file.text();
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    // One record per line, under the other name: what isn't one, the server names.
    return text;
  }
  return (Array.isArray(read) ? read : [read]).map((record) => JSON.stringify(record)).join('\n');
}
