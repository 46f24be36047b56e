import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { groupSpans } from '../../../src/domain/spans/merge-spans.ts';
import { makeSpan } from '../../support/spans.ts';

const spans = (prefix: string, resource: JsonObject, count: number) =>
  Array.from({ length: count }, (_, at) =>
    makeSpan({ id: `${prefix}${at}`, name: 'turn', from: at, to: at + 1, resource }),
  );

test('a resource is written out once to compare it, however many spans share it', () => {
  let written = 0;
  const resource = {
    toJSON() {
      written += 1;
      return { 'service.name': 'front desk' };
    },
  } as unknown as JsonObject;
  expect(groupSpans(spans('a', resource, 500))).toHaveLength(1);
  expect(written).toBe(1);
});

test('equal resources of several requests are one group, others and other libraries their own', () => {
  const [one, equal, other] = [{ service: 'a' }, { service: 'a' }, { service: 'b' }];
  const sent = [...spans('a', one, 2), ...spans('b', equal, 2), ...spans('c', other, 1)];
  const [first] = spans('d', one, 1);
  const groups = groupSpans(first ? [...sent, { ...first, scope: 'http' }] : sent);
  expect(groups.map(({ resource, scope, spans: own }) => [resource, scope, own.length])).toEqual([
    [one, 'livekit-agents', 4],
    [one, 'http', 1],
    [other, 'livekit-agents', 1],
  ]);
});
