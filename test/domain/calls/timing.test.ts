import { describe, expect, test } from 'vitest';
import { percentile, readTiming, responseTimes, summariseTiming } from '../../../src/domain/calls/timing.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

const timingOf = (lines: readonly Line[], given: Given = {}) => readTiming(scripted(lines, given).call);
const a = (from: number, to: number): Line => ({ a: 'agent', at: [from, to] });
const c = (from: number, to: number): Line => ({ c: 'caller', at: [from, to] });

describe('who waited for whom', () => {
  test.each<[string, Line[], object]>([
    ['an answer after a pause', [c(0, 2), a(3.5, 5)], { responseLatenciesS: [1.5], noResponse: 0 }],
    ['an answer at once', [c(0, 2), a(2, 5)], { responseLatenciesS: [0] }],
    ['one answer to two turns', [c(0, 2), c(3, 4), a(5, 6)], { responseLatenciesS: [1], noResponse: 1 }],
    ['the last words of a caller', [a(0, 1), c(2, 3)], { responseLatenciesS: [], noResponse: 0 }],
    [
      'a caller who cuts in, and an agent who yields',
      [a(0, 5), c(4, 6), a(7, 8)],
      { yieldLatenciesS: [1], noYield: 0 },
    ],
    ['a caller who cuts in, and an agent who goes on', [a(0, 20), c(4, 6)], { yieldLatenciesS: [], noYield: 1 }],
    ['an agent who cuts in', [c(0, 5), a(3, 8)], { agentInterruptions: 1, responseLatenciesS: [] }],
    [
      'an agent who says a word within the turn',
      [c(0, 9), a(3, 4), a(10, 12)],
      { agentInterruptions: 1, responseLatenciesS: [1] },
    ],
    [
      'one turn after the other',
      [a(0, 2), c(2, 4), a(4, 6)],
      { agentInterruptions: 0, noYield: 0, yieldLatenciesS: [] },
    ],
    ['turns that were recorded out of order', [a(3.5, 5), c(0, 2)], { responseLatenciesS: [1.5] }],
    ['turns that end before they begin', [c(5, 2), a(6, 7)], { responseLatenciesS: [] }],
    ['nobody', [], { responseLatenciesS: [], noResponse: 0, noYield: 0, agentInterruptions: 0 }],
  ])('%s', (_, lines, expected) => {
    expect(summariseTiming(timingOf(lines, { timing: 'exact' }))).toMatchObject(expected);
  });

  test('a turn without times costs its own gaps alone', () => {
    const facts = timingOf(
      [c(0, 1), a(2, 3), c(4, 5), { a: 'agent' }, c(9, 10), a(10.5, 11), c(12, 13), { a: 'agent' }],
      {
        timing: 'exact',
      },
    );
    expect(summariseTiming(facts)).toMatchObject({ responseLatenciesS: [1, 0.5], noResponse: 0 });
    expect(facts?.untimed).toEqual([3, 7]);
  });

  test('an agent who begins together with the caller cuts nobody off, yet the two overlap', () => {
    const facts = timingOf([c(1, 4), a(1, 3)]);
    expect(facts?.interruptions).toMatchObject([{ together: true, overlapMs: 2000 }]);
  });

  test('is not known where times are missing or only near the truth', () => {
    expect(timingOf([{ a: 'Hello' }, { c: 'Hi' }])).toBeNull();
    expect(timingOf([c(0, 2), a(3, 5)], { timing: 'approx' })).toBeNull();
    expect(summariseTiming(null)).toBeNull();
  });
});

describe('how long a caller waited', () => {
  const heard = timingOf([c(0, 1), a(2, 3), c(4, 5), a(8, 9)]);

  test.each<[string, ReturnType<typeof timingOf>, number[], object | null]>([
    ['from what was spoken', heard, [], { p50Ms: 1000, p90Ms: 3000 }],
    ['from what was spoken, whatever the platform measured', heard, [9000], { p50Ms: 1000, p90Ms: 3000 }],
    ['from what the platform measured, where times are missing', null, [700.4, 900], { p50Ms: 700, p90Ms: 900 }],
    ['from nothing', null, [], null],
  ])('%s', (_, facts, measured, expected) => {
    expect(responseTimes(facts, measured)).toEqual(expected);
  });

  test.each([
    [[], 0.5, null],
    [[7], 0.5, 7],
    [[7], 0, 7],
    [[3, 1, 2], 0.5, 2],
    [[4, 1, 3, 2], 0.5, 2],
    [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 0.9, 9],
    [[1, 2], 1, 2],
  ])('the share of %j below %s lies under %s', (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });
});
