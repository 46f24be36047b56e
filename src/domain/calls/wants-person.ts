import { does } from '../acts/act.ts';
import type { CallBase } from './call-base.ts';

const TURNS_READ = 4;

/** The caller asked for a person lately, or again and again, and was answered something else. */
export function wantsPerson(reading: CallBase): boolean {
  const asked = reading.caller.filter((turn) => does(turn, 'asks_for_person'));
  return asked.length > 1 || reading.caller.slice(-TURNS_READ).some((turn) => asked.includes(turn));
}
