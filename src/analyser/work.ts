import { analyseAndJudge } from '../domain/signals/analyse-call.ts';
import { makeTest } from '../domain/tests/generate.ts';

/** All that a process does with a call. */
export const WORK = { analyseAndJudge, makeTest };
export type Work = typeof WORK;

export interface WorkRequest {
  work: keyof Work;
  /** Of that function. */
  args: readonly unknown[];
}
/** A process says `ready` once, when its modules are loaded; then one answer a request. */
export type WorkAnswer = { ready: true } | { result: unknown } | { error: string };
