import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { CallAnalysis } from '../domain/signals/call-analysis.ts';
import type { DetectorInput, Thresholds } from '../domain/signals/detector-input.ts';
import { moduleFile } from '../layout.ts';
import { createFairSlots } from './fair-slots.ts';
import type { Work, WorkAnswer, WorkRequest } from './work.ts';

/**
 * Reads what others wrote, one call, body or text at a time, in processes of their own: one that loops, or that takes more
 * memory than there is, ends its process and nothing else. A thread would not do: a heap that overflows in one large step ends the whole process,
 * with everything that it had in hand. Workspaces take turns.
 */
export interface Analyser {
  /** @throws AnalysisFailed when this call cannot be analysed; others still can. */
  analyse(workspaceId: string, input: DetectorInput, thresholds: Thresholds): Promise<CallAnalysis>;
  /** The same, with what watches say of the call. @throws AnalysisFailed */
  analyseAndJudge: InProcess<'analyseAndJudge'>;
  /** The test that a call makes. @throws AnalysisFailed */
  makeTest: InProcess<'makeTest'>;
  /** What an agent's own text says of it. @throws AnalysisFailed */
  readBrief: InProcess<'readBrief'>;
  /** What a draft changes, and what rules say of it. @throws AnalysisFailed */
  readDraft: InProcess<'readDraft'>;
  /** The form that a person's words ask of a watch. @throws AnalysisFailed */
  readWords: InProcess<'readWords'>;
  /** The watches that the lines of an agent's own text ask for. @throws AnalysisFailed */
  suggestWatches: InProcess<'suggestWatches'>;
  /** Decodes a request of OTLP, and packs what is kept of it. @throws AnalysisFailed */
  readSpans: InProcess<'readSpans'>;
  /** Makes a call of what a platform answered, or of what was sent. @throws AnalysisFailed */
  readPayload: InProcess<'readPayload'>;
  /** Says of each record whether it can be read. @throws AnalysisFailed */
  readRecords: InProcess<'readRecords'>;
  /** Leaves out of a record what the rules of its agent name. @throws AnalysisFailed */
  redactRecord: InProcess<'redactRecord'>;
  close(): Promise<void>;
}

type InProcess<Name extends keyof Work> = (
  workspaceId: string,
  ...args: Parameters<Work[Name]>
) => Promise<Awaited<ReturnType<Work[Name]>>>;

/** The message is a sentence for people. */
export class AnalysisFailed extends Error {
  override name = 'AnalysisFailed';
  /** It was out of time, which may be the machine's doing and not that of what was read. */
  readonly wasLate: boolean;

  constructor(message: string, { wasLate = false } = {}) {
    super(message);
    this.wasLate = wasLate;
  }
}

export interface AnalyserOptions {
  processes: number;
  /** A call of an hour takes well under a second; past this, its process is ended. */
  timeLimitMs: number;
  /** Heap of one process; past it, the process ends and the call with it. */
  memoryMb: number;
  /** Module that answers a `WorkRequest` with a `WorkAnswer`. */
  entry?: URL;
}

export const ANALYSER_DEFAULTS = {
  processes: 2,
  timeLimitMs: 20_000,
  memoryMb: 512,
} as const satisfies AnalyserOptions;

const ENTRY = moduleFile('src/analyser/analysis-process');
const READY_WITHIN_MS = 60_000;
/** A process holds some 200 MB; between imports there is none. */
const IDLE_MS = 30_000;

/** Of the environment a process needs nothing but what was compiled before, so it gets no secret. */
function environment(): NodeJS.ProcessEnv {
  const ofThisNode = getCompileCacheDir();
  return ofThisNode === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ofThisNode) };
}

