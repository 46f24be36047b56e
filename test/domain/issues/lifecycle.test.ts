import { describe, expect, test } from 'vitest';
import { type IssueLife, type LifeFacts, type LifeStep, nextStep } from '../../../src/domain/issues/lifecycle.ts';

const DAY_MS = 86_400_000;
const day = (n: number) => Date.UTC(2026, 2, 1) + n * DAY_MS;
const GRACE_DAYS = 7;
/** The first day on which an issue last seen on day 10 is due. */
const DUE = 17;

function issue(over: Partial<IssueLife> = {}): IssueLife {
  return {
    status: 'discovered',
    rejected: false,
    alive: true,
    confirmedMs: day(5),
    resolvedMs: null,
    reopenedMs: null,
    fixVersion: null,
    ...over,
  };
}

function facts(over: Partial<LifeFacts> = {}): LifeFacts {
  return {
    lastShownMs: day(10),
    latestCallMs: day(16),
    latestWaitingMs: null,
    importing: false,
    timeStands: false,
    fixLiveFromMs: null,
    laterCalls: [],
    ...over,
  };
}

const wait = (kind: string, untilDay?: number) => ({
  to: null,
  wait: untilDay === undefined ? { for: kind } : { for: kind, untilMs: day(untilDay) },
});

interface Row {
  rule: string;
  issue?: Partial<IssueLife>;
  facts?: Partial<LifeFacts>;
  /** The day on which it is asked; the day on which the issue is due where it is left out. */
  on?: number;
  step: unknown;
}

const OPEN: Row[] = [
  { rule: 'unseen for the grace period, while calls came: resolved', step: { to: 'resolved' } },
  { rule: 'a millisecond less is not the grace period', on: DUE - 1 / DAY_MS, step: wait('time', DUE) },
  {
    rule: 'no call came since it was last seen: silence proves nothing',
    facts: { latestCallMs: day(10) },
    step: wait('calls'),
  },
  { rule: 'the newest call left the grace period: it waits for another', on: 24, step: wait('calls') },
  { rule: 'a call after a long pause resolves it', on: 40, facts: { latestCallMs: day(39) }, step: { to: 'resolved' } },
  { rule: 'no call of the agent ever was readable', facts: { latestCallMs: null }, step: wait('calls') },
  {
    rule: 'a call of the grace period waits for its analysis: the timer waits, until the call is too old to matter',
    facts: { latestWaitingMs: day(15) },
    step: wait('analysis', 22),
  },
  {
    rule: 'a waiting call from before the grace period holds nothing up',
    facts: { latestWaitingMs: day(9) },
    step: { to: 'resolved' },
  },
  {
    rule: 'a waiting call dated in the future holds it up: clocks differ',
    facts: { latestWaitingMs: day(18) },
    step: wait('analysis', 25),
  },
  { rule: 'an import that brings history holds it up', facts: { importing: true }, step: wait('import') },
  { rule: 'before the date an import changes nothing', on: 12, facts: { importing: true }, step: wait('time', DUE) },
  {
    rule: 'where time ends with the newest call only calls bring the date nearer',
    on: 12,
    facts: { timeStands: true },
    step: wait('calls'),
  },
  { rule: 'and it is resolved when they have', facts: { timeStands: true }, step: { to: 'resolved' } },
  {
    rule: 'a call dated in the future that shows it moves the date',
    facts: { lastShownMs: day(20) },
    step: wait('calls'),
  },
  {
    rule: 'taken up again by a person: the grace period begins anew',
    issue: { reopenedMs: day(14) },
    step: wait('time', 21),
  },
  {
    rule: 'taken up again, and unseen for the grace period since',
    issue: { reopenedMs: day(10) },
    step: { to: 'resolved' },
  },
  {
    rule: 'only calls without a start show it: as old as its confirmation',
    facts: { lastShownMs: null },
    on: 12,
    step: { to: 'resolved' },
  },
  {
    rule: 'only calls without a start show it, and it is new',
    facts: { lastShownMs: null },
    on: 11,
    step: wait('time', 12),
  },
  {
    rule: 'withdrawn, unconfirmed or no problem: the timer stands still',
    issue: { alive: false },
    step: wait('nothing'),
  },
];
const STATUSES = ['discovered', 'investigating', 'fix_deployed', 'measuring', 'regressed'] as const;

