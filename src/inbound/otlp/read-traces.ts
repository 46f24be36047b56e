import { fieldOf, type Json, type JsonObject } from '../../domain/json.ts';
import { jsonExceeds } from '../../domain/json-shape.ts';
import type { Span, SpanEvent, SpanGroup } from '../../domain/spans/span.ts';
import { countFields } from './count-fields.ts';
import { traceRequest } from './schema.ts';

export type Encoding = 'protobuf' | 'json';

export interface ReadTraces {
  groups: SpanGroup[];
  /** Spans without usable ids or times, and those beyond the most that a request may hold. */
  rejected: number;
  /** Why, in words; empty where none was. */
  reason: string;
}

/** A body that is no request of OTLP. */
export class UnreadableTraces extends Error {
  override name = 'UnreadableTraces';
}

/** Most spans of one request: decoding more would hold up everybody else. */
const SPANS_MAX = 20_000;
/** Most traces of one request: each is compressed and sealed by itself. */
export const TRACES_MAX = 1_000;
/** As many as 20,000 spans of twenty attributes hold: what is decoded takes many times its bytes. */
export const VALUES_MAX = 2_000_000;
const JSON_DEPTH_MAX = 100;
const DEPTH_MAX = 16;
/** A resource is written with each trace and library that has spans of it. */
const RESOURCE_LENGTH_MAX = 64 * 1024;
const RESOURCES_LENGTH_MAX = 32 * 1024 * 1024;
const NAME_LENGTH_MAX = 255;
const TEXT_LENGTH_MAX = 1024 * 1024;

/** @throws UnreadableTraces in words. */
export function readTraces(body: Uint8Array, encoding: Encoding): ReadTraces {
  const resourceSpans = listOf(fieldOf(encoding === 'json' ? parse(body) : decode(body), 'resourceSpans'));
  const reader = new SpanReader(encoding === 'json' ? hexOfText : hexOfBytes);
  return { groups: resourceSpans.flatMap((entry) => reader.groupsOf(entry)), ...reader.outcome() };
}

function decode(body: Uint8Array): unknown {
  const unreadable = 'The body is no ExportTraceServiceRequest in protobuf.';
  if (orUnreadable(unreadable, () => countFields(body, VALUES_MAX)) > VALUES_MAX) throw holdsTooMuch();
  return orUnreadable(unreadable, () => traceRequest.decode(body));
}

function parse(body: Uint8Array): unknown {
  if (jsonExceeds(body, { depth: JSON_DEPTH_MAX, values: VALUES_MAX })) throw holdsTooMuch();
  const unreadable = 'The body is no ExportTraceServiceRequest in JSON.';
  const value: unknown = orUnreadable(unreadable, () =>
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)),
  );
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UnreadableTraces(unreadable);
}

function orUnreadable<Value>(message: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new UnreadableTraces(message);
  }
}

const holdsTooMuch = () =>
  new UnreadableTraces(`The body holds more than ${VALUES_MAX} values, or nests deeper than ${JSON_DEPTH_MAX} levels.`);

type HexOf = (value: unknown, bytes: number) => string | null;

/** Decoded protobuf and OTLP's JSON name their fields alike; only ids and 64-bit numbers are written differently. */
class SpanReader {
  readonly #hexOf: HexOf;
  #spans = 0;
  #broken = 0;
  #beyond = 0;
  #crowded = 0;
  #resourcesLength = 0;
  readonly #traces = new Set<string>();

  constructor(hexOf: HexOf) {
    this.#hexOf = hexOf;
  }

