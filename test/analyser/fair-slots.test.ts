import { expect, test } from 'vitest';
import { createFairSlots } from '../../src/analyser/fair-slots.ts';

/** Takes a slot for each owner in turn, and gives back one after the other. @returns the owners as they were let in. */
async function orderOf(slots: number, owners: readonly string[]): Promise<string> {
  const fair = createFairSlots(slots);
  const order: string[] = [];
  const atWork: string[] = [];
  const taken = owners.map(async (owner) => {
    await fair.take(owner);
    order.push(owner);
    atWork.push(owner);
  });
  for (let done = 0; done < owners.length; done += 1) {
    await new Promise(setImmediate);
    fair.giveBack(atWork.shift() ?? '');
  }
  await Promise.all(taken);
  return order.join('');
}

test.each([
  ['one owner has all slots', 2, 'aaaa', 'aaaa'],
  ['whoever comes later does not wait for all that is before', 2, 'aaaaaab', 'aabaaaa'],
  ['those who wait take turns', 1, 'aaaabbcc', 'aabcabca'],
  ['who holds none is before who holds one', 2, 'aabbc', 'aabcb'],
])('%s', async (_what, slots, owners, order) => {
  expect(await orderOf(slots, [...owners])).toBe(order);
});
