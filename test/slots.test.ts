import { expect, test } from 'vitest';
import { Slots } from '../src/slots.ts';

test('as many are under way as there are slots, and the next begins when one ends, also when it fails', async () => {
  const slots = new Slots(2);
  const begun: number[] = [];
  const ends: ((how: 'well' | 'badly') => void)[] = [];
  const works = [0, 1, 2, 3].map((nth) =>
    slots.use(
      'a',
      () =>
        new Promise<number>((resolve, reject) => {
          begun.push(nth);
          ends[nth] = (how) => (how === 'well' ? resolve(nth) : reject(new Error('badly')));
        }),
    ),
  );
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  ends[1]?.('badly');
  await expect(works[1]).rejects.toThrow('badly');
  expect(begun).toEqual([0, 1, 2]);
  for (const nth of [0, 2]) ends[nth]?.('well');
  await Promise.all([works[0], works[2]]);
  ends[3]?.('well');
  expect(await works[3]).toBe(3);
  expect(await slots.use('a', async () => 'again')).toBe('again');
});

test('a slot that is lent goes to the next, and comes back, also where the wait fails', async () => {
  const slots = new Slots(1);
  const seen: string[] = [];
  let end = () => {};
  const waits = new Promise<void>((resolve) => (end = resolve));
  const lender = slots.use('a', async () => {
    await slots.lend('a', () => waits);
    seen.push('back');
  });
  await slots.use('a', async () => void seen.push('other'));
  end();
  await lender;
  const failing = slots.use('a', () => slots.lend('a', () => Promise.reject(new Error('cancelled'))));
  const next = slots.use('a', async () => void seen.push('next'));
  await expect(failing).rejects.toThrow('cancelled');
  await next;
  // One at a time, as before.
  let [now, most] = [0, 0];
  const work = () =>
    slots.use('a', async () => {
      most = Math.max(most, (now += 1));
      await Promise.resolve();
      now -= 1;
    });
  await Promise.all([work(), work(), work()]);
  expect([seen, most]).toEqual([['other', 'back', 'next'], 1]);
});

test('a workspace that holds all slots keeps no other from a first one, and those who wait take turns', async () => {
  const slots = new Slots(2);
  const held = [await slots.take('a'), await slots.take('a')];
  const begun: string[] = [];
  const waiting = ['a', 'a', 'b', 'b', 'c'].map(async (owner) => {
    const release = await slots.take(owner);
    begun.push(owner);
    return release;
  });
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toEqual(['b']);
  for (const release of held) release();
  await Promise.all([waiting[2], waiting[4], waiting[0]]);
  expect(begun).toEqual(['b', 'c', 'a']);
});

test('a workspace holds no more than its part, also where slots are free', async () => {
  const slots = new Slots(4, { mostOfOne: 2 });
  const held = [await slots.take('a'), await slots.take('a')];
  let third = false;
  const waits = slots.take('a').then((release) => {
    third = true;
    return release;
  });
  (await slots.take('b'))();
  expect(third).toBe(false);
  held[0]?.();
  (await waits)();
  expect(third).toBe(true);
});

test('who waits for a slot can stop to wait, and takes none then', async () => {
  const slots = new Slots(1, { spare: 0 });
  const release = await slots.take('a');
  const stop = new AbortController();
  const waits = slots.take('a', stop.signal);
  expect(slots.waitingOf('a')).toBe(1);
  stop.abort(new Error('long enough'));
  await expect(waits).rejects.toThrow('long enough');
  expect(slots.waitingOf('a')).toBe(0);
  release();
  expect(await slots.use('b', async () => 'free')).toBe('free');
});
