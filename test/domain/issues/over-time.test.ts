import { describe, expect, test } from 'vitest';
import { resolutionCertainty } from '../../../src/domain/issues/certainty.ts';
import { DUE_SHOWN, planGrace } from '../../../src/domain/issues/grace-plan.ts';
import { snoozeEnd } from '../../../src/domain/issues/snooze.ts';
import { findSpike } from '../../../src/domain/issues/spike.ts';
import { changeByPerson, type StandingIssue } from '../../../src/domain/issues/status-by-person.ts';

describe('how sure it is that an issue is gone', () => {
  test('ten calls without a problem of one in a hundred settle nothing', () => {
    const known = resolutionCertainty({ shown: 10, computable: 1000, since: 10 });
    expect(known.chanceOfSilence).toBeCloseTo(0.99 ** 10);
    // 299 calls without one in a hundred come by chance in 5 % of cases.
    expect(known.moreCallsUntilSure).toBe(289);
    expect(known.rateUpper).toBeCloseTo(0.2589, 3);
    expect(known.sentence).toBe(
      '10 calls without it: its rate is now at most 26 % (95 %); it was 1.0 % before, so a gap like this has a 90 % chance of being luck. 289 calls more without it would confirm that it is gone.',
    );
  });
  test('a hundred calls without a problem of one in ten settle it', () => {
    const known = resolutionCertainty({ shown: 20, computable: 200, since: 100 });
    expect(known).toMatchObject({ callsWithout: 100, pastRate: 0.1, moreCallsUntilSure: 0 });
    expect(known.rateUpper).toBeCloseTo(0.0295, 3);
    expect(known.sentence).toContain('which is too long a gap to be luck');
  });
  test('no call since is no knowledge', () => {
    expect(resolutionCertainty({ shown: 3, computable: 30, since: 0 })).toMatchObject({
      rateUpper: 1,
      chanceOfSilence: 1,
      sentence: 'No call since it was last seen could show it, so it is too early to tell.',
    });
  });
  test('a problem of every call is gone with the first call without it; one without a past rate is never sure', () => {
    expect(resolutionCertainty({ shown: 5, computable: 5, since: 0 }).moreCallsUntilSure).toBe(1);
    expect(resolutionCertainty({ shown: 5, computable: 5, since: 1 }).moreCallsUntilSure).toBe(0);
    expect(resolutionCertainty({ shown: 0, computable: 0, since: 4 }).moreCallsUntilSure).toBeNull();
  });
});

describe('a spike', () => {
  const steady = { day: '2026-03-10', calls: 5, of: 100, pastCalls: 140, pastOf: 2800 };
  test.each([
    ['as common as ever', steady, false],
    ['three times as common on few calls may be chance', { ...steady, calls: 12 }, false],
    ['five times as common', { ...steady, calls: 25 }, true],
    ['nine times on a day after once a day', { ...steady, calls: 9, pastCalls: 28 }, true],
    ['new: five calls of a problem that never was', { ...steady, pastCalls: 0 }, true],
    ['four calls are too few', { ...steady, calls: 4, pastCalls: 0 }, false],
    ['no past to measure against', { ...steady, calls: 50, pastCalls: 0, pastOf: 49 }, false],
    ['more calls of everything is no spike', { ...steady, calls: 25, of: 500 }, false],
    [
      'clearly, but not half as much again: no spike',
      { ...steady, calls: 1300, of: 20_000, pastCalls: 28_000, pastOf: 560_000 },
      false,
    ],
  ])('%s', (_rule, facts, spikes) => {
    expect(findSpike(facts) !== null).toBe(spikes);
  });

  test('looking after every call of a steady day gives no more than one false alarm in a thousand issue-days', () => {
    let state = 20261121;
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    let alarms = 0;
    let days = 0;
    for (const rate of [0.005, 0.02, 0.1, 0.3]) {
      for (let round = 0; round < 1_000; round += 1) {
        const perDay = 20 + Math.floor(random() * 180);
        let pastCalls = 0;
        for (let at = 0; at < perDay * 28; at += 1) if (random() < rate) pastCalls += 1;
        let calls = 0;
        let alarmed = false;
        for (let of = 1; of <= perDay && !alarmed; of += 1) {
          if (random() >= rate) continue;
          calls += 1;
          alarmed = findSpike({ day: '2026-03-10', calls, of, pastCalls, pastOf: perDay * 28 }) !== null;
        }
        days += 1;
        if (alarmed) alarms += 1;
      }
    }
    process.stdout.write(`${alarms} false spikes in ${days} issue-days, looked at after every call\n`);
    expect(alarms / days).toBeLessThanOrEqual(0.001);
  });
});

