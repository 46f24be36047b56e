import { describe, expect, test } from 'vitest';
import { countFields } from '../../src/inbound/otlp/count-fields.ts';
import { VALUES_MAX } from '../../src/inbound/otlp/read-request.ts';
import { readTraces, TRACES_MAX } from '../../src/inbound/otlp/read-traces.ts';
import { traceRequest } from '../../src/inbound/otlp/schema.ts';
import { makeSpan, otlpBytes, otlpJson } from '../support/spans.ts';

const spanOf = (trace: number, more: object = {}) => ({
  traceId: trace.toString(16).padStart(32, '0'),
  spanId: 'a'.repeat(16),
  startTimeUnixNano: '1700000000000000000',
  ...more,
});
const json = (request: object) => Buffer.from(JSON.stringify(request));
const ofTraces = (traces: number, resource: object = {}) =>
  json({
    resourceSpans: [{ resource, scopeSpans: [{ spans: Array.from({ length: traces }, (_, at) => spanOf(at + 1)) }] }],
  });
const text = (key: string, length: number) => ({ key, value: { stringValue: 'x'.repeat(length) } });

describe('what a request may hold', () => {
  test('more traces than are stored of one request are refused, the others are taken', () => {
    const { groups, rejected, reason } = readTraces(ofTraces(TRACES_MAX + 5), 'json');
    expect([groups[0]?.spans.length, rejected]).toEqual([TRACES_MAX, 5]);
    expect(reason).toContain(`${TRACES_MAX} traces`);
  });

  test('of a resource the first attributes are kept that fit together', () => {
    const attributes = [text('service.name', 10), text('large', 100_000), text('late', 10)];
    const { groups } = readTraces(ofTraces(1, { attributes }), 'json');
    expect(Object.keys(groups[0]?.resource ?? {})).toEqual(['service.name']);
  });

  test('a large resource is not written for as many traces as a small one', () => {
    const { groups, rejected } = readTraces(ofTraces(TRACES_MAX, { attributes: [text('a', 60_000)] }), 'json');
    const taken = groups[0]?.spans.length ?? 0;
    expect(taken * 60_000).toBeLessThan(32 * 1024 * 1024);
    expect(taken + rejected).toBe(TRACES_MAX);
  });

  test('a longer text of a span is cut', () => {
    const span = spanOf(1, { attributes: [text('said', 2 * 1024 * 1024)] });
    const { groups } = readTraces(json({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }), 'json');
    expect(String(groups[0]?.spans[0]?.attributes.said).length).toBe(1024 * 1024);
  });
});

describe('before a request is decoded', () => {
  const EMPTY_RESOURCE_SPANS = Buffer.from('0a00', 'hex');

  test.each<[string, Buffer, 'protobuf' | 'json']>([
    ['messages without content', Buffer.alloc(5_000_000, EMPTY_RESOURCE_SPANS), 'protobuf'],
    ['lists without content', Buffer.from(`{"resourceSpans":[${'[],'.repeat(1_500_000)}[]]}`), 'json'],
    ['nesting', Buffer.from(`{"resourceSpans":${'['.repeat(200)}${']'.repeat(200)}}`), 'json'],
  ])('%s: refused', (_what, body, encoding) => {
    expect(() => readTraces(body, encoding)).toThrow(`more than ${VALUES_MAX} values`);
  });

  test('fields are counted down to the innermost, and no further than asked', () => {
    const span = makeSpan({ id: 'a', name: 'turn', from: 0, to: 1, attributes: { said: 'hello', list: [1, 2] } });
    const bytes = otlpBytes([span]);
    const again = traceRequest.encode(traceRequest.decode(bytes)).finish();
    const fields = countFields(bytes, traceRequest, 1_000);
    expect(countFields(again, traceRequest, 1_000)).toBe(fields);
    expect(countFields(otlpBytes([span, span]), traceRequest, 1_000)).toBe(2 * fields);
    expect(countFields(Buffer.alloc(1_000, EMPTY_RESOURCE_SPANS), traceRequest, 7)).toBe(8);
    expect(readTraces(bytes, 'protobuf').groups).toEqual(readTraces(json(otlpJson([span])), 'json').groups);
  });

  test('what breaks off is no request, whatever came before', () => {
    const broken = Buffer.concat([EMPTY_RESOURCE_SPANS, Buffer.from('0aff', 'hex')]);
    expect(() => readTraces(broken, 'protobuf')).toThrow(/no ExportTraceServiceRequest/);
  });
});
