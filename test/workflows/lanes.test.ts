import { describe, expect, test } from 'vitest';
import type { ImportRequest, OpenImport } from '../../src/temporal/agent-coordinator.ts';
import { laneOf } from '../../src/temporal/import-calls.ts';
import { coordinatorDetails, progressOf } from '../../workflows/agent-coordinator/lane-words.ts';
import { isSameWait, nextStep, pollAtMs, type Standing, type Step } from '../../workflows/agent-coordinator/lanes.ts';

const NOW = Date.UTC(2026, 2, 10, 10, 0);
const MINUTE = 60_000;

function standing(differs: Partial<Standing> = {}): Standing {
  return {
    queue: [],
    open: { live: null, backfill: null },
    paused: false,
    regroupWanted: 'none',
    pollWanted: false,
    analyseWanted: false,
    heldUntilMs: null,
    failedPolls: 0,
    lastPollMs: NOW,
    pollSeconds: 60,
    nowMs: NOW,
    ...differs,
  };
}

function open(differs: Partial<OpenImport> = {}): OpenImport {
  const none = { lookAtMs: null, lostFor: null, waitsFor: null, limitedUntilMs: null, counts: null };
  return { importId: 'open', attempt: 1, isPoll: false, ...none, ...differs };
}

const asked = (importId: string, lane?: ImportRequest['lane']): ImportRequest => ({
  importId,
  attempt: 1,
  ...(lane && { lane }),
});
const untilPoll = (minutes: number): Step => ({ do: 'wait', untilMs: NOW + minutes * MINUTE, until: 'poll' });
const UNTIL_CALLED: Step = { do: 'wait', untilMs: null, until: null };

describe('what a coordinator does next', () => {
  test.each<[string, Partial<Standing>, Step]>([
    ['waits for the next poll', {}, untilPoll(1)],
    ['waits until it is called where nothing is polled', { pollSeconds: null }, UNTIL_CALLED],
    ['polls when the time has come', { lastPollMs: NOW - MINUTE }, { do: 'poll' }],
    ['polls when it is told to', { pollWanted: true }, { do: 'poll' }],
    ['polls when it is told to where nothing is polled', { pollWanted: true, pollSeconds: null }, { do: 'poll' }],
    ['polls that failed come later', { failedPolls: 2 }, untilPoll(4)],
    ['but an hour later at most', { failedPolls: 40 }, untilPoll(60)],

    ['begins a backfill', { queue: [asked('a', 'backfill')] }, { do: 'import', lane: 'backfill', at: 0 }],
    ['begins what an earlier release asked for', { queue: [asked('a')] }, { do: 'import', lane: 'backfill', at: 0 }],
    [
      'begins a live import beside a backfill',
      { queue: [asked('a', 'live')], open: { live: null, backfill: open() } },
      { do: 'import', lane: 'live', at: 0 },
    ],
    [
      'lets a live import pass a backfill that has to wait its turn',
      { queue: [asked('a', 'backfill'), asked('b', 'live')], open: { live: null, backfill: open() } },
      { do: 'import', lane: 'live', at: 1 },
    ],
    [
      'lets a backfill pass a live import that has to wait its turn',
      { queue: [asked('a', 'live'), asked('b', 'backfill')], open: { live: open(), backfill: null } },
      { do: 'import', lane: 'backfill', at: 1 },
    ],
    [
      'begins no second backfill',
      { queue: [asked('a', 'backfill')], open: { live: null, backfill: open() } },
      untilPoll(1),
    ],
    [
      'begins no second live import',
      { queue: [asked('a', 'live')], open: { live: open(), backfill: null }, pollWanted: true },
      UNTIL_CALLED,
    ],
    [
      'a request goes before a poll',
      { queue: [asked('a', 'live')], pollWanted: true },
      { do: 'import', lane: 'live', at: 0 },
    ],

    ['polls beside a backfill', { open: { live: null, backfill: open() }, pollWanted: true }, { do: 'poll' }],
    [
      'does not poll while a live import goes on',
      { open: { live: open(), backfill: null }, pollWanted: true },
      UNTIL_CALLED,
    ],
    [
      'keeps a short wait that the platform asked the backfill for',
      { open: { live: null, backfill: open({ limitedUntilMs: NOW + 2 * MINUTE }) }, pollWanted: true },
      untilPoll(2),
    ],
    [
      'of a long one it keeps five minutes since the last poll',
      { open: { live: null, backfill: open({ limitedUntilMs: NOW + 60 * MINUTE }) } },
      untilPoll(5),
    ],
    [
      'and polls then',
      {
        open: { live: null, backfill: open({ limitedUntilMs: NOW + 60 * MINUTE }) },
        lastPollMs: NOW - 5 * MINUTE,
      },
      { do: 'poll' },
    ],

    [
      'groups beside both lanes',
      { open: { live: open(), backfill: open() }, regroupWanted: 'full' },
      { do: 'group', mode: 'full' },
    ],
    [
      'groups before it polls',
      { regroupWanted: 'incremental', pollWanted: true },
      { do: 'group', mode: 'incremental' },
    ],
    ['polls before it analyses what waited', { analyseWanted: true, pollWanted: true }, { do: 'poll' }],
    ['analyses what waited', { analyseWanted: true }, { do: 'analyse' }],
    ['analyses when the allowance turns', { heldUntilMs: NOW }, { do: 'analyse' }],
    [
      'waits for the allowance where that turns before the next poll',
      { heldUntilMs: NOW + 1_000 },
      { do: 'wait', untilMs: NOW + 1_000, until: 'allowance' },
    ],

    [
      'asks after an import that it did not begin itself',
      { open: { live: null, backfill: open({ lookAtMs: NOW }) }, pollWanted: true },
      { do: 'look', lane: 'backfill' },
    ],
    [
      'waits for that time',
      { open: { live: null, backfill: open({ lookAtMs: NOW + 1_000 }) } },
      { do: 'wait', untilMs: NOW + 1_000, until: 'look' },
    ],
    [
      'paused, it begins nothing',
      { paused: true, queue: [asked('a', 'live')], regroupWanted: 'full', pollWanted: true, analyseWanted: true },
      UNTIL_CALLED,
    ],
    [
      'paused, it still asks after what goes on',
      { paused: true, open: { live: open({ lookAtMs: NOW }), backfill: null } },
      { do: 'look', lane: 'live' },
    ],
  ])('%s', (_, differs, step) => {
    expect(nextStep(standing(differs))).toEqual(step);
  });

  test('a wait stays the same while time passes, and another one is told from it', () => {
    const wait = nextStep(standing());
    if (wait.do !== 'wait') throw new Error('It should wait.');
    expect(isSameWait(nextStep(standing({ nowMs: NOW + 30_000 })), wait)).toBe(true);
    expect(isSameWait(nextStep(standing({ pollSeconds: 30 })), wait)).toBe(false);
    expect(isSameWait(nextStep(standing({ paused: true })), wait)).toBe(false);
    expect(isSameWait(nextStep(standing({ nowMs: NOW + MINUTE })), wait)).toBe(false);
  });

  test('nothing is polled while a live import goes on, whose end sets the next time', () => {
    expect(pollAtMs(standing({ open: { live: open(), backfill: null } }))).toBeNull();
  });
});

