import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { messageOf, UserFacingError } from '../../src/user-facing-error.js';
import {
  buildTemporalBinary,
  cachedBinaryPath,
  canDownload,
  findTemporalBinary,
  isBeingBuilt,
  type TemporalBinary,
} from './temporal-binary.js';
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
 * The `temporal` program: on PATH, from the cache, downloaded by the SDK, or built by Go, whichever comes first.
 * @throws UserFacingError that says what to install when none can be had.
 */
export async function getTemporalBinary(
  progress: (text: string) => void,
  signal?: AbortSignal,
): Promise<TemporalBinary> {
  const found = findTemporalBinary();
  if (found) return found;
  if (!isBeingBuilt() && (await canDownload())) {
    progress('downloading the server (once)');
    const path = await download().catch(() => null);
    if (path) return { path, source: 'download' };
  }
  return buildTemporalBinary({ progress, signal });
}

/** The SDK only starts what it downloads, so it is started once and its file then kept under our own name. */
async function download(): Promise<string | null> {
  const target = cachedBinaryPath();
  const downloadDir = join(dirname(target), `download-${process.pid}`);
  mkdirSync(downloadDir, { recursive: true });
  // The native library behind it is loaded only where it is needed.
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  try {
    const environment = await TestWorkflowEnvironment.createLocal({
      server: { executable: { type: 'cached-download', downloadDir } },
    });
    await environment.teardown();
    const largest = readdirSync(downloadDir)
      .map((name) => join(downloadDir, name))
      .sort((a, b) => statSync(b).size - statSync(a).size)[0];
    if (!largest) return null;
    renameSync(largest, target);
    return target;
  } finally {
    rmSync(downloadDir, { recursive: true, force: true });
  }
}
