import { loadClientConnectConfig } from '@temporalio/envconfig';
import { messageOf, UserFacingError } from '../../src/user-facing-error.js';
import { type TemporalArchive, temporalArchive } from './temporal-archives.js';
import {
  buildTemporalBinary,
  cachedBinaryPath,
  findTemporalBinary,
  isBeingBuilt,
  type TemporalBinary,
  whyNoDownload,
} from './temporal-binary.js';
import { downloadTemporal } from './temporal-download.ts';
import { namesTemporalServer } from './temporal-environment.js';

/** A server that the environment names, by the SDK's own rules. It is connected to, never started nor stopped. */
export interface NamedTemporal {
  address: string;
  namespace: string;
}

/** @throws UserFacingError when a profile is named that cannot be read. */
export function namedTemporal(env: NodeJS.ProcessEnv = process.env): NamedTemporal | null {
  if (!namesTemporalServer(env)) return null;
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig();
    return connectionOptions.address ? { address: connectionOptions.address, namespace: namespace ?? 'default' } : null;
  } catch (error) {
    throw new UserFacingError(
      `The Temporal configuration cannot be read (${messageOf(error)}): put TEMPORAL_PROFILE or TEMPORAL_CONFIG_FILE right, or unset them to use the embedded server.`,
    );
  }
}

/**
 * The `temporal` program: of an optional package, on PATH, from the cache, downloaded, or built by Go, whichever comes first.
 * @throws UserFacingError that says what to install when none can be had, or what was downloaded is not what was released.
 */
export async function getTemporalBinary(
  progress: (text: string) => void,
  signal?: AbortSignal,
): Promise<TemporalBinary> {
  const found = findTemporalBinary();
  if (found) return found;
  const archive = temporalArchive(process.platform, process.arch);
  let noDownload = isBeingBuilt() ? null : await whyNoDownload();
  if (archive && !isBeingBuilt() && noDownload === null) {
    progress('downloading the server (once)');
    const path = cachedBinaryPath();
    noDownload = await whyNotDownloaded(archive, path, signal);
    if (noDownload === null) return { path, source: 'download' };
    progress(`the download failed: ${noDownload}`);
  }
  return buildTemporalBinary({ progress, signal, noDownload });
}

/** @returns why it could not be fetched, so that Go may build it; null where it was. */
async function whyNotDownloaded(
  archive: TemporalArchive,
  target: string,
  signal?: AbortSignal,
): Promise<string | null> {
  try {
    await downloadTemporal(archive, target, signal);
    return null;
  } catch (error) {
    if (error instanceof UserFacingError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `${archive.url}: ${messageOf(cause)}`;
  }
}