test.each([
  ['poll', null, 'live'],
  ['ingest', null, 'live'],
  ['manual', 100, 'live'],
  ['manual', 101, 'backfill'],
  ['manual', null, 'backfill'],
  ['first', 50, 'backfill'],
  ['file', null, 'backfill'],
] as const)('an import of the kind %s with the limit %s is %s', (kind, limit, lane) => {
  expect(laneOf({ kind, limit })).toBe(lane);
});

describe('what a coordinator says', () => {
  const said = (differs: Partial<Standing>, doing: Step['do'] = 'wait', trouble: string | null = null) =>
    coordinatorDetails(progressOf(standing(differs), doing), trouble);

  test('of both lanes', () => {
    const backfill = open({
      importId: 'year',
      waitsFor: 'waits for the platform: rate limit until 10:52 UTC, page 7, 640 stored',
      limitedUntilMs: NOW + 52 * MINUTE,
    });
    expect(said({ open: { live: null, backfill } })).toBe(
      [
        '**Imports calls**',
        '- Live calls: waits for the next poll at 10:05 UTC\n- Backfill: import/year/1 waits for the platform: rate limit until 10:52 UTC, page 7, 640 stored',
      ].join('\n\n'),
    );
  });

  test.each<[string, Partial<Standing>, Step['do'], string]>([
    ['idle', {}, 'wait', '**Waits for the next poll at 10:01 UTC**'],
    ['without polls', { pollSeconds: null }, 'wait', '**Waits for records to be uploaded**'],
    [
      'over the allowance',
      { heldUntilMs: NOW + 5 * MINUTE },
      'wait',
      '**Waits for the next poll at 10:01 UTC; calls wait for the allowance until 10:05 UTC**',
    ],
    ['while it polls', {}, 'poll', '- Live calls: asks the platform for new calls'],
    ['paused', { paused: true }, 'wait', '**Paused by a person: send the signal `goOn` to go on**'],
    ['while it groups', {}, 'group', '**Groups the signals into issues**'],
    [
      'of a backfill that gets on',
      { open: { live: null, backfill: open({ counts: { stored: 640, analysed: 600 } }) } },
      'wait',
      '- Backfill: import/open/1 imports calls, 640 stored and 600 analysed at the last poll',
    ],
    [
      'of a live import',
      { open: { live: open(), backfill: null } },
      'wait',
      '- Live calls: import/open/1 imports calls\n',
    ],
    [
      'of what is queued',
      { queue: [asked('a'), asked('b')], paused: true },
      'wait',
      '2 imports are waiting their turn.',
    ],
  ])('%s', (_, differs, doing, part) => {
    expect(said(differs, doing)).toContain(part);
  });

  test('of what went wrong', () => {
    expect(said({}, 'wait', 'The last import failed: no key.')).toMatch(/\n\nThe last import failed: no key\.$/);
  });
});
