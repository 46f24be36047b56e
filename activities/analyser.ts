import { Worker } from 'node:worker_threads';
import type { CallAnalysis, DetectorInput, Thresholds } from '../src/domain/signals/signal.ts';

/** Runs the rules over one call at a time, away from the main thread: a call can neither stop the process nor outgrow it. */
export interface Analyser {
  /** @throws AnalysisFailed when this call cannot be analysed; others still can. */
  analyse(input: DetectorInput, thresholds: Thresholds): Promise<CallAnalysis>;
  close(): Promise<void>;
}

/** The message is a sentence for people. */
export class AnalysisFailed extends Error {
  override name = 'AnalysisFailed';
}

export interface AnalyserOptions {
  threads: number;
  /** A call of an hour takes well under a second; past this, its thread is ended. */
  timeLimitMs: number;
  /** Heap of one thread; past it, the thread ends and the call with it. */
  memoryMb: number;
  /** Module that answers `ThreadRequest` with `ThreadAnswer`. */
  entry?: URL;
}

export interface ThreadRequest {
  input: DetectorInput;
  thresholds: Thresholds;
}
/** A thread says `ready` once, when its modules are loaded; then one answer a request. */
export type ThreadAnswer = { ready: true } | { analysis: CallAnalysis } | { error: string };

export const ANALYSER_DEFAULTS = { threads: 2, timeLimitMs: 20_000, memoryMb: 512 } as const satisfies AnalyserOptions;

const ENTRY = new URL('./analysis-thread.ts', import.meta.url);

export function createAnalyser(options: AnalyserOptions = ANALYSER_DEFAULTS): Analyser {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  let closed = false;

  async function openThread(): Promise<Worker> {
    const thread = new Worker(options.entry ?? ENTRY, {
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
      stdout: false,
    });
    all.add(thread);
    thread.on('exit', () => all.delete(thread));
    // A late error of a thread that is being ended must not end the process.
    thread.on('error', () => {});
    await becomesReady(thread);
    return thread;
  }

  return {
    async analyse(input, thresholds) {
      if (closed) throw new Error('The analyser is closed.');
      while (busy >= options.threads) await new Promise<void>((resolve) => waiting.push(resolve));
      busy += 1;
      try {
        const thread = idle.pop() ?? (await openThread());
        const analysis = await ask(thread, { input, thresholds }, options);
        idle.push(thread);
        return analysis;
      } finally {
        busy -= 1;
        waiting.shift()?.();
      }
    },
    async close() {
      closed = true;
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
  };
}

const READY_WITHIN_MS = 60_000;

/** Loading the rules is not the call's time. A thread that can't load them is a fault of ours, not of any call. */
function becomesReady(thread: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onExit = () => reject(new Error('The analysis thread ended while it was starting.'));
  const timer = setTimeout(() => reject(new Error('The analysis thread did not start.')), READY_WITHIN_MS);
  thread
    .once('message', () => resolve())
    .once('error', reject)
    .once('exit', onExit);
  return promise.finally(() => {
    clearTimeout(timer);
    thread.off('error', reject).off('exit', onExit);
  });
}

/** A thread that timed out or died is not handed out again; nor is one that answered with an error, whose state is unknown. */
function ask(thread: Worker, request: ThreadRequest, options: AnalyserOptions): Promise<CallAnalysis> {
  const { promise, resolve, reject } = Promise.withResolvers<CallAnalysis>();
  const fail = (reason: string) => {
    reject(new AnalysisFailed(reason));
    void thread.terminate();
  };
  const onMessage = (answer: ThreadAnswer) => {
    if ('analysis' in answer) resolve(answer.analysis);
    else if ('error' in answer) fail(`The analysis stopped with an error (${answer.error}).`);
  };
  const onError = (error: Error) =>
    'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? fail(`The analysis needed more than ${options.memoryMb} MB and was stopped.`)
      : fail(`The analysis stopped with an error (${error.message.slice(0, 200)}).`);
  const onExit = () => fail('The analysis ended before it had a result.');
  const timer = setTimeout(
    () => fail(`The analysis did not end within ${options.timeLimitMs / 1000} s and was stopped.`),
    options.timeLimitMs,
  );
  thread.on('message', onMessage).on('error', onError).on('exit', onExit);
  thread.postMessage(request);
  return promise.finally(() => {
    clearTimeout(timer);
    thread.off('message', onMessage).off('exit', onExit).off('error', onError);
  });
}
