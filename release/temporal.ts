import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  TEMPORAL_CLI_VERSION,
  TEMPORAL_PLATFORMS,
  type TemporalArchive,
  temporalArchive,
  temporalPackage,
} from '../packages/embedded/temporal-archives.js';
import { unpackTemporal } from '../packages/embedded/temporal-download.ts';
import type { Staged } from './staged.ts';

const PROGRAM = 'temporal';
const LICENSE = 'LICENSE';

/** Packages that carry the Temporal server, by name; a machine installs the one of its own platform. */
export const temporalPackages = (scope: string): Record<string, string> =>
  Object.fromEntries(
    TEMPORAL_PLATFORMS.map(({ platform, arch }) => [
      `${scope}/${temporalPackage(platform, arch)}`,
      TEMPORAL_CLI_VERSION,
    ]),
  );

/** One package for each platform whose archive is known, from the archives as Temporal released them. */
export async function* stageTemporal(scope: string): AsyncGenerator<Staged> {
  for (const { platform, arch } of TEMPORAL_PLATFORMS) {
    const archive = temporalArchive(platform, arch);
    if (archive !== null) yield stageArchive(scope, { platform, arch, archive });
  }
}

/** @throws UserFacingError where the archive is not the one that was released. */
export async function stageArchive(
  scope: string,
  { platform, arch, archive }: { platform: string; arch: string; archive: TemporalArchive },
): Promise<Staged> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-temporal-'));
  try {
    await unpackTemporal(archive, folder, [PROGRAM, LICENSE]);
    return {
      manifest: {
        name: `${scope}/${temporalPackage(platform, arch)}`,
        version: TEMPORAL_CLI_VERSION,
        description: `The Temporal server of Earshot's one-machine default, for ${platform} ${arch}.`,
        license: 'MIT',
        os: [platform],
        cpu: [arch],
        bin: {},
      },
      bundled: [],
      files: new Map([
        [`bin/${PROGRAM}`, readFileSync(join(folder, PROGRAM))],
        [LICENSE, readFileSync(join(folder, LICENSE))],
        [
          'README.md',
          Buffer.from(
            `The program \`temporal\` ${TEMPORAL_CLI_VERSION} as Temporal released it (${archive.url}, SHA-256 ${archive.sha256}). Earshot installs and runs it by itself.\n`,
          ),
        ],
      ]),
      programs: [`bin/${PROGRAM}`],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
