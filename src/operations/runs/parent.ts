import { type AttemptView, findAttempt } from '../../db/runs/read-attempts.ts';
import { findRunResult, type RunResult } from '../../db/runs/run-documents.ts';
import { findRun, type RunView } from '../../db/runs/runs.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export const runParent: Parent<RunView> = {
  param: 'runId',
  notFound: 'run_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findRun(em, scopeOf(agent), id) : null),
};

/** A run with its document, in one trip. */
export const runResultParent: Parent<RunResult> = {
  ...runParent,
  load: async (em, id, { agent }) => (agent ? findRunResult(em, scopeOf(agent), id) : null),
};

export const attemptParent: Parent<AttemptView> = {
  param: 'attemptId',
  notFound: 'attempt_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findAttempt(em, scopeOf(agent), id) : null),
};
