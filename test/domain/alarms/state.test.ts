import { describe, expect, test } from 'vitest';
import {
  type AlarmRule,
  lateSteps,
  newestTick,
  nextLookMs,
  SETTLE_MS,
  stepMs,
  stepsOf,
} from '../../../src/domain/alarms/alarm.ts';
import { readWindow, type Sums, stepsToRead } from '../../../src/domain/alarms/read-window.ts';
import {
  firstTick,
  fold,
  look,
  QUIET,
  ringsIn,
  type Standing,
  type Telling,
} from '../../../src/domain/alarms/state.ts';
import { readingInWords } from '../../../src/domain/alarms/words.ts';
import { seededRandom } from '../../../src/domain/random.ts';
import { ALARM_LEVELS, ALARM_NO_DATA, type AlarmLevel } from '../../../src/domain/vocabulary.ts';
import { abandonedCalls } from '../../support/alarms.ts';

interface Call {
  atMs: number;
  isAbandoned: boolean;
  /** When it is known here. */
  knownMs: number;
}

const BEGAN = Date.parse('2026-03-02T00:00:00Z');

function sumsOf(calls: readonly Call[], rule: AlarmRule): Map<number, Sums> {
  const sums = new Map<number, Sums>();
  for (const { atMs, isAbandoned } of calls) {
    const step = Math.floor(atMs / stepMs(rule));
    const before = sums.get(step) ?? { calls: 0, n: 0, sum: 0, squares: 0, bins: new Map() };
    const sum = before.sum + Number(isAbandoned);
    sums.set(step, { calls: before.calls + 1, n: before.n + 1, sum, squares: sum, bins: before.bins });
  }
  return sums;
}

const readingsOf = (calls: readonly Call[], rule: AlarmRule, first: number, newest: number) => {
  const steps = { sums: sumsOf(calls, rule), since: null };
  return Array.from({ length: newest - first + 1 }, (_, at) => readWindow(rule, 'share', steps, first + at));
};

/** A day of calls, more and less of them abandoned in turns, with hours of silence. */
function makeCalls(seed: number, latestMs: number): Call[] {
  const random = seededRandom(seed);
  return Array.from({ length: 600 }, () => {
    const atMs = BEGAN + Math.floor(random.next() * 86_400_000);
    const hour = Math.floor((atMs - BEGAN) / 3_600_000);
    const rate = [0.05, 0.3, 0.6][(hour + seed) % 3] ?? 0;
    return { atMs, isAbandoned: random.next() < rate, knownMs: atMs + random.next() * latestMs };
  }).filter(({ atMs }) => (Math.floor((atMs - BEGAN) / 3_600_000) + seed) % 5 !== 0);
}

/** Looks every few minutes, each time by the calls that are known by then. */
function watchOver(calls: readonly Call[], rule: AlarmRule, seed: number) {
  const random = seededRandom(seed);
  const tellings: Telling[] = [];
  let standing: Standing | null = null;
  const start = BEGAN + 3_600_000;
  const end = BEGAN + 30 * 3_600_000;
  for (let nowMs = start; nowMs < end; nowMs += 60_000 * (1 + Math.floor(random.next() * 12))) {
    const known = calls.filter(({ knownMs }) => knownMs <= nowMs);
    const newest = newestTick(rule, nowMs);
    const [oldest, ...later] = readingsOf(known, rule, firstTick(standing, rule, newest), newest);
    if (oldest === undefined) throw new Error('no window');
    const looked = look(standing, rule, [oldest, ...later], nowMs, null);
    standing = looked.standing;
    if (looked.telling) tellings.push(looked.telling);
  }
  return { standing: standing as unknown as Standing, tellings };
}

const seeds = Array.from({ length: 12 }, (_, seed) => seed);

function ruleOf(seed: number): AlarmRule {
  const random = seededRandom(seed + 100);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random.next() * from.length)] as T;
  return abandonedCalls({
    window: pick(['15m', '1h', '4h'] as const),
    leastCalls: pick([1, 5, 15]),
    breaches: pick([1, 2, 3]),
    noData: pick(ALARM_NO_DATA),
    remindAfterMinutes: pick([null, 60]),
  });
}

