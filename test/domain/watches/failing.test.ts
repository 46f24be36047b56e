import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/domain/random.ts';
import {
  type AlarmLimit,
  type Broken,
  failingSentence,
  findFailing,
  findReached,
  isOver,
  limitInWords,
  PAST_DAYS,
  RECENT_DAYS,
  type RecentAndPast,
  recoveredSentence,
} from '../../../src/domain/watches/failing.ts';

const seen = (recent: Broken, past: Broken, days = 1): RecentAndPast => ({ day: '2026-03-02', days, recent, past });

describe('a live watch', () => {
  test.each<[string, RecentAndPast, boolean]>([
    ['holds as ever', seen({ broken: 6, of: 100 }, { broken: 140, of: 2800 }), false],
    ['breaks on a third of the calls that held before', seen({ broken: 30, of: 100 }, { broken: 0, of: 2800 }), true],
    ['breaks six times as often', seen({ broken: 30, of: 100 }, { broken: 140, of: 2800 }), true],
    ['breaks on four calls only', seen({ broken: 4, of: 10 }, { broken: 0, of: 2800 }), false],
    ['has too short a past', seen({ broken: 30, of: 100 }, { broken: 0, of: 49 }), false],
    ['breaks on few calls a day, over a week', seen({ broken: 14, of: 70 }, { broken: 3, of: 280 }, 7), true],
  ])('%s', (_, window, fails) => {
    expect(findFailing([window]) !== null).toBe(fails);
  });

  test.each([
    ['five broken calls are enough', { broken: 5, of: 10 }, { broken: 0, of: 2800 }, true],
    ['a past of fifty calls is enough', { broken: 30, of: 40 }, { broken: 0, of: 50 }, true],
    ['one of forty-nine is not', { broken: 30, of: 40 }, { broken: 0, of: 49 }, false],
  ])('%s', (_, recent, past, fails) => {
    expect(findFailing([seen(recent, past)]) !== null).toBe(fails);
  });

  test.each([
    ['ten calls are enough to say so', 0, 10, true],
    ['half as many again as before are usual', 45, 300, true],
    ['clearly more are not', 60, 300, false],
  ])('is over on a later day: %s', (_, broken, of, over) => {
    const failing = findFailing([seen({ broken: 80, of: 100 }, { broken: 280, of: 2800 })]);
    expect(failing && isOver(failing, { day: '2026-03-03', recent: { broken, of } })).toBe(over);
  });

  test('what happened is said by its window, and what is over by the day on which it held', () => {
    const [day, week] = [1, 7].map((days) => ({
      ...seen({ broken: 30, of: 100 }, { broken: 28, of: 2800 }, days),
      growthLower: 2,
    }));
    expect(day && failingSentence(day)).toBe(
      'On 2026-03-02 it did not hold on 30 of 100 calls; in the 28 days before on 28 of 2800.',
    );
    expect(week && failingSentence(week)).toMatch(
      /^In the 7 days up to 2026-03-02 it did not hold on 30 of 100 calls;/,
    );
    expect(day && recoveredSentence(day, { day: '2026-03-03', recent: { broken: 1, of: 50 } })).toBe(
      'On 2026-03-03 it held on 49 of 50 calls. It had failed since 2026-03-02.',
    );
  });

  test('is told of once, until a later day holds again', () => {
    const failing = findFailing([seen({ broken: 30, of: 100 }, { broken: 28, of: 2800 })]);
    if (!failing) throw new Error('It should fail.');
    const on = (day: string, broken: number, of: number) => isOver(failing, { day, recent: { broken, of } });
    expect(on('2026-03-02', 0, 100)).toBe(false);
    expect(on('2026-03-03', 25, 100)).toBe(false);
    expect(on('2026-03-03', 0, 9)).toBe(false);
    expect(on('2026-03-03', 1, 100)).toBe(true);
  });
});

describe('a limit that a person sets', () => {
  test.each<[string, AlarmLimit, RecentAndPast, boolean]>([
    [
      'three calls in a week, as every week',
      { days: 7, breaks: 3 },
      seen({ broken: 3, of: 400 }, { broken: 12, of: 1600 }, 7),
      true,
    ],
    ['one call less', { days: 7, breaks: 3 }, seen({ broken: 2, of: 400 }, { broken: 12, of: 1600 }, 7), false],
    ['the first call of all', { days: 1, breaks: 1 }, seen({ broken: 1, of: 1 }, { broken: 0, of: 0 }), true],
    ['a share', { days: 1, share: 0.2 }, seen({ broken: 2, of: 10 }, { broken: 0, of: 0 }), true],
    ['a share of too few calls', { days: 1, share: 0.2 }, seen({ broken: 2, of: 9 }, { broken: 0, of: 0 }), false],
  ])('is reached or not by %s', (_, limit, window, is) => {
    expect(findReached(limit, window) !== null).toBe(is);
  });

  test('says so, and is over on a later day below it', () => {
    const failing = findReached({ days: 7, breaks: 3 }, seen({ broken: 4, of: 400 }, { broken: 9, of: 1600 }, 7));
    if (!failing) throw new Error('It should fail.');
    expect(failingSentence(failing)).toBe(
      'In the 7 days up to 2026-03-02 it did not hold on 4 of 400 calls. Its limit is 3 calls in 7 days.',
    );
    const on = (day: string, broken: number) => isOver(failing, { day, recent: { broken, of: 400 } });
    expect([on('2026-03-02', 0), on('2026-03-03', 3), on('2026-03-03', 2)]).toEqual([false, false, true]);
    expect(recoveredSentence(failing, { day: '2026-03-09', recent: { broken: 2, of: 400 } })).toBe(
      'In the 7 days up to 2026-03-09 it held on 398 of 400 calls. It had failed since 2026-03-02.',
    );
    expect(limitInWords({ days: 1, share: 0.2 })).toBe('20 % of the calls in a day, once there are 10');
  });
});

/** A watch that breaks at one rate for ever, looked at after each of the calls of a day. */
function alarmsOf(rate: number, callsADay: number, seed: number, days: number): number {
  const random = seededRandom(seed);
  const past: Broken[] = [];
  let alarms = 0;
  for (let day = 0; day < days; day += 1) {
    const today = { broken: 0, of: 0 };
    let isTold = false;
    for (let call = 0; call < callsADay; call += 1) {
      today.of += 1;
      today.broken += random.next() < rate ? 1 : 0;
      isTold ||= findFailing(windowsOf([today, ...past])) !== null;
    }
    alarms += isTold ? 1 : 0;
    past.unshift({ ...today });
  }
  return alarms;
}

function windowsOf(days: readonly Broken[]): RecentAndPast[] {
  const summed = (some: readonly Broken[]) => ({
    broken: some.reduce((sum, { broken }) => sum + broken, 0),
    of: some.reduce((sum, { of }) => sum + of, 0),
  });
  return RECENT_DAYS.map((many) => seen(summed(days.slice(0, many)), summed(days.slice(many, many + PAST_DAYS)), many));
}

test.each([0.005, 0.02, 0.1, 0.3])(
  'at a steady rate of %f there is less than one false alarm in 1,000 days',
  (rate) => {
    const days = 400;
    const alarms = [10, 40].reduce((sum, callsADay, at) => sum + alarmsOf(rate, callsADay, at + 1, days), 0);
    expect(alarms / (2 * days)).toBeLessThan(0.001);
  },
);
