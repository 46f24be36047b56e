import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fieldOf } from '../../src/domain/json.ts';
import { lastLines, UserFacingError } from '../../src/user-facing-error.js';
import { rotateLog, tailOf } from './logs.ts';

/** One of our own processes, started again whenever it ends by itself. */
export interface Service {
  readonly name: string;
  /** @throws UserFacingError with the last words of a process that ends before it is ready. */
  readonly ready: Promise<void>;
  /** Of the process that runs now. */
  readonly pid: number | null;
  /** Asks it to finish; ends it after the time that it has for that. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

export interface ServiceOptions {
  name: string;
  /** The file that the process runs. */
  entry: string;
  env: NodeJS.ProcessEnv;
  /** What the process logs, and prints beside its ready line. */
  log: string;
  /** A sentence for the person who watches. */
  say(text: string): void;
  /** Called for every process that is started, the first and those that take its place. */
  onSpawn(pid: number): void;
}

const READY_WITHIN_MS = 120_000;
/** A process has 35 s of its own to finish (see the process entries); this is more, so that it is the one to decide. */
const STOP_WITHIN_MS = 40_000;
const FIRST_GAP_MS = 500;
const LONGEST_GAP_MS = 30_000;
const STEADY_AFTER_MS = 60_000;

/** Starts a process, and starts it again whenever it ends after it was ready. */
export function startService(options: ServiceOptions): Service {
  rotateLog(options.log);
  const stopping = new AbortController();
  let attempt = spawnOnce(options);
  let gapMs = FIRST_GAP_MS;

  const supervise = async () => {
    for (;;) {
      const startedAt = Date.now();
      const how = await attempt.ended;
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > STEADY_AFTER_MS) gapMs = FIRST_GAP_MS;
      options.say(`The ${options.name} ended (${how}) and is started again; its log is ${options.log}.`);
      await sleep(gapMs, undefined, { signal: stopping.signal }).catch(() => {});
      gapMs = Math.min(gapMs * 2, LONGEST_GAP_MS);
      if (stopping.signal.aborted) return;
      attempt = spawnOnce(options);
      attempt.ready.then(
        () => options.say(`The ${options.name} runs again.`),
        () => {},
      );
    }
  };
  // Only a process that was ready once is started again: one that cannot start is a fault to fix.
  attempt.ready.then(supervise, () => {});

  return {
    name: options.name,
    ready: attempt.ready,
    get pid() {
      return attempt.child.pid ?? null;
    },
    async stop() {
      stopping.abort();
      await end(attempt);
    },
    kill() {
      stopping.abort();
      attempt.child.kill('SIGKILL');
    },
  };
}

interface Attempt {
  child: ChildProcess;
  /** @throws UserFacingError with the last words of a process that ends, or dawdles, before it is ready. */
  ready: Promise<void>;
  /** How it ended, in words. */
  ended: Promise<string>;
}

function spawnOnce(options: ServiceOptions): Attempt {
  const from = tailOf(options.log).size;
  const handle = openSync(options.log, 'a', 0o600);
  // Its own session keeps Ctrl-C from reaching it before its turn; the channel tells it when we are gone.
  const child = spawn(process.execPath, [options.entry], {
    env: options.env,
    detached: true,
    stdio: ['ignore', 'pipe', handle, 'ipc'],
  });
  closeSync(handle);
  if (child.pid !== undefined) options.onSpawn(child.pid);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`));
  });
  const ready = new Promise<void>((resolve, reject) => {
    const fail = (what: string) => {
      const said = lastLines(withoutStack(tailOf(options.log, from).text), 6);
      reject(
        new UserFacingError(`The ${options.name} ${what}. Its last words, from ${options.log}:\n${said || '(none)'}`),
      );
    };
    const timer = setTimeout(fail, READY_WITHIN_MS, `was not ready within ${READY_WITHIN_MS / 1000} s`);
    void ended.then((how) => fail(`ended while it was starting (${how})`)).finally(() => clearTimeout(timer));
    if (!child.stdout) return fail('has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!isReadyLine(line)) return appendFileSync(options.log, `${line}\n`);
      clearTimeout(timer);
      resolve();
    });
  });
  ready.catch(() => {});
  return { child, ready, ended };
}

/** What went wrong, without where in the code. */
function withoutStack(text: string): string {
  return text.replaceAll(/^([ \t]+at .*|Node\.js v[\d.]+)$/gm, '');
}

function isReadyLine(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return fieldOf(JSON.parse(line), 'ready') === true;
  } catch {
    return false;
  }
}

async function end({ child, ended }: Attempt): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}