describe('an alarm over a day of calls', () => {
  test.each(seeds)('comes to the same state in whatever order calls come in (%i)', (seed) => {
    const rule = ruleOf(seed);
    const late = makeCalls(seed, lateSteps(rule) * stepMs(rule));
    const atOnce = late.map((call) => ({ ...call, knownMs: call.atMs }));
    const shuffled = late.map((call, at) => ({ ...call, knownMs: (late[late.length - 1 - at] ?? call).atMs + 1 }));
    const inTime = shuffled.map((call) => ({
      ...call,
      knownMs: Math.min(Math.max(call.knownMs, call.atMs), call.atMs + lateSteps(rule) * stepMs(rule)),
    }));
    const { base, level, newest } = watchOver(atOnce, rule, seed).standing;
    for (const calls of [late, inTime]) {
      expect(watchOver(calls, rule, seed + 1).standing).toMatchObject({ level, newest: { value: newest.value } });
    }
    expect(watchOver(late, rule, seed).standing.base).toEqual(base);
  });

  test.each(seeds)('never rings twice without a recovery between, whatever comes late (%i)', (seed) => {
    const rule = ruleOf(seed);
    const { tellings, standing } = watchOver(makeCalls(seed, 5 * 3_600_000), rule, seed);
    let ringing = false;
    for (const { event } of tellings) {
      expect(event === 'alarm.raised').toBe(!ringing && event !== 'alarm.recovered');
      if (event === 'alarm.raised') ringing = true;
      else expect(ringing).toBe(true);
      if (event === 'alarm.recovered') ringing = false;
    }
    expect(standing.episode !== null).toBe(ringing);
  });

  test.each(seeds)('never rings by a window with too few calls, unless no data is to ring (%i)', (seed) => {
    const rule = { ...ruleOf(seed), leastCalls: 15, noData: seed % 2 === 0 ? ('keep' as const) : ('ok' as const) };
    const calls = makeCalls(seed, 0).filter((_, at) => at % 3 !== 0);
    const readings = readingsOf(calls, rule, newestTick(rule, BEGAN), newestTick(rule, BEGAN + 86_400_000));
    expect(readings.some(({ n }) => n > 0 && n < 15)).toBe(true);
    for (const { n, level, why } of readings) {
      expect(level === null).toBe(n < 15);
      expect(why === null).toBe(level !== null);
    }
    for (const { from } of ringsIn(rule, readings)) expect(from.n).toBeGreaterThanOrEqual(15);
  });

  test.each(seeds)('rings live as often as its preview says, where calls come in time (%i)', (seed) => {
    const rule = { ...ruleOf(seed), remindAfterMinutes: null };
    const calls = makeCalls(seed, 0);
    const newest = newestTick(rule, BEGAN + 30 * 3_600_000);
    const rings = ringsIn(rule, readingsOf(calls, rule, newestTick(rule, BEGAN + 3_600_000) - 40, newest));
    const { tellings } = watchOver(calls, rule, seed);
    // A look may come so late that it sees a ring and its end at once: it tells of neither.
    expect(tellings.filter(({ event }) => event === 'alarm.raised').length).toBeLessThanOrEqual(rings.length);
  });
});

test('the alarms of these days do ring', () => {
  const rang = seeds.map((seed) => watchOver(makeCalls(seed, 0), ruleOf(seed), seed).tellings.length);
  expect(rang.filter((tellings) => tellings > 1).length).toBeGreaterThan(seeds.length / 2);
});

describe('its state', () => {
  const after = (levels: (AlarmLevel | null)[], rule: Partial<AlarmRule> = {}) =>
    levels.reduce((state, level) => fold(state, { level }, abandonedCalls(rule)), QUIET).level;

  test.each([
    [['warning'], 1, 'warning'],
    [['warning'], 2, 'ok'],
    [['warning', 'critical'], 2, 'warning'],
    [['critical', 'critical'], 2, 'critical'],
    [['critical', 'critical', 'ok'], 2, 'critical'],
    [['critical', 'critical', 'ok', 'ok'], 2, 'ok'],
    [['critical', 'critical', 'warning', 'warning'], 2, 'warning'],
    [['warning', 'ok', 'warning', 'ok'], 2, 'ok'],
  ] as const)('after %j with %i in a row is %s', (levels, breaches, expected) => {
    expect(after([...levels], { breaches })).toBe(expected);
  });

  test('takes what says nothing as it is told to', () => {
    expect(after(['critical', null])).toBe('critical');
    expect(after(['critical', null], { noData: 'ok' })).toBe('ok');
    expect(after(['ok', null], { noData: 'warning' })).toBe('warning');
    expect(after(['ok', null, 'ok'], { noData: 'critical', breaches: 2 })).toBe('ok');
  });

  test('is one of few, however many windows came before', () => {
    const random = seededRandom(7);
    let state = QUIET;
    for (let at = 0; at < 200; at += 1) {
      state = fold(
        state,
        { level: ALARM_LEVELS[Math.floor(random.next() * 3)] ?? null },
        abandonedCalls({ breaches: 3 }),
      );
      expect(Math.abs(state.warning)).toBeLessThanOrEqual(3);
      expect(Math.abs(state.critical)).toBeLessThanOrEqual(3);
    }
  });
});

