import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporalArchive } from '../../packages/embedded/temporal-archives.js';
import {
  buildTemporalBinary,
  cachedBinaryPath,
  findTemporalBinary,
  packagedBinary,
  whyNoBuild,
  whyNoDownload,
} from '../../packages/embedded/temporal-binary.js';
import { downloadTemporal } from '../../packages/embedded/temporal-download.ts';
import { writeStaged } from '../../release/staged.ts';
import { stageArchive, temporalPackages } from '../../release/temporal.ts';

/** Programs of our own stand in for `go` and `temporal`: what is tested is what is done with them. */
let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-binary-'));
  mkdirSync(join(folder, 'bin'));
  env = { ...process.env, PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, XDG_CACHE_HOME: join(folder, 'cache') };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string, place = join(folder, 'bin')) {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(place, name), 0o755);
}

const goThat = (install: string) =>
  program('go', `[ "$1" = env ] && { echo go1.26.0; exit 0; }\necho run >> "${join(folder, 'runs')}"\n${install}`);
const makesTemporal = `sleep 0.3; mkdir -p "$GOBIN"; printf '#!/bin/sh\\necho temporal\\n' > "$GOBIN/temporal"; chmod +x "$GOBIN/temporal"`;

test('a temporal command on PATH comes before one in the cache', () => {
  expect(findTemporalBinary(env)).toBeNull();
  program('temporal', 'echo 1', dirname(cachedBinaryPath(env)));
  expect(findTemporalBinary(env)).toEqual({ path: cachedBinaryPath(env), source: 'cache' });
  program('temporal', 'echo 1');
  expect(findTemporalBinary(env)).toEqual({ path: 'temporal', source: 'path' });
});

test('a cached program that does not run is not taken', () => {
  program('temporal', 'exit 3', dirname(cachedBinaryPath(env)));
  expect(findTemporalBinary(env)).toBeNull();
});

test('two starts at once build once, and both get the program', async () => {
  goThat(makesTemporal);
  const said: string[] = [];
  const [first, second] = await Promise.all([
    buildTemporalBinary({ env }),
    buildTemporalBinary({ env, progress: (text) => said.push(text) }),
  ]);
  expect(first.path).toBe(cachedBinaryPath(env));
  expect(second.path).toBe(first.path);
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\n');
  expect(said).toContainEqual(expect.stringContaining(`in process ${process.pid}`));
});

test('a build that fails leaves nothing that looks like a program, and says what to do', async () => {
  goThat('mkdir -p "$GOBIN"; echo half > "$GOBIN/temporal"; echo "dial tcp: lookup proxy: no such host" >&2; exit 1');
  await expect(buildTemporalBinary({ env })).rejects.toThrow(
    /could not fetch its source from the network\. Install the Temporal CLI .* or set TEMPORAL_ADDRESS/,
  );
  expect(existsSync(cachedBinaryPath(env))).toBe(false);
  expect(readdirSync(dirname(cachedBinaryPath(env)))).toEqual([]);
});

test('a disk that fills up during the build is said in a sentence', async () => {
  goThat('echo "write: no space left on device" >&2; exit 1');
  await expect(buildTemporalBinary({ env })).rejects.toThrow(/disk filled up .* free 4 GB/);
});

test('no Go, or one that is too old, is a reason', () => {
  expect(whyNoBuild({ ...env, PATH: join(folder, 'bin') })).toBe('Go is not installed');
  program('go', 'echo go1.22.1');
  expect(whyNoBuild(env)).toBe('Go 1.22.1 is too old (1.25 is needed)');
});