describe('a snooze', () => {
  const quiet = { nowMs: 1_000, regressed: false, week: { calls: 5, of: 100 } };
  test.each([
    ['goes on', { untilMs: 2_000, rate: 0.05 }, quiet, null],
    ['ends at its time', { untilMs: 1_000, rate: 0.05 }, quiet, 'time'],
    ['ends when the issue comes back', { untilMs: null, rate: 0.05 }, { ...quiet, regressed: true }, 'regressed'],
    [
      'stays while growth may be chance',
      { untilMs: null, rate: 0.05 },
      { ...quiet, week: { calls: 10, of: 100 } },
      null,
    ],
    [
      'ends when it surely grew by half',
      { untilMs: null, rate: 0.05 },
      { ...quiet, week: { calls: 20, of: 100 } },
      'grew',
    ],
    [
      'of an issue at rest ends with its first call',
      { untilMs: null, rate: 0 },
      { ...quiet, week: { calls: 1, of: 400 } },
      'grew',
    ],
    [
      'of an issue at rest goes on at rest',
      { untilMs: null, rate: 0 },
      { ...quiet, week: { calls: 0, of: 400 } },
      null,
    ],
  ] as const)('%s', (_rule, snooze, now, ends) => {
    expect(snoozeEnd(snooze, now)).toBe(ends);
  });
});

describe('a status set by a person', () => {
  const standing: StandingIssue = {
    status: 'discovered',
    rejected: false,
    withdrawn: false,
    isProblem: true,
    fixVersion: null,
  };
  const wish = (status: 'investigating' | 'fix_deployed' | 'measuring' | 'resolved', over: object = {}) => ({
    status,
    rejected: false,
    version: null,
    ...over,
  });
  test.each([
    ['any open status', standing, wish('investigating'), { status: 'investigating', reopens: false }],
    ['a fix takes the current version', standing, wish('fix_deployed'), { status: 'fix_deployed', fixVersion: 6 }],
    ['or the one named', standing, wish('fix_deployed', { version: 5 }), { status: 'fix_deployed', fixVersion: 5 }],
    [
      'a fix is withdrawn by going back to it',
      { ...standing, status: 'fix_deployed', fixVersion: 5 },
      wish('investigating'),
      { status: 'investigating', fixVersion: null },
    ],
    ['a recorded fix stays', { ...standing, fixVersion: 5 }, wish('measuring'), { status: 'measuring', fixVersion: 5 }],
    [
      'rejected is resolved for good',
      standing,
      wish('resolved', { rejected: true }),
      { status: 'resolved', rejected: true },
    ],
    [
      'taking it up again clears rejected',
      { ...standing, status: 'resolved', rejected: true },
      wish('investigating'),
      { status: 'investigating', rejected: false, reopens: true },
    ],
    [
      'a resolved one may be rejected still',
      { ...standing, status: 'resolved' },
      wish('resolved', { rejected: true }),
      { rejected: true, reopens: false },
    ],
  ] as const)('%s', (_rule, issue, wanted, change) => {
    expect(changeByPerson(issue, wanted, 6)).toMatchObject(change);
  });
  test.each([
    ['resolved to fix deployed needs taking up first', { ...standing, status: 'resolved' }, wish('fix_deployed')],
    ['what was withdrawn', { ...standing, withdrawn: true }, wish('resolved')],
    ['a count', { ...standing, isProblem: false }, wish('resolved')],
  ] as const)('is refused with words: %s', (_rule, issue, wanted) => {
    expect(changeByPerson(issue, wanted, 6)).toEqual({ refused: expect.stringMatching(/\.$/) });
  });
  test('is no change where it is so already', () => {
    expect(changeByPerson({ ...standing, status: 'fix_deployed', fixVersion: 6 }, wish('fix_deployed'), 6)).toBeNull();
  });
});

describe('the plan of an agent', () => {
  test('names the earliest dates and counts what waits, also of ten thousand issues', () => {
    const open = Array.from({ length: 10_000 }, (_, at) => ({
      issueId: `i${String(at).padStart(5, '0')}`,
      title: `Issue ${at}`,
      wait: at % 2 === 0 ? ({ for: 'time', untilMs: (10_000 - at) * 1_000 } as const) : ({ for: 'calls' } as const),
    }));
    const plan = planGrace(open, [50_000]);
    expect(plan).toMatchObject({ nextAt: '1970-01-01T00:00:02.000Z', open: 10_000, waitForCalls: 5_000 });
    expect(plan.due).toHaveLength(DUE_SHOWN);
    expect(plan.due[0]).toEqual({ issueId: 'i09998', title: 'Issue 9998', at: '1970-01-01T00:00:02.000Z' });
    // It crosses Temporal at each look.
    expect(JSON.stringify(plan).length).toBeLessThan(4_000);
  });
  test('looks again when a waiting call leaves the grace period, or a snooze ends', () => {
    const waiting = [{ issueId: 'a', title: 'A', wait: { for: 'analysis', untilMs: 9_000 } as const }];
    expect(planGrace(waiting, [])).toMatchObject({ nextAt: '1970-01-01T00:00:09.000Z', waitForAnalysis: 1, due: [] });
    expect(planGrace(waiting, [4_000]).nextAt).toBe('1970-01-01T00:00:04.000Z');
    expect(planGrace([], [])).toMatchObject({ nextAt: null, open: 0 });
  });
});
