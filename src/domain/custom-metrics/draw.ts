import { sha256Hex } from '../digest.ts';

const DIGITS = 13;
const ALL = 16 ** DIGITS;

/** Whether a call is among a share of all calls: by its id alone, so that a greater share holds every call of a smaller one. */
export function isDrawn(callId: string, share: number): boolean {
  if (share >= 1) return true;
  return Number.parseInt(sha256Hex(`custom-metric:${callId}`).slice(0, DIGITS), 16) / ALL < share;
}
