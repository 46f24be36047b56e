import { fieldOf } from '../../domain/json.ts';
import type { Span, SpanEvent, SpanGroup } from '../../domain/spans/span.ts';
import { type Encoding, readRequest } from './read-request.ts';
import { traceRequest } from './schema.ts';
import { attributesOf, boundedResource, hexOfBytes, hexOfText, listOf, millisecondsOf, textOf } from './values.ts';

export interface ReadTraces {
  groups: SpanGroup[];
  /** Spans without usable ids or times, and those beyond the most that a request may hold. */
  rejected: number;
  /** Why, in words; empty where none was. */
  reason: string;
}

/** Most spans of one request: decoding more would hold up everybody else. */
const SPANS_MAX = 20_000;
/** Most traces of one request: each is compressed and sealed by itself. */
export const TRACES_MAX = 1_000;
const RESOURCES_LENGTH_MAX = 32 * 1024 * 1024;
const NAME_LENGTH_MAX = 255;

/** @throws UnreadableRequest in words. */
export function readTraces(body: Uint8Array, encoding: Encoding): ReadTraces {
  const resourceSpans = listOf(fieldOf(readRequest(body, encoding, traceRequest), 'resourceSpans'));
  const reader = new SpanReader(encoding === 'json' ? hexOfText : hexOfBytes);
  return { groups: resourceSpans.flatMap((entry) => reader.groupsOf(entry)), ...reader.outcome() };
}

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
