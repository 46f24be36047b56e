import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/domain/json.ts';
import { readCall } from '../../../../src/domain/signals/reading.ts';
import type { Detection } from '../../../../src/domain/signals/signal.ts';
import { toolArgsInvalid } from '../../../../src/domain/signals/structure/tool-args-invalid.ts';
import { toolNamed } from '../../../support/played.ts';
import { type Line, scripted } from '../scripted-call.ts';

const SCHEMA = {
  type: 'object',
  required: ['hive', 'day'],
  properties: {
    hive: { type: 'string' },
    day: { type: 'string' },
    frames: { type: 'integer' },
    size: { type: 'string', enum: ['small', 'large'] },
    note: { type: ['string', 'null'] },
  },
};

function detect(lines: readonly Line[], parameters: Json | null = SCHEMA) {
  const configuration = { tools: [toolNamed('order_hive', { parameters })] };
  const input = scripted([{ c: 'a hive please' }, ...lines], { configuration });
  return toolArgsInvalid.detect(readCall(input), input, {});
}

function found(lines: readonly Line[], parameters: Json = SCHEMA): readonly Detection[] {
  const read = detect(lines, parameters);
  if ('reason' in read) throw new Error(read.reason);
  return read;
}

const ordered = (args: Json, body: Json = { success: true }, ok = true): Line[] => [
  { call: 'order_hive', args },
  { result: 'order_hive', body, ok },
];

const refused = (args: Json) => ordered(args, { error: 'These arguments are invalid' }, false);

describe('arguments that a tool’s own description does not allow', () => {
  test.each<[string, Json, Record<string, string[]>]>([
    ['one that is missing', { hive: 'oak' }, { missing: ['day'] }],
    ['one that is null', { hive: 'oak', day: null }, { missing: ['day'] }],
    ['all of them', null, { missing: ['hive', 'day'] }],
    ['one of another type', { hive: 'oak', day: 'friday', frames: 'many' }, { wrongType: ['frames'] }],
    ['one that is a list', { hive: ['oak'], day: 'friday' }, { wrongType: ['hive'] }],
    ['one that is no choice', { hive: 'oak', day: 'friday', size: 'huge' }, { notAllowed: ['size'] }],
    [
      'several',
      { hive: 'oak', frames: 2.5, size: 'huge' },
      { missing: ['day'], wrongType: ['frames'], notAllowed: ['size'] },
    ],
  ])('%s', (_, args, faults) => {
    const [detection, ...more] = found(refused(args));
    expect(more).toEqual([]);
    expect(detection?.facts).toMatchObject({ missing: [], wrongType: [], notAllowed: [], ...faults });
    expect(detection?.detail).toBe(
      `"order_hive" was called with wrong or missing arguments: ${Object.values(faults).flat().join(', ')}.`,
    );
  });

  test.each<[string, Json]>([
    ['what is wanted', { hive: 'oak', day: 'friday' }],
    ['a number as text', { hive: 'oak', day: 'friday', frames: '12' }],
    ['more than is described', { hive: 'oak', day: 'friday', colour: 'blue' }],
    ['nothing for what may be left out', { hive: 'oak', day: 'friday', frames: null, size: '', note: null }],
  ])('%s is in order', (_, args) => {
    expect(found(ordered(args))).toEqual([]);
  });

  test('no fault where the tool took them, where its business said no, and where it was down', () => {
    const args = { hive: ['oak'], day: ' ' };
    expect(found(ordered(args))).toEqual([]);
    expect(found(ordered(args, { error: 'That slot is already taken, no hive is available.' }, false))).toEqual([]);
    expect(found(ordered(args, { error: 'Service unavailable', status: 503 }, false))).toEqual([]);
    expect(found(ordered(args, { error: 'day is needed' }, false))).toHaveLength(1);
    expect(found([{ call: 'order_hive', args }])).toHaveLength(1);
  });

  test('are quoted as the tool answered, or as they stand where it did not', () => {
    expect(found(ordered({ hive: 'oak' }, { error: 'day is needed' }, false))[0]).toMatchObject({
      turnIndex: 2,
      quote: expect.stringContaining('day is needed'),
      place: { kind: 'tool', label: 'order_hive' },
    });
    expect(found([{ call: 'order_hive', args: { hive: 'oak' } }])[0]).toMatchObject({ turnIndex: 1, quote: '' });
  });

  test('are found at each use, and told up to eight', () => {
    expect(found([...refused({ hive: 'oak' }), ...refused({ day: 'friday' })])).toHaveLength(2);
    const names = 'abcdefghij'.split('');
    const [detection] = found(refused({}), { type: 'object', required: names });
    expect(detection?.detail).toMatch(/a, b, c, d, e, f, g, h\.$/);
  });
});

test.each<[string, Line[], Json | null]>([
  ['no tool was called', [{ a: 'Which one?' }], SCHEMA],
  ['the tool that was called has no description', ordered({}), null],
  ['only its answer was recorded', [{ result: 'order_hive', body: {} }], SCHEMA],
])('nothing can be said where %s', (_, lines, parameters) => {
  expect(detect(lines, parameters)).toEqual({
    reason: 'The schema of no tool that was called on this call is known.',
  });
});
