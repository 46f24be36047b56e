import type { CellResult } from '../vocabulary.ts';

/** What a calibration made of one test: `k` of `n` attempts passed on this version. */
export interface Calibrated {
  result: CellResult | null;
  k: number;
  n: number;
  reason: string | null;
  version: number;
}

export interface Gate {
  gates: boolean;
  reason: string;
}

/** Attempts that a calibration plays of each test. */
const CALIBRATION_ATTEMPTS = 3;

export const NOT_CALIBRATED = 'Not calibrated yet.';

/** Only a test that comes out the same three times of three decides about a run. */
export function gateOf({ result, k, n, reason, version }: Calibrated): Gate {
  const counted = `${k} of ${n} attempts passed in the calibration on version ${version}`;
  const decided = result === 'passed' || result === 'failed' || result === 'flaky';
  if (!decided || n < CALIBRATION_ATTEMPTS) {
    return {
      gates: false,
      reason: `The calibration on version ${version} could not decide: ${trouble(result, reason)}`,
    };
  }
  if (k === n) return { gates: true, reason: `Stable: ${counted}.` };
  if (k === 0) return { gates: true, reason: `Stable, and failing: ${counted}.` };
  return { gates: false, reason: `Not stable: ${counted}.` };
}

/** Why a test that gated no longer does, or why one that did not still does not. */
export function gateAfterNewSpec(revision: number): Gate {
  return { gates: false, reason: `The spec was replaced (revision ${revision}). Calibrate the test again.` };
}

export const gateAfterNewExpectation: Gate = {
  gates: false,
  reason: 'What is expected of it was changed. Calibrate the test again.',
};

function trouble(result: CellResult | null, reason: string | null): string {
  if (reason !== null && reason !== '') return reason;
  if (result === 'error') return 'an attempt could not be judged.';
  if (result === 'drift') return 'the simulated caller did not keep to its facts and goal.';
  return 'not all of its attempts were played.';
}
