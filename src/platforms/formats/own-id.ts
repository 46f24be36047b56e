import type { JsonObject } from '../../domain/json.ts';
import { idOf } from '../values.ts';
import type { Reading } from './format.ts';

const FIELDS = { record: 'id', retell: 'call_id', vapi: 'id', elevenlabs: 'conversation_id' } as const;

const holderOf = (reading: Reading): JsonObject => (reading.as === 'record' ? reading.record : reading.payload);

/** The id that a call has by itself; null where it has none that can key a record. */
export const ownId = (reading: Reading): string | null => idOf(holderOf(reading)[FIELDS[reading.as]]);

/** The same call under an id. */
export function withId(reading: Reading, id: string): Reading {
  const named = { ...holderOf(reading), [FIELDS[reading.as]]: id };
  return reading.as === 'record' ? { ...reading, record: named } : { ...reading, payload: named };
}
