import { expect, test } from 'vitest';
import { Slots } from '../../activities/shared/slots.ts';

test('as many are under way as there are slots, and the next begins when one ends, also when it fails', async () => {
  const slots = new Slots(2);
  const begun: number[] = [];
  const ends: ((how: 'well' | 'badly') => void)[] = [];
  const works = [0, 1, 2, 3].map((nth) =>
    slots.use(
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
  expect(await slots.use(async () => 'again')).toBe('again');
});

test('a slot that is lent goes to the next, and comes back, also where the wait fails', async () => {
  const slots = new Slots(1);
  const seen: string[] = [];
  let end = () => {};
  const waits = new Promise<void>((resolve) => (end = resolve));
  const lender = slots.use(async () => {
    await slots.lend(() => waits);
    seen.push('back');
  });
  await slots.use(async () => void seen.push('other'));
  end();
  await lender;
  const failing = slots.use(() => slots.lend(() => Promise.reject(new Error('cancelled'))));
  const next = slots.use(async () => void seen.push('next'));
  await expect(failing).rejects.toThrow('cancelled');
  await next;
  // One at a time, as before.
  let [now, most] = [0, 0];
  const work = () =>
    slots.use(async () => {
      most = Math.max(most, (now += 1));
      await Promise.resolve();
      now -= 1;
    });
  await Promise.all([work(), work(), work()]);
  expect([seen, most]).toEqual([['other', 'back', 'next'], 1]);
});
