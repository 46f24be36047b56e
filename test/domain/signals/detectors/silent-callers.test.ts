import { expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { type Line, scripted } from '../scripted-call.ts';
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

test.each([
  ['that answers at its end is laid at the tool', 12_000, 'tool:find_bike'],
  ['that goes on long after the tool has answered is not', 4_500, 'platform:turn_taking'],
])('a silence %s', (_what, cameMs, place) => {
  const lines: Line[] = [
    { c: 'is my bike ready', at: [1, 3] },
    { call: 'find_bike' },
    { result: 'find_bike', body: { ready: true } },
    { a: 'Yes, it is ready.', at: [13, 15] },
  ];
  const input = scripted(lines);
  const turns = input.call.turns.map((turn) => (turn.role === 'tool' ? { ...turn, endMs: cameMs } : turn));
  const { signals } = analyseCall({ ...input, call: { ...input.call, turns } }, {});
  const found = signals.filter(({ code }) => code === 'dead_air');
  expect(found.map((one) => `${one.place.kind}:${one.place.id}`)).toEqual([place]);
});