export function createAnalyser(options: AnalyserOptions = ANALYSER_DEFAULTS): Analyser {
  const idle: { child: ChildProcess; end: NodeJS.Timeout }[] = [];
  const all = new Set<ChildProcess>();
  const slots = createFairSlots(options.processes);
  let closed = false;

  async function open(): Promise<ChildProcess> {
    const child = fork(options.entry ?? ENTRY, {
      // A small young generation: a third less memory, and no slower at this work.
      execArgv: [`--max-old-space-size=${options.memoryMb}`, '--max-semi-space-size=2'],
      env: environment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    all.add(child);
    child.once('exit', () => {
      all.delete(child);
      takeIdle(child);
    });
    // A message to a process that is ending fails with an event; its exit says the same.
    child.on('error', () => {});
    await becomesReady(child);
    return child;
  }

  /** @returns a process that waits for work: the one named, else the one that worked last. */
  function takeIdle(named?: ChildProcess): ChildProcess | null {
    const at = named ? idle.findIndex(({ child }) => child === named) : idle.length - 1;
    const [taken] = at < 0 ? [] : idle.splice(at, 1);
    clearTimeout(taken?.end);
    return taken?.child ?? null;
  }

  function keepIdle(child: ChildProcess): void {
    const end = setTimeout(() => takeIdle(child)?.kill('SIGKILL'), IDLE_MS);
    idle.push({ child, end: end.unref() });
  }

  async function inProcess(workspaceId: string, request: WorkRequest): Promise<unknown> {
    await slots.take(workspaceId);
    try {
      if (closed) throw new Error('The analyser is closed.');
      const child = takeIdle() ?? (await open());
      const result = await ask(child, request, options);
      keepIdle(child);
      return result;
    } finally {
      slots.giveBack(workspaceId);
    }
  }

  /** What a process answers is what its own function of this name gave. */
  function working<Name extends keyof Work>(work: Name): InProcess<Name> {
    return (workspaceId, ...args) => inProcess(workspaceId, { work, args }) as ReturnType<InProcess<Name>>;
  }

  const analyseAndJudge = working('analyseAndJudge');
  return {
    async analyse(workspaceId, input, thresholds) {
      return (await analyseAndJudge(workspaceId, input, thresholds, [])).analysis;
    },
    analyseAndJudge,
    makeTest: working('makeTest'),
    readBrief: working('readBrief'),
    readDraft: working('readDraft'),
    readWords: working('readWords'),
    suggestWatches: working('suggestWatches'),
    readSpans: working('readSpans'),
    readPayload: working('readPayload'),
    readRecords: working('readRecords'),
    redactRecord: working('redactRecord'),
    async close() {
      closed = true;
      const ends = [...all].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of all) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

/** Loading the rules is not the call's time. A process that can't load them is a fault of ours, not of any call. */
function becomesReady(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onExit = () => reject(new Error('The analysis process ended while it was starting.'));
  const timer = setTimeout(() => reject(new Error('The analysis process did not start.')), READY_WITHIN_MS);
  child.once('message', () => resolve()).once('exit', onExit);
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('exit', onExit);
  });
}

/** After anything but a result the process is ended: what state a failure left it in is not known. */
function ask(child: ChildProcess, request: WorkRequest, options: AnalyserOptions): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const fail = (reason: string, how?: { wasLate: boolean }) => {
    reject(new AnalysisFailed(reason, how));
    child.kill('SIGKILL');
  };
  const onMessage = (answer: WorkAnswer) => {
    if ('result' in answer) resolve(answer.result);
    else if ('error' in answer) fail(`The analysis stopped with an error (${answer.error}).`);
  };
  const onExit = (_code: number | null, signal: string | null) =>
    fail(
      signal === 'SIGABRT'
        ? `The analysis needed more than ${options.memoryMb} MB and was stopped.`
        : 'The analysis ended before it had a result.',
    );
  const timer = setTimeout(
    () => fail(`The analysis did not end within ${options.timeLimitMs / 1000} s and was stopped.`, { wasLate: true }),
    options.timeLimitMs,
  );
  child.on('message', onMessage).on('exit', onExit);
  child.send(request);
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit);
  });
}
