import type { Type } from 'protobufjs';
import { jsonExceeds } from '../../domain/json-shape.ts';
import { countFields } from './count-fields.ts';

export type Encoding = 'protobuf' | 'json';
/** What a sender exports: spans, or the events of models that stand among its logs. */
export type Signal = 'traces' | 'logs';

/** A body that is no request of OTLP. */
export class UnreadableRequest extends Error {
  override name = 'UnreadableRequest';
}

/** As many as 20,000 spans of twenty attributes hold: what is decoded takes many times its bytes. */
export const VALUES_MAX = 2_000_000;
const JSON_DEPTH_MAX = 100;

/** Decoded protobuf and OTLP's JSON name their fields alike. @throws UnreadableRequest in words. */
export function readRequest(body: Uint8Array, encoding: Encoding, type: Type): unknown {
  return encoding === 'json' ? parse(body, type) : decode(body, type);
}

function decode(body: Uint8Array, type: Type): unknown {
  const unreadable = `The body is no ${type.name} in protobuf.`;
  if (orUnreadable(unreadable, () => countFields(body, type, VALUES_MAX)) > VALUES_MAX) throw holdsTooMuch();
  return orUnreadable(unreadable, () => type.decode(body));
}

function parse(body: Uint8Array, type: Type): unknown {
  if (jsonExceeds(body, { depth: JSON_DEPTH_MAX, values: VALUES_MAX })) throw holdsTooMuch();
  const unreadable = `The body is no ${type.name} in JSON.`;
  const value: unknown = orUnreadable(unreadable, () =>
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)),
  );
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UnreadableRequest(unreadable);
}

function orUnreadable<Value>(message: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new UnreadableRequest(message);
  }
}

const holdsTooMuch = () =>
  new UnreadableRequest(
    `The body holds more than ${VALUES_MAX} values, or nests deeper than ${JSON_DEPTH_MAX} levels.`,
  );
