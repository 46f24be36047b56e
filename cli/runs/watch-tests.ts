import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, Problem } from '../problem.ts';
import type { Session } from '../session.ts';
import { pushTests } from '../tests/push.ts';
import { DEFAULT_FOLDER, readTestFiles } from '../tests/read-files.ts';
import { digestOf } from '../tests/test-file.ts';
import { type RunOptions, runTests } from './run-tests.ts';

const LOOK_EVERY_MS = 500;

/**
 * `earshot run --watch`: plays the chosen tests, then pushes and plays whatever changes in the folder of test files, until
 * Ctrl-C. What keeps a change from being sent or played is said, and the next change is waited for.
 */
export async function watchTests(session: Session, options: RunOptions): Promise<number> {
  if (!options.wait) throw new Problem('--watch waits for its runs: leave out --no-wait.');
  const { dir = DEFAULT_FOLDER } = options;
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    await push(session, options);
    let known = await readContents(dir);
    await orSaid(session, () => runTests(session, options));
    while (!stop.signal.aborted) {
      session.print.note(`Watching ${dir}; Ctrl-C ends it.`);
      const now = await nextContents(dir, known, stop.signal);
      const changed = [...now.keys()].filter((path) => now.get(path) !== known.get(path));
      known = now;
      if (changed.length > 0 && !stop.signal.aborted)
        await orSaid(session, () => playChanged(session, options, changed));
    }
    return EXIT.interrupted;
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

async function playChanged(session: Session, options: RunOptions, changed: string[]): Promise<void> {
  session.print.note(`Changed: ${changed.join(', ')}`);
  await push(session, options);
  const { files } = await readTestFiles([options.dir ?? DEFAULT_FOLDER]);
  const test = files.flatMap(({ path, id }) => (id !== null && changed.includes(path) ? [id] : []));
  await runTests(session, { ...options, test, all: undefined, set: undefined, idempotencyKey: undefined });
}

/** Beside the result, which may be for a program. */
async function push(session: Session, { agent, dir }: RunOptions): Promise<void> {
  const { note } = session.print;
  await pushTests(
    { ...session, json: false, print: { ...session.print, line: (text = '') => note(text) } },
    { ...(agent === undefined ? {} : { agent }), ...(dir === undefined ? {} : { dir }) },
  );
}

async function orSaid(session: Session, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    session.print.note(error.message);
  }
}

/** What the files say, by their paths: neither their layout, nor the ids that a push writes into them. */
async function readContents(dir: string): Promise<Map<string, string>> {
  const { files, problems } = await readTestFiles([dir]);
  return new Map([
    ...problems.map(({ path, line, message }) => [path, `${line}: ${message}`] as const),
    ...files.map((file) => [file.path, digestOf(file)] as const),
  ]);
}

/** Waits until the files say something else, and for as long as somebody is writing. */
async function nextContents(dir: string, known: Map<string, string>, signal: AbortSignal) {
  let [before, now] = [known, known];
  while (!signal.aborted && (isSame(now, known) || !isSame(now, before))) {
    // It rejects where the signal ends it.
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    before = now;
    now = await readContents(dir);
  }
  return now;
}

const isSame = (a: Map<string, string>, b: Map<string, string>) =>
  a.size === b.size && [...a].every(([path, content]) => b.get(path) === content);