describe('what people are told', () => {
  const RULE = abandonedCalls({ remindAfterMinutes: 60 });
  const MINUTE = 60_000;
  function told(levels: (AlarmLevel | null)[], silencedUntil: number | null = null, from: Standing | null = null) {
    let standing = from;
    const events = levels.map((level, at) => {
      const tick = (from?.newest.tick ?? 1_000) + at + 1;
      const reading = { tick, level, value: 0.3, n: 20, usual: null, why: level === null ? 'too few' : null };
      // As one who looked at each window in time: earlier ones are read again with the same levels.
      const before: Standing | null = standing && {
        ...standing,
        base: { ...QUIET, ...foldedOf(standing), tick: tick - 1 },
      };
      const looked = look(before, RULE, [reading], at * 20 * MINUTE, silencedUntil);
      standing = looked.standing;
      return looked.telling?.event.replace('alarm.', '') ?? null;
    });
    return { events, standing: standing as unknown as Standing };
  }
  const foldedOf = ({ level }: Standing) =>
    ({
      ok: { warning: -1, critical: -1 },
      warning: { warning: 1, critical: -1 },
      critical: { warning: 1, critical: 1 },
    })[level] && {
      level,
      ...{
        ok: { warning: -1, critical: -1 },
        warning: { warning: 1, critical: -1 },
        critical: { warning: 1, critical: 1 },
      }[level],
    };

  test('is a ring, what got worse, a reminder after its time, and an end', () => {
    expect(
      told(['ok', 'warning', 'warning', 'critical', 'critical', 'critical', 'critical', 'warning', 'ok']).events,
    ).toEqual([null, 'raised', null, 'continues', null, null, 'continues', null, 'recovered']);
  });

  test('is held back by a silence, and told when it ends; what came and went within is told to nobody', () => {
    const { events } = told(['warning', 'warning', 'warning', 'warning'], 45 * MINUTE);
    expect(events).toEqual([null, null, null, 'raised']);
    expect(told(['warning', 'warning', 'ok'], 45 * MINUTE).events).toEqual([null, null, null]);
  });

  test('is no reminder once somebody is at it, until it gets worse', () => {
    const { standing } = told(['warning']);
    const episode = standing.episode && {
      ...standing.episode,
      acknowledged: { by: 'p', at: '2026-03-02T00:00:00.000Z' },
    };
    const { events } = told(['warning', 'warning', 'warning', 'warning', 'critical'], null, { ...standing, episode });
    expect(events).toEqual([null, null, null, null, 'continues']);
  });
});

describe('windows', () => {
  test('are looked at ten minutes after they ended, and the next one next', () => {
    const rule = abandonedCalls({ window: '1h' });
    const nowMs = Date.parse('2026-03-02T09:09:59Z');
    expect(newestTick(rule, nowMs) * stepMs(rule)).toBe(Date.parse('2026-03-02T08:45:00Z'));
    expect(nextLookMs(rule, nowMs)).toBe(Date.parse('2026-03-02T09:00:00Z') + SETTLE_MS);
  });

  test('read each step once, also where the weeks before lie close', () => {
    for (const window of ['15m', '1h', '4h', '1d'] as const) {
      const rule = abandonedCalls({ window, against: 'usual' });
      const ranges = stepsToRead(rule, 100_000, 100_000 + 5);
      expect(ranges).toHaveLength(5);
      for (const { from, to } of ranges) expect(to - from).toBe(stepsOf(rule) + 5);
    }
    expect(stepsToRead(abandonedCalls({ window: '1d', against: 'usual' }), 100_000, 100_360)).toHaveLength(1);
    expect(stepsToRead(abandonedCalls(), 100, 100)).toEqual([{ from: 96, to: 100 }]);
  });
});

