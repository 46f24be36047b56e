import { expect, test } from 'vitest';
import { nominate, type StepTable } from '../../../src/domain/issues/nominate-causes.ts';
import type { Place } from '../../../src/domain/signals/signal.ts';
import { randomFrom } from '../../support/random.ts';

const CODES = Array.from({ length: 20 }, (_, index) => `code_${index}`);

/** Calls at four steps with codes that have nothing to do with how they end; `planted` doubles one code's bad endings. */
function steps(random: () => number, planted = false): StepTable[] {
  return ['a', 'b', 'c', 'd'].map((issueId, at) => {
    const counts = new Map(CODES.map((code) => [code, { calls: 0, bad: 0 }]));
    let bad = 0;
    for (let call = 0; call < 300; call += 1) {
      const shown = CODES.filter((_, index) => random() < 0.3 / (1 + index / 4));
      const hit = planted && at === 0 && shown.includes('code_0');
      const isBad = random() < (hit ? 0.5 : 0.15);
      if (isBad) bad += 1;
      for (const code of shown) {
        const count = counts.get(code);
        if (!count) continue;
        count.calls += 1;
        if (isBad) count.bad += 1;
      }
    }
    return { issueId, calls: 300, bad, codes: [...counts].map(([code, count]) => ({ code, ...count })) };
  });
}

const nominated = (tables: StepTable[]) =>
  [...nominate(tables).candidates].flatMap(([issueId, list]) =>
    list.filter((candidate) => candidate.nominated).map(({ code }) => `${issueId} ${code}`),
  );

test('noise alone is nominated in at most one of twenty agents', () => {
  const runs = 400;
  let wrong = 0;
  for (let start = 1; start <= runs; start += 1) if (nominated(steps(randomFrom(start))).length > 0) wrong += 1;
  expect(wrong / runs).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / runs));
});

test('a code after which calls end badly at a step is nominated there, and nowhere else', () => {
  let found = 0;
  let wrong = 0;
  for (let start = 1; start <= 50; start += 1) {
    const names = nominated(steps(randomFrom(start), true));
    if (names.includes('a code_0')) found += 1;
    wrong += names.filter((name) => name !== 'a code_0').length;
  }
  expect(found).toBeGreaterThanOrEqual(48);
  expect(wrong).toBeLessThanOrEqual(6);
});

test('a step with fewer than five bad or five other calls is compared with nothing', () => {
  const table = (calls: number, bad: number): StepTable => ({
    issueId: 'a',
    calls,
    bad,
    codes: [{ code: 'tool_failed', calls: bad, bad }],
  });
  expect(nominate([table(100, 4)]).tests).toBe(0);
  expect(nominate([table(100, 96)]).tests).toBe(0);
  expect(nominated([table(100, 5)])).toEqual(['a tool_failed']);
});

const ORDERS: Place = { kind: 'tool', id: 'find_order', label: 'find_order' };
const route = (k: number, n: number, othersBad: number, others: number): StepTable => ({
  issueId: 'call_back',
  calls: k + othersBad + 3,
  bad: k + othersBad,
  codes: [{ code: 'tool_failed', calls: k + 2, bad: k }],
  routes: [{ code: 'tool_failed', place: ORDERS, with: { k, n }, without: { k: othersBad, n: others } }],
});

test('a failure that sends calls to a step is found there, although nearly every call that comes there has it', () => {
  const withoutRoutes = { ...route(40, 52, 4, 300), routes: [] };
  expect(nominated([withoutRoutes])).toEqual([]);
  expect(nominated([route(40, 52, 4, 300)])).toEqual(['call_back tool_failed']);
  const [candidate] = nominate([route(40, 52, 4, 300)]).candidates.get('call_back') ?? [];
  expect(candidate).toMatchObject({ from: ORDERS, with: { k: 40, n: 52 }, without: { k: 4, n: 300 } });
});

test('a step that calls come to whether or not the failure was there is not laid to the failure', () => {
  expect(nominated([route(20, 100, 60, 300)])).toEqual([]);
  expect(nominated([route(4, 5, 0, 300)])).toEqual([]);
});