const back = (startDay: number, over: object = {}) => ({
  startedMs: day(startDay),
  version: 4,
  liveFromMs: day(0),
  wasCurrent: false,
  ...over,
});
const RESOLVED: Row[] = [
  { rule: 'nothing later shows it: it stays resolved', step: wait('nothing') },
  { rule: 'a later call shows it again', facts: { laterCalls: [back(18)] }, step: { to: 'regressed', call: back(18) } },
  {
    rule: 'a call that started before it was resolved, imported late, reopens nothing',
    facts: { laterCalls: [back(16)] },
    step: wait('nothing'),
  },
  {
    rule: 'a call that started at that very moment reopens nothing',
    facts: { laterCalls: [back(DUE)] },
    step: wait('nothing'),
  },
  {
    rule: 'of several the earliest is named',
    facts: { laterCalls: [back(20), back(18)] },
    step: { to: 'regressed', call: back(18) },
  },
  {
    rule: 'rejected by a person: it never comes back',
    issue: { rejected: true },
    facts: { laterCalls: [back(18)] },
    step: wait('nothing'),
  },
  {
    rule: 'fixed in 5: a straggler on 4 proves nothing',
    issue: { fixVersion: 5 },
    facts: { fixLiveFromMs: day(8), laterCalls: [back(18)] },
    step: wait('nothing'),
  },
  {
    rule: 'fixed in 5: a call of 5 shows it',
    issue: { fixVersion: 5 },
    facts: { fixLiveFromMs: day(8), laterCalls: [back(18, { version: 5, liveFromMs: day(8) })] },
    step: { to: 'regressed', call: back(18, { version: 5, liveFromMs: day(8) }) },
  },
  {
    rule: 'fixed in 5: a call of 6, which went live later',
    issue: { fixVersion: 5 },
    facts: { fixLiveFromMs: day(8), laterCalls: [back(18, { version: 6, liveFromMs: day(12) })] },
    step: { to: 'regressed', call: back(18, { version: 6, liveFromMs: day(12) }) },
  },
  {
    rule: 'fixed in 5: a higher number that went live earlier is an older version',
    issue: { fixVersion: 5 },
    facts: { fixLiveFromMs: day(8), laterCalls: [back(18, { version: 7, liveFromMs: day(2) })] },
    step: wait('nothing'),
  },
  {
    rule: 'fixed in 5 and rolled back to 4: 4 is current, so it is back',
    issue: { fixVersion: 5 },
    facts: { fixLiveFromMs: day(8), laterCalls: [back(18, { wasCurrent: true })] },
    step: { to: 'regressed', call: back(18, { wasCurrent: true }) },
  },
  {
    rule: 'fixed in a version that never took a call: the current one counts, others do not',
    issue: { fixVersion: 9 },
    facts: { laterCalls: [back(18), back(19, { wasCurrent: true })] },
    step: { to: 'regressed', call: back(19, { wasCurrent: true }) },
  },
  {
    rule: 'withdrawn: it does not come back by itself',
    issue: { alive: false },
    facts: { laterCalls: [back(18)] },
    step: wait('nothing'),
  },
];

describe('an open issue', () => {
  test.each(OPEN)('$rule', ({ issue: over, facts: known, on = DUE, step }) => {
    for (const status of STATUSES) {
      expect(nextStep(issue({ ...over, status }), facts(known), Math.ceil(day(on)), GRACE_DAYS)).toEqual(step);
    }
  });

  test('a longer grace period moves the date, a shorter one makes it due', () => {
    expect(nextStep(issue(), facts(), day(15), 20)).toEqual(wait('time', 30));
    expect(nextStep(issue(), facts(), day(15), 5)).toEqual({ to: 'resolved' });
  });
});

describe('a resolved issue', () => {
  test.each(RESOLVED)('$rule', ({ issue: over, facts: known, step }) => {
    const resolved = issue({ status: 'resolved', resolvedMs: day(DUE), ...over });
    expect(nextStep(resolved, facts(known), day(30), GRACE_DAYS)).toEqual(step);
  });
});

/** A small generator whose runs can be repeated by their number. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (((state ^ (state >>> 13)) >>> 0) / 2 ** 32) * below;
  };
}

interface FakeCall {
  startedMs: number;
  /** When it was analysed; stored at its end, a minute after its start. */
  analysedMs: number;
  shows: boolean;
}

