import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { rotateLog, tailOf } from './logs.ts';
import { isAlive } from './processes.js';
import { lastLines, Trouble } from './trouble.js';

/** One of our own processes, started again whenever it ends by itself. */
export interface Service {
  readonly name: string;
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
  /** Called whenever another process has taken its place. */
  onStart?(): void;
}

const READY_WITHIN_MS = 120_000;
/** A process has 35 s of its own to finish (see the process entries); this is more, so that it is the one to decide. */
const STOP_WITHIN_MS = 40_000;
const FIRST_GAP_MS = 500;
const LONGEST_GAP_MS = 30_000;
const STEADY_AFTER_MS = 60_000;

/**
 * Starts a process and waits for its ready line.
 * @throws Trouble with its last words when it ends before that.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  rotateLog(options.log);
  let stopping = false;
  let child = await startOnce(options);
  let gapMs = FIRST_GAP_MS;

  const superviseFrom = (startedAt: number) => {
    child.once('exit', async (code, signal) => {
      if (stopping) return;
      if (Date.now() - startedAt > STEADY_AFTER_MS) gapMs = FIRST_GAP_MS;
      options.say(
        `The ${options.name} ended (${signal ?? `exit ${code}`}) and is started again; its log is ${options.log}.`,
      );
      await restart();
    });
  };
  const restart = async () => {
    while (!stopping) {
      await sleep(gapMs);
      gapMs = Math.min(gapMs * 2, LONGEST_GAP_MS);
      if (stopping) return;
      try {
        child = await startOnce(options);
        if (stopping) child.kill('SIGTERM');
        superviseFrom(Date.now());
        options.onStart?.();
        options.say(`The ${options.name} runs again.`);
        return;
      } catch (error) {
        options.say(`${(error as Error).message}\nThe next try is in ${Math.round(gapMs / 1000)} s.`);
      }
    }
  };
  superviseFrom(Date.now());
  options.onStart?.();

  return {
    name: options.name,
    get pid() {
      return child.pid ?? null;
    },
    async stop() {
      stopping = true;
      await end(child);
    },
    kill() {
      stopping = true;
      child.kill('SIGKILL');
    },
  };
}

function startOnce(options: ServiceOptions): Promise<ChildProcess> {
  const from = tailOf(options.log).size;
  const handle = openSync(options.log, 'a', 0o600);
  // Its own session keeps Ctrl-C from reaching it before its turn; the channel tells it when we are gone.
  const child = spawn(process.execPath, [options.entry], {
    env: options.env,
    detached: true,
    stdio: ['ignore', 'pipe', handle, 'ipc'],
  });
  closeSync(handle);
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      child.kill('SIGKILL');
      const said = lastLines(tailOf(options.log, from).text, 6);
      reject(new Trouble(`The ${options.name} ${what}. Its last words, from ${options.log}:\n${said || '(none)'}`));
    };
    const timer = setTimeout(fail, READY_WITHIN_MS, `was not ready within ${READY_WITHIN_MS / 1000} s`);
    const onExit = (code: number | null, signal: string | null) =>
      fail(`ended while starting (${signal ?? `exit ${code}`})`);
    child.once('error', (error) => fail(`could not be started (${error.message})`));
    child.once('exit', onExit);
    child.once('exit', () => clearTimeout(timer));
    if (!child.stdout) return fail('has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!isReadyLine(line)) return appendFileSync(options.log, `${line}\n`);
      clearTimeout(timer);
      child.off('exit', onExit);
      resolve(child);
    });
  });
}

function isReadyLine(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return (JSON.parse(line) as { ready?: unknown }).ready === true;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid || !isAlive(child.pid)) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await gone;
  clearTimeout(timer);
}
