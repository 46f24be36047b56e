import { describe, expect, test } from 'vitest';
import { changeRetention, payloadDaysOf, retentionInForce } from '../../../src/domain/retention/retention.ts';

describe('what is in force', () => {
  test.each([
    ['where nobody set anything', [], { payloadDays: 30, transcriptDays: 365, callDays: null }],
    ['where a workspace set one', [{ callDays: 90 }], { payloadDays: 30, transcriptDays: 365, callDays: 90 }],
    [
      'where the agent says otherwise than its workspace',
      [{ transcriptDays: 90, callDays: 90 }, { transcriptDays: null }],
      { payloadDays: 30, transcriptDays: null, callDays: 90 },
    ],
  ])('%s', (_, sets, expected) => {
    expect(retentionInForce(...sets)).toEqual(expected);
  });
});

describe('a change', () => {
  test.each([
    ['sets', {}, { callDays: 7 }, { callDays: 7 }],
    ['sets for ever', { callDays: 7 }, { callDays: null }, { callDays: null }],
    ['leaves what it does not name', { callDays: 7 }, { payloadDays: 1 }, { callDays: 7, payloadDays: 1 }],
    ['leaves what it names as undefined', { callDays: 7 }, { callDays: undefined }, { callDays: 7 }],
    ['takes back', { callDays: 7, payloadDays: 1 }, { callDays: 'workspace' as const }, { payloadDays: 1 }],
  ])('%s', (_, set, change, expected) => {
    const before = { ...set };
    expect(changeRetention(set, change)).toEqual(expected);
    expect(set).toEqual(before);
  });
});

test.each([
  [30, 365, 30],
  [365, 30, 30],
  [null, 30, 30],
  [30, null, 30],
  [null, null, null],
])('payloads kept %s days beside words kept %s days: %s', (payloadDays, transcriptDays, days) => {
  expect(payloadDaysOf({ payloadDays, transcriptDays, callDays: null })).toBe(days);
});