  groupsOf(entry: unknown): SpanGroup[] {
    const resource = boundedResource(attributesOf(fieldOf(fieldOf(entry, 'resource'), 'attributes')));
    const { length } = JSON.stringify(resource);
    return listOf(fieldOf(entry, 'scopeSpans')).map((scoped) => {
      const traces = new Set<string>();
      const spans = listOf(fieldOf(scoped, 'spans')).flatMap((span) => this.#read(span));
      return {
        resource,
        scope: textOf(fieldOf(fieldOf(scoped, 'scope'), 'name')).slice(0, NAME_LENGTH_MAX),
        spans: spans.filter(({ traceId }) => this.#hasRoom(traceId, traces, length)),
      };
    });
  }

  outcome(): Pick<ReadTraces, 'rejected' | 'reason'> {
    const reasons = [
      this.#broken > 0 ? `${this.#broken} spans have no valid trace id, span id or start time.` : '',
      this.#beyond > 0 ? `A request takes ${SPANS_MAX} spans; ${this.#beyond} more were not taken.` : '',
      this.#crowded > 0
        ? `A request takes ${TRACES_MAX} traces with their resources; ${this.#crowded} spans of others were not taken.`
        : '',
    ];
    return { rejected: this.#broken + this.#beyond + this.#crowded, reason: reasons.filter(Boolean).join(' ') };
  }

  /** Whether a span's trace is among as many as a request may hold, and its resource among what may be written. */
  #hasRoom(traceId: string, written: Set<string>, resourceLength: number): boolean {
    if (written.has(traceId)) return true;
    const isFull = this.#traces.size >= TRACES_MAX && !this.#traces.has(traceId);
    if (isFull || this.#resourcesLength + resourceLength > RESOURCES_LENGTH_MAX) {
      this.#crowded += 1;
      return false;
    }
    this.#traces.add(traceId);
    this.#resourcesLength += resourceLength;
    written.add(traceId);
    return true;
  }

  #read(raw: unknown): Span[] {
    this.#spans += 1;
    if (this.#spans > SPANS_MAX) {
      this.#beyond += 1;
      return [];
    }
    const traceId = this.#hexOf(fieldOf(raw, 'traceId'), 16);
    const spanId = this.#hexOf(fieldOf(raw, 'spanId'), 8);
    const startMs = millisecondsOf(fieldOf(raw, 'startTimeUnixNano'));
    if (traceId === null || spanId === null || startMs === null) {
      this.#broken += 1;
      return [];
    }
    return [
      {
        traceId,
        spanId,
        parentId: this.#hexOf(fieldOf(raw, 'parentSpanId'), 8),
        name: textOf(fieldOf(raw, 'name')),
        startMs,
        endMs: Math.max(startMs, millisecondsOf(fieldOf(raw, 'endTimeUnixNano')) ?? startMs),
        attributes: attributesOf(fieldOf(raw, 'attributes')),
        events: listOf(fieldOf(raw, 'events')).map(eventOf),
        error: errorOf(fieldOf(raw, 'status')),
      },
    ];
  }
}

function eventOf(raw: unknown): SpanEvent {
  return {
    name: textOf(fieldOf(raw, 'name')),
    atMs: millisecondsOf(fieldOf(raw, 'timeUnixNano')) ?? 0,
    attributes: attributesOf(fieldOf(raw, 'attributes')),
  };
}

const ERROR_CODE = 2;
const ERROR_NAME = 'STATUS_CODE_ERROR';

function errorOf(status: unknown): string | null {
  const code = fieldOf(status, 'code');
  return code === ERROR_CODE || code === ERROR_NAME ? textOf(fieldOf(status, 'message')) : null;
}

/** The first attributes that fit together. */
function boundedResource(resource: JsonObject): JsonObject {
  let length = 0;
  const kept = Object.entries(resource).filter(([key, value]) => {
    length += key.length + JSON.stringify(value).length;
    return length <= RESOURCE_LENGTH_MAX;
  });
  return Object.fromEntries(kept);
}

function attributesOf(value: unknown): JsonObject {
  const attributes: JsonObject = {};
  for (const entry of listOf(value)) {
    const key = textOf(fieldOf(entry, 'key'));
    if (key !== '' && key !== '__proto__') attributes[key] = valueOf(fieldOf(entry, 'value'), DEPTH_MAX);
  }
  return attributes;
}

/** Values that nest deeper than any library's are left out, and texts that are longer are cut. */
function valueOf(value: unknown, depth: number): Json {
  if (depth === 0 || typeof value !== 'object' || value === null) return null;
  const own = (name: string) => (Object.hasOwn(value, name) ? fieldOf(value, name) : undefined);
  const text = own('stringValue');
  if (typeof text === 'string') return text.slice(0, TEXT_LENGTH_MAX);
  const flag = own('boolValue');
  if (typeof flag === 'boolean') return flag;
  const number = numberOf(own('intValue') ?? own('doubleValue'));
  if (number !== null) return number;
  const list = own('arrayValue');
  if (list !== undefined) return listOf(fieldOf(list, 'values')).map((entry) => valueOf(entry, depth - 1));
  const map = own('kvlistValue');
  if (map === undefined) return null;
  const entries = listOf(fieldOf(map, 'values')).map((entry): [string, Json] => [
    textOf(fieldOf(entry, 'key')),
    valueOf(fieldOf(entry, 'value'), depth - 1),
  ]);
  return Object.fromEntries(entries.filter(([key]) => key !== '__proto__'));
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A number, also as text or as the long that protobuf gives for 64 bits. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' && !isLong(value)) return null;
  const number = Number(String(value));
  return Number.isFinite(number) ? number : null;
}

const isLong = (value: unknown) => typeof value === 'object' && value !== null && 'low' in value && 'high' in value;

/** Zero is how a sender says that it does not know. */
function millisecondsOf(nanos: unknown): number | null {
  const value = numberOf(nanos);
  return value === null || value <= 0 ? null : value / 1e6;
}

function hexOfBytes(value: unknown, bytes: number): string | null {
  if (!(value instanceof Uint8Array) || value.length !== bytes) return null;
  return unlessZero(Buffer.from(value).toString('hex'));
}

function hexOfText(value: unknown, bytes: number): string | null {
  if (typeof value !== 'string' || value.length !== bytes * 2 || !/^[0-9a-f]+$/i.test(value)) return null;
  return unlessZero(value.toLowerCase());
}

const unlessZero = (hex: string) => (/^0+$/.test(hex) ? null : hex);
