import { type ChildProcess, fork } from 'node:child_process';
import type { Turn } from '../domain/calls/call.ts';
import type { HeardCall } from '../domain/sound/heard-call.ts';
import { moduleFile } from '../layout.ts';
import { SoundError } from './sound-error.ts';

export type HearingRequest = { piece: Uint8Array } | { turns: readonly Turn[] };

export type HearingAnswer =
  | { taken: true }
  | { heard: HeardCall; bands: Uint8Array[] }
  /** A sentence. */
  | { unreadable: string }
  | { error: string };

export interface HeardRecording {
  heard: HeardCall;
  /** A channel each, the caller's first where it is known: the level of every 100 ms in half decibels above -100 dBFS. */
  bands: Uint8Array[];
}

export interface Listener {
  /** @throws SoundError where the recording can't be heard, and what `body` throws */
  hear(body: AsyncIterable<Uint8Array>, turns: readonly Turn[]): Promise<HeardRecording>;
  close(): Promise<void>;
}

const ENTRY = moduleFile('src/sound/hearing-process');
const MEMORY_MB = 256;
/** Of decoding one piece: 64 kB hold half a minute at most. */
const PIECE_TIME_MS = 30_000;
const STARTS_WITHIN_MS = 60_000;
const IDLE_MS = 30_000;

/**
 * Hears recordings in a process of its own, one at a time: decoders are synchronous, their input is a stranger's, and one
 * that loops or overflows ends its process and nothing else. Nothing of the sound is kept.
 */
export function createListener(): Listener {
  let idle: { child: ChildProcess; end: NodeJS.Timeout } | null = null;
  const all = new Set<ChildProcess>();

  function open(): ChildProcess {
    const child = fork(ENTRY, {
      execArgv: [`--max-old-space-size=${MEMORY_MB}`, '--max-semi-space-size=2'],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    all.add(child);
    child.once('exit', () => {
      all.delete(child);
      if (idle?.child === child) {
        clearTimeout(idle.end);
        idle = null;
      }
    });
    child.on('error', () => {});
    return child;
  }

  async function takeChild(): Promise<ChildProcess> {
    if (idle !== null) {
      const { child, end } = idle;
      clearTimeout(end);
      idle = null;
      return child;
    }
    const child = open();
    await answered(child, null, STARTS_WITHIN_MS);
    return child;
  }

  return {
    async hear(body, turns) {
      const child = await takeChild();
      let isWhole = false;
      try {
        for await (const piece of body) await answered(child, { piece }, PIECE_TIME_MS);
        const answer = await answered(child, { turns }, PIECE_TIME_MS);
        if (!('heard' in answer)) throw new Error('The process that hears gave no answer.');
        isWhole = true;
        return answer;
      } finally {
        // What state a failure left it in is not known.
        if (isWhole && idle === null && child.connected) {
          idle = { child, end: setTimeout(() => child.kill('SIGKILL'), IDLE_MS).unref() };
        } else {
          child.kill('SIGKILL');
        }
      }
    },
    async close() {
      const ends = [...all].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of all) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

/** @param request null: the process says by itself that it is ready */
async function answered(child: ChildProcess, request: HearingRequest | null, withinMs: number): Promise<HearingAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HearingAnswer>();
  const onExit = () => reject(new SoundError('The recording could not be decoded: the decoder ended on it.'));
  const timer = setTimeout(
    () => reject(new SoundError('The recording could not be decoded: the decoder did not come to an end.')),
    withinMs,
  );
  child.once('message', resolve).once('exit', onExit);
  if (request !== null) child.send(request);
  try {
    const answer = await promise;
    if ('unreadable' in answer) throw new SoundError(answer.unreadable);
    if ('error' in answer) throw new SoundError(`The recording could not be decoded (${answer.error}).`);
    return answer;
  } finally {
    clearTimeout(timer);
    child.off('message', resolve).off('exit', onExit);
  }
}
