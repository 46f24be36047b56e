/** The newest version of the command line that `go install` takes; it carries server 1.29.1. */
export const TEMPORAL_CLI_VERSION = '1.5.1';

const RELEASES = 'https://github.com/temporalio/cli/releases/download';
/** Names another place that has the same folders, such as a proxy of GitHub's releases within an organization. */
export const TEMPORAL_MIRROR = 'EARSHOT_TEMPORAL_MIRROR';

/** @type {Partial<Record<string, string>>} SHA-256 of the archives of that version as they were released. */
const SHA256 = {
  darwin_amd64: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  darwin_arm64: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  linux_amd64: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  linux_arm64: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
};

/** @typedef {{ url: string, sha256: string }} TemporalArchive */

/** @param {string} platform @param {string} arch @returns {string} As the packages of the server are named that carry it. */
export const temporalPackage = (platform, arch) => `earshot-temporal-${platform}-${arch}`;

/** Platforms, as Node names them, for which archives are known. */
export const TEMPORAL_PLATFORMS = Object.keys(SHA256).map((name) => {
  const [platform = '', arch = ''] = name.split('_');
  return { platform, arch: arch === 'amd64' ? 'x64' : arch };
});

/**
 * @param {string} platform
 * @param {string} arch
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {TemporalArchive | null} What to download on such a machine; null where no archive is known, so that nothing is.
 */
export function temporalArchive(platform, arch, env = process.env) {
  const name = `${platform}_${arch === 'x64' ? 'amd64' : arch}`;
  const sha256 = SHA256[name];
  const from = env[TEMPORAL_MIRROR]?.replace(/\/$/, '') || RELEASES;
  return sha256
    ? { url: `${from}/v${TEMPORAL_CLI_VERSION}/temporal_cli_${TEMPORAL_CLI_VERSION}_${name}.tar.gz`, sha256 }
    : null;
}