test('a sum that was too high recovers by few calls, and one that is too low rings for them', () => {
  const few = {
    sums: new Map([[9_999, { calls: 3, n: 3, sum: 3, squares: 3, bins: new Map<number, number>() }]]),
    since: 0,
  };
  const rule = abandonedCalls({ measure: { kind: 'calls' }, warning: 2, critical: null, leastCalls: 20 });
  expect(readWindow(rule, 'total', few, 10_000)).toMatchObject({ level: 'ok', value: 3, why: null });
  expect(readWindow({ ...rule, is: 'below', warning: 5 }, 'total', few, 10_000)).toMatchObject({ level: 'warning' });
  expect(readWindow(rule, 'share', few, 10_000)).toMatchObject({ level: null });
});

describe('a change against the same hours before', () => {
  const rule = abandonedCalls({ against: 'usual', warning: 0.5, critical: 2, leastCalls: 20 });
  const week = 10_080 / 15;
  const steps = (now: [calls: number, sum: number], weeks: [calls: number, sum: number][], since = 0) => ({
    since,
    sums: new Map(
      [now, ...weeks].map(([calls, sum], at) => [
        10_000 - 1 - at * week,
        { calls, n: calls, sum, squares: sum, bins: new Map<number, number>() },
      ]),
    ),
  });
  const read = (kind: 'share' | 'total', ...given: Parameters<typeof steps>) =>
    readWindow({ ...rule, measure: { kind: 'calls' } }, kind, steps(...given), 10_000);

  test('counts where it is large and real', () => {
    const before: [number, number][] = [
      [100, 10],
      [100, 9],
      [100, 11],
      [100, 10],
    ];
    expect(read('share', [100, 40], before)).toMatchObject({ level: 'critical', usual: 0.1, value: 0.4 });
    expect(read('share', [100, 28], before)).toMatchObject({ level: 'warning' });
    // Twice as often, by five calls of twenty-five: that may be chance.
    expect(read('share', [25, 5], before)).toMatchObject({ level: 'ok' });
    expect(
      read(
        'share',
        [1_000, 120],
        [
          [1_000, 100],
          [1_000, 100],
        ],
      ),
    ).toMatchObject({ level: 'ok' });
  });

  test('of how many calls there are takes how much weeks differ into account', () => {
    const [level = ''] = [
      read(
        'total',
        [300, 300],
        [
          [100, 100],
          [104, 104],
          [98, 98],
          [101, 101],
        ],
      ),
    ].map((one) => one.level);
    expect(level).toBe('warning');
    expect(
      read(
        'total',
        [300, 300],
        [
          [20, 20],
          [260, 260],
          [60, 60],
          [160, 160],
        ],
      ).level,
    ).toBe('ok');
    const fell = { ...rule, is: 'below' as const, warning: 0.5, critical: null };
    expect(
      readWindow(
        fell,
        'total',
        steps(
          [0, 0],
          [
            [100, 100],
            [104, 104],
          ],
          // The agent had no calls before those two weeks.
          8_652,
        ),
        10_000,
      ),
    ).toMatchObject({
      level: 'warning',
      value: 0,
      usual: 102,
    });
  });

  test('cannot be told without weeks before', () => {
    expect(
      read(
        'share',
        [100, 40],
        [
          [100, 10],
          [100, 10],
        ],
        9_000,
      ),
    ).toMatchObject({ level: null, usual: null });
    expect(
      read(
        'share',
        [100, 40],
        [
          [5, 1],
          [5, 1],
        ],
      ),
    ).toMatchObject({ level: null, why: expect.stringContaining('too few') });
  });
});

test('a window says what it found, and from where on it rings', () => {
  const reading = {
    tick: Date.parse('2026-03-02T09:00:00Z') / 900_000,
    level: 'critical',
    value: 0.24,
    n: 41,
    usual: null,
    why: null,
  } as const;
  expect(readingInWords(abandonedCalls({ critical: 0.2, warning: 0.1 }), 'share', reading, 'critical')).toBe(
    'Abandoned: 24 % over 41 calls in the hour up to 2026-03-02 09:00 UTC. It is critical when above 20 %.',
  );
  const few = { ...reading, level: null, why: '3 calls say something of it; 10 are asked for.' };
  expect(readingInWords(abandonedCalls(), 'share', few, 'ok')).toBe(
    'Abandoned cannot be told in the hour up to 2026-03-02 09:00 UTC. 3 calls say something of it; 10 are asked for.',
  );
});