/** What the record would hold at a moment, from calls. */
function factsAt(calls: readonly FakeCall[], nowMs: number, resolvedMs: number | null): LifeFacts {
  const newest = (some: readonly FakeCall[]) =>
    some.length === 0 ? null : Math.max(...some.map((call) => call.startedMs));
  const stored = calls.filter(({ startedMs }) => startedMs <= nowMs);
  const analysed = stored.filter(({ analysedMs }) => analysedMs <= nowMs);
  const shown = analysed.filter(({ shows }) => shows);
  return facts({
    lastShownMs: newest(shown),
    latestCallMs: newest(analysed),
    latestWaitingMs: newest(stored.filter(({ analysedMs }) => analysedMs > nowMs)),
    laterCalls: shown
      .filter(({ startedMs }) => resolvedMs !== null && startedMs > resolvedMs)
      .map(({ startedMs }) => ({ startedMs, version: 1, liveFromMs: 0, wasCurrent: true })),
  });
}

/** Walks an issue from moment to moment. */
function walk(
  calls: readonly FakeCall[],
  moments: readonly number[],
  check: (at: number, step: LifeStep) => void = () => {},
) {
  let standing = issue({ confirmedMs: day(0) });
  for (const at of moments) {
    const step = nextStep(standing, factsAt(calls, at, standing.resolvedMs), at, GRACE_DAYS);
    check(at, step);
    if (step.to === null) continue;
    standing = { ...standing, status: step.to, resolvedMs: step.to === 'resolved' ? at : null };
    expect(nextStep(standing, factsAt(calls, at, standing.resolvedMs), at, GRACE_DAYS).to).toBeNull();
  }
  return standing;
}

function drawCalls(random: (below: number) => number): FakeCall[] {
  return Array.from({ length: 5 + Math.floor(random(60)) }, () => {
    const startedMs = Math.floor(day(random(40)));
    return { startedMs, analysedMs: Math.floor(startedMs + random(3 * DAY_MS)), shows: random(1) < 0.15 };
  });
}

const SEEDS = Array.from({ length: 300 }, (_, at) => at + 1);

test('whatever comes in whatever order: never resolved while a call of the grace period shows it or may show it', () => {
  for (const seed of SEEDS) {
    const random = randomOf(seed);
    const calls = drawCalls(random);
    const moments = Array.from({ length: 200 }, () => Math.floor(day(random(60)))).sort((a, b) => a - b);
    walk(calls, moments, (at, step) => {
      if (step.to !== 'resolved') return;
      const inWindow = calls.filter(({ startedMs }) => startedMs <= at && startedMs > at - GRACE_DAYS * DAY_MS);
      expect(
        inWindow.filter(({ shows }) => shows),
        `start value ${seed}`,
      ).toEqual([]);
      expect(
        inWindow.filter(({ analysedMs }) => analysedMs > at),
        `start value ${seed}`,
      ).toEqual([]);
      expect(inWindow.length, `start value ${seed}`).toBeGreaterThan(0);
    });
  }
});

test('the same calls end at the same status, in whatever order they are analysed', () => {
  const nowMs = day(41);
  for (const seed of SEEDS) {
    const random = randomOf(seed);
    const calls = drawCalls(random);
    /** Call after call is analysed while the clock stands still; the others wait. */
    const oneByOne = (order: readonly FakeCall[]) => {
      let standing = issue({ confirmedMs: day(0) });
      for (let known = 0; known <= order.length; known += 1) {
        const record = order.map((call, at) => ({ ...call, analysedMs: at < known ? nowMs : nowMs + 1 }));
        const step = nextStep(standing, factsAt(record, nowMs, standing.resolvedMs), nowMs, GRACE_DAYS);
        if (step.to !== null)
          standing = { ...standing, status: step.to, resolvedMs: step.to === 'resolved' ? nowMs : null };
      }
      return standing;
    };
    const shuffled = calls
      .map((call) => ({ call, key: random(1) }))
      .sort((a, b) => a.key - b.key)
      .map(({ call }) => call);
    const atOnce = walk(
      calls.map((call) => ({ ...call, analysedMs: nowMs })),
      [nowMs],
    );
    expect(oneByOne(calls), `start value ${seed}`).toEqual(oneByOne(shuffled));
    expect(oneByOne(shuffled), `start value ${seed}`).toEqual(atOnce);
  }
});
