import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UserFacingError } from '../../src/user-facing-error.js';
import type { TemporalArchive } from './temporal-archives.js';

/** Puts the program of an archive where it is kept. @throws as `unpackTemporal` does */
export async function downloadTemporal(archive: TemporalArchive, target: string, signal?: AbortSignal): Promise<void> {
  const draft = join(dirname(target), `download-${process.pid}`);
  try {
    await unpackTemporal(archive, draft, [basename(target)], signal);
    renameSync(join(draft, basename(target)), target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Fetches an archive and puts files of it into a folder. Nothing of it is unpacked, let alone started, before its
 * checksum is right. @throws UserFacingError where it is not; otherwise what kept it from being fetched
 */
export async function unpackTemporal(
  archive: TemporalArchive,
  folder: string,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const answer = await fetch(archive.url, { signal: signal ?? null });
  if (!answer.ok) throw new Error(`the download was answered with ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== archive.sha256) {
    throw new UserFacingError(
      `What ${archive.url} gave is not the Temporal server that was released (SHA-256 ${found}, not ${archive.sha256}); it was not started. ` +
        'Check what stands between this machine and its source, install the Temporal CLI (docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a server of yours; then start again.',
    );
  }
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'archive.tar.gz');
  writeFileSync(file, bytes);
  await promisify(execFile)('tar', ['-xzf', file, '-C', folder, ...files]);
}