test('an archive that is not the released one is neither unpacked nor started, and that is said; the released one is', async () => {
  program('temporal', 'echo temporal', join(folder, 'release'));
  execFileSync('tar', ['-czf', join(folder, 'archive'), '-C', join(folder, 'release'), 'temporal']);
  const archive = readFileSync(join(folder, 'archive'));
  const server = createServer((_request, response) => response.end(archive)).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/temporal.tar.gz`;
    const target = cachedBinaryPath(env);
    const released = temporalArchive('linux', 'x64');
    expect(released?.url).toMatch(/\/v1\.5\.1\/temporal_cli_1\.5\.1_linux_amd64\.tar\.gz$/);
    await expect(downloadTemporal({ url, sha256: released?.sha256 ?? '' }, target)).rejects.toThrow(
      /is not the Temporal server that was released \(SHA-256 .*it was not started\./,
    );
    expect(existsSync(dirname(target))).toBe(false);
    await downloadTemporal({ url, sha256: createHash('sha256').update(archive).digest('hex') }, target);
    expect(findTemporalBinary(env)).toEqual({ path: target, source: 'cache' });
    expect(readdirSync(dirname(target))).toEqual(['temporal']);
  } finally {
    server.close();
  }
});

test('the program of an installed package comes before all others, whatever its scope', () => {
  const wanted: string[] = [];
  const packaged = packagedBinary((name) => {
    wanted.push(name);
    return join(folder, 'package', 'package.json');
  });
  expect(packaged).toBe(join(folder, 'package', 'bin', 'temporal'));
  expect(wanted).toEqual([`earshot-temporal-${process.platform}-${process.arch}/package.json`]);
  expect(packagedBinary()).toBeNull();
});

test('a package of the server is made of the released archive, and of no other', async () => {
  program('temporal', 'echo temporal', join(folder, 'release'));
  writeFileSync(join(folder, 'release', 'LICENSE'), 'MIT');
  execFileSync('tar', ['-czf', join(folder, 'archive'), '-C', join(folder, 'release'), 'temporal', 'LICENSE']);
  const archive = readFileSync(join(folder, 'archive'));
  const server = createServer((_request, response) => response.end(archive)).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases/`;
    const released = temporalArchive('linux', 'arm64', { EARSHOT_TEMPORAL_MIRROR: mirror });
    expect(released?.url).toBe(`${mirror}v1.5.1/temporal_cli_1.5.1_linux_arm64.tar.gz`);
    const given = { platform: 'linux', arch: 'arm64', archive: released ?? { url: '', sha256: '' } };
    await expect(stageArchive('@acme', given)).rejects.toThrow(/is not the Temporal server that was released/);
    given.archive = { ...given.archive, sha256: createHash('sha256').update(archive).digest('hex') };
    const staged = await stageArchive('@acme', given);
    expect(staged.manifest).toMatchObject({
      name: '@acme/earshot-temporal-linux-arm64',
      version: '1.5.1',
      os: ['linux'],
      cpu: ['arm64'],
    });
    writeStaged(staged, join(folder, 'staged'));
    expect(execFileSync(join(folder, 'staged', 'bin', 'temporal'), { encoding: 'utf8' })).toBe('temporal\n');
    expect(temporalPackages('@acme')).toHaveProperty('@acme/earshot-temporal-darwin-x64', '1.5.1');
  } finally {
    server.close();
  }
});

test('why nothing could be downloaded is said', async () => {
  program('go', 'exit 1');
  const unknown = { ...env, EARSHOT_TEMPORAL_MIRROR: 'https://mirror.invalid' };
  const noDownload = await whyNoDownload(unknown);
  expect(noDownload).toMatch(/^mirror\.invalid was not found/);
  await expect(buildTemporalBinary({ env: unknown, noDownload })).rejects.toThrow(
    /none could be downloaded \(mirror\.invalid was not found.*EARSHOT_TEMPORAL_MIRROR/,
  );
  expect(await whyNoDownload({ EARSHOT_TEMPORAL_MIRROR: 'mirror' })).toBe('EARSHOT_TEMPORAL_MIRROR is not an address');
});

test('nothing is downloaded for a machine whose archive is not known', () => {
  expect(temporalArchive('win32', 'x64')).toBeNull();
});
