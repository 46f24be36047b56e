import { expect, test } from 'vitest';
import { BY_AGENT, turnsOf } from './turns-of.ts';

test.each(['caller_never_heard', 'dead_air', 'turn_latency_high'])('where nobody spoke, %s is no finding', (code) => {
  const talk = [
    { a: 'Orchard Dental.', at: [0, 2] as [number, number] },
    { c: '[rustling]', at: [3, 4] as [number, number] },
    { a: 'Is anybody there?', at: [11, 12] as [number, number] },
    { a: 'I end the call here.', at: [19, 21] as [number, number] },
  ];
  expect(turnsOf(code, talk, { ...BY_AGENT, durationMs: 21_000 })).toEqual([]);
});
