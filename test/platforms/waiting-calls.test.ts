import { expect, test } from 'vitest';
import type { Turn } from '../../src/domain/calls/call.ts';
import { WaitingCalls } from '../../src/platforms/file/waiting-calls.ts';
import { emptyTurn } from '../../src/platforms/turn-parts.ts';

function waitingFor(calls: readonly { id: string | null; name: string }[]) {
  const waiting = new WaitingCalls();
  for (const [at, call] of calls.entries()) waiting.add(emptyTurn(at, 'agent', null), call);
  const take = (id: string | null, name: string | null): Turn['index'] | null =>
    waiting.take({ id, name })?.index ?? null;
  return take;
}

test('a result answers the call of its id, else the oldest of its tool, else the oldest', () => {
  const take = waitingFor([
    { id: 'a', name: 'find' },
    { id: null, name: 'book' },
    { id: 'c', name: 'find' },
    { id: 'a', name: 'find' },
  ]);
  expect(take('none', 'find')).toBeNull();
  expect(take('c', 'book')).toBe(2);
  expect(take(null, 'book')).toBe(1);
  expect(take(null, null)).toBe(0);
  expect([take('a', null), take('a', null)]).toEqual([3, null]);
  expect(take(null, 'find')).toBeNull();
});

test('the oldest of very many calls that wait is found without a look at the others', () => {
  const count = 100_000;
  const take = waitingFor(Array.from({ length: count }, (_, at) => ({ id: `c${at}`, name: 'find' })));
  const found = Array.from({ length: count }, (_, at) => take(`c${count - 1 - at}`, null));
  expect(found).toEqual(Array.from({ length: count }, (_, at) => count - 1 - at));
});
