import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from '../../packages/embedded/lock.js';
import { isListening } from '../../packages/embedded/ports.ts';
import { waitForEnd } from '../../packages/embedded/processes.js';
import { cacheFolder } from '../../packages/embedded/temporal-binary.js';
import { lastLines } from '../../src/user-facing-error.js';
import { lastingPort } from './ports.ts';
import { say, waiting } from './say.ts';

const VERSION = '1.38.0';
const MAIN_CLASS = 'io.temporal.testserver.TestServer';
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>earshot</groupId>
  <artifactId>temporal-test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version></dependency>
  </dependencies>
</project>
`;
/** The SDK gives the server five seconds to listen: the class archive, and no time spent on optimising, keep it well under one. */
const WRAPPER = `#!/bin/sh
LC_ALL=C; export LC_ALL
here=$(dirname "$(readlink -f "$0")")
classes=$(printf '%s:' "$here"/lib/*.jar)
exec java -XX:SharedArchiveFile="$here/classes.jsa" -XX:TieredStopAtLevel=1 -Xmx512m -cp "$classes" ${MAIN_CLASS} "$@"
`;

/**
 * The Java test server, in which a timer of 90 days takes milliseconds: fetched once by Maven into the user's cache.
 * @returns its program; null, with a line that says why, where it cannot be had.
 */
export async function prepareTimeSkippingServer(): Promise<string | null> {
  const java = javaVersion();
  if (!java || spawnSync('mvn', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return without('Java 11 or later and Maven are not both installed');
  }
  // The archive of classes belongs to the exact Java that made it.
  const folder = join(cacheFolder(), `temporal-test-server-${VERSION}-java-${java}`);
  const program = join(folder, 'temporal-test-server');
  const wait = waiting('Temporal test server (Java)');
  try {
    while (!existsSync(program)) {
      const lock = tryLock(`${folder}.lock`, 'fetching the Temporal test server');
      if (!lock.taken) {
        wait.progress(`fetched by process ${lock.holder.pid}`);
        await sleep(500);
        continue;
      }
      try {
        wait.progress('fetched once with Maven');
        if (!existsSync(program)) await fetchServer(folder);
      } finally {
        lock.release();
      }
    }
    return program;
  } catch (error) {
    return without((error as Error).message);
  } finally {
    wait.end();
  }
}

function without(why: string): null {
  say(`Tests that need skipped time are skipped: ${why}.`);
  return null;
}

function javaVersion(): string | null {
  const asked = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = /version "(\d[\w.+-]*)"/.exec(asked.stderr ?? '')?.[1];
  return asked.status === 0 && version && Number.parseInt(version, 10) >= 11 ? version : null;
}

async function fetchServer(folder: string): Promise<void> {
  mkdirSync(cacheFolder(), { recursive: true });
  const draft = mkdtempSync(`${folder}.draft-`);
  try {
    writeFileSync(join(draft, 'pom.xml'), POM);
    await run(
      'mvn',
      ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib', '-DincludeScope=runtime'],
      draft,
    );
    // The archive keeps the paths of the jars, so they get their final place before it is made.
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    await archiveClasses(folder);
    writeFileSync(join(folder, 'draft'), WRAPPER);
    chmodSync(join(folder, 'draft'), 0o755);
    renameSync(join(folder, 'draft'), join(folder, 'temporal-test-server'));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** One start and one regular end write the archive. */
async function archiveClasses(folder: string): Promise<void> {
  const jars = readdirSync(join(folder, 'lib'))
    .filter((name) => name.endsWith('.jar'))
    .sort();
  const classes = jars.map((name) => `${join(folder, 'lib', name)}:`).join('');
  const port = await lastingPort();
  const args = [`-XX:ArchiveClassesAtExit=${join(folder, 'classes.jsa')}`, '-cp', classes, MAIN_CLASS, String(port)];
  const server = spawn('java', args, { stdio: 'ignore' });
  const until = Date.now() + 60_000;
  while (!(await isListening(port)) && server.exitCode === null && Date.now() < until) await sleep(100);
  server.kill('SIGTERM');
  if (server.pid !== undefined) await waitForEnd(server.pid, 30_000);
}

function run(command: string, args: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed = (printed + chunk).slice(-4_000);
      });
    }
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${command} ended with code ${code} (${lastLines(printed, 2).replaceAll('\n', '; ')})`)),
    );
  });
}
