import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Problem } from '../problem.ts';
import { replaceFile } from '../tests/read-files.ts';

export const EXPORTED_KINDS = ['issue', 'call', 'run'] as const;
export type ExportedKind = (typeof EXPORTED_KINDS)[number];

/** Where an export ended: what it has told of, by id, each with the digest of what it told. */
export interface Cursor {
  agentId: string;
  told: Record<ExportedKind, Map<string, string>>;
}

const VERSION = 1;

export const beginning = (agentId: string): Cursor => ({
  agentId,
  told: { issue: new Map(), call: new Map(), run: new Map() },
});

/** Null where there is no file yet. @throws Problem where it is something else. */
export async function readCursor(path: string): Promise<Cursor | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Problem(`${path} can not be read. (${error.message})`);
  });
  return text === null ? null : parse(path, text);
}

function parse(path: string, text: string): Cursor {
  try {
    const { version, agentId, told } = JSON.parse(text);
    if (version !== VERSION) throw new Error('another version');
    const ofKind = (kind: ExportedKind) => new Map<string, string>(Object.entries(told[kind]));
    return { agentId, told: { issue: ofKind('issue'), call: ofKind('call'), run: ofKind('run') } };
  } catch {
    throw new Problem(`${path} was not written by an export: name a file that is not there yet to begin anew.`);
  }
}

/** Whole or not at all, so that an export that is stopped tells the same again. */
export async function writeCursor(path: string, { agentId, told }: Cursor): Promise<void> {
  const kinds = EXPORTED_KINDS.map((kind) => [kind, Object.fromEntries(told[kind])]);
  const text = JSON.stringify({ version: VERSION, agentId, told: Object.fromEntries(kinds) });
  await replaceFile(path, `${text}\n`);
}

export const digestOf = (data: unknown): string =>
  createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 16);
