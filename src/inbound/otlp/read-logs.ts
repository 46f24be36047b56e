import { fieldOf, isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { Span, SpanGroup } from '../../domain/spans/span.ts';
import { type Encoding, readRequest } from './read-request.ts';
import { logsRequest } from './schema.ts';
import {
  attributesOf,
  boundedResource,
  hexOfBytes,
  hexOfText,
  listOf,
  millisecondsOf,
  textOf,
  valueOf,
} from './values.ts';

/** Most events of one request. */
const EVENTS_MAX = 20_000;
const NAME_LENGTH_MAX = 255;

export interface ReadLogs {
  /** Of each span that events belong to one that holds these alone. */
  groups: SpanGroup[];
  /** Events of talks that name no span, and those beyond the most that a request may hold. */
  rejected: number;
  /** Why, in words; empty where none was. */
  reason: string;
}

/**
 * Takes the events of talks out of logs: some libraries send what a model was given and answered as events beside their
 * spans. All else that is logged is left. @throws UnreadableRequest in words.
 */
export function readLogs(body: Uint8Array, encoding: Encoding): ReadLogs {
  const hexOf = encoding === 'json' ? hexOfText : hexOfBytes;
  let taken = 0;
  let apart = 0;
  let beyond = 0;
  const groups = listOf(fieldOf(readRequest(body, encoding, logsRequest), 'resourceLogs')).flatMap((entry) => {
    const resource = boundedResource(attributesOf(fieldOf(fieldOf(entry, 'resource'), 'attributes')));
    return listOf(fieldOf(entry, 'scopeLogs')).map((scoped): SpanGroup => {
      const spans = listOf(fieldOf(scoped, 'logRecords')).flatMap((record): Span[] => {
        const event = eventOf(record);
        if (event === null) return [];
        const traceId = hexOf(fieldOf(record, 'traceId'), 16);
        const spanId = hexOf(fieldOf(record, 'spanId'), 8);
        if (traceId === null || spanId === null) apart += 1;
        else if (taken >= EVENTS_MAX) beyond += 1;
        else {
          taken += 1;
          return [spanOf(traceId, spanId, event)];
        }
        return [];
      });
      return { resource, scope: textOf(fieldOf(fieldOf(scoped, 'scope'), 'name')).slice(0, NAME_LENGTH_MAX), spans };
    });
  });
  const reasons = [
    apart > 0 ? `${apart} events of models belong to no span: log them within the span of their request.` : '',
    beyond > 0 ? `A request takes ${EVENTS_MAX} events; ${beyond} more were not taken.` : '',
  ];
  return {
    groups: groups.filter(({ spans }) => spans.length > 0),
    rejected: apart + beyond,
    reason: reasons.filter(Boolean).join(' '),
  };
}

interface LoggedEvent {
  name: string;
  atMs: number;
  attributes: JsonObject;
}

function eventOf(record: unknown): LoggedEvent | null {
  const attributes = attributesOf(fieldOf(record, 'attributes'));
  const name = textOf(fieldOf(record, 'eventName')) || textOf(attributes['event.name']);
  if (!name.startsWith('gen_ai.')) return null;
  const atMs =
    millisecondsOf(fieldOf(record, 'timeUnixNano')) ?? millisecondsOf(fieldOf(record, 'observedTimeUnixNano')) ?? 0;
  const body = valueOf(fieldOf(record, 'body'));
  const said: JsonObject = isJsonObject(body) ? body : typeof body === 'string' ? { content: body } : {};
  return { name: name.slice(0, NAME_LENGTH_MAX), atMs, attributes: { ...attributes, ...said } };
}

function spanOf(traceId: string, spanId: string, event: LoggedEvent): Span {
  const { name, atMs, attributes } = event;
  return {
    traceId,
    spanId,
    parentId: null,
    name,
    startMs: atMs,
    endMs: atMs,
    attributes,
    events: [event],
    error: null,
    onlyEvents: true,
  };
}
