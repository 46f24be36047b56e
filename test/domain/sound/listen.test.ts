import { expect, test } from 'vitest';
import type { Turn } from '../../../src/domain/calls/call.ts';
import { LevelMeter } from '../../../src/domain/sound/level-meter.ts';
import { listen } from '../../../src/domain/sound/listen.ts';
import { withHeard } from '../../../src/domain/sound/with-heard.ts';
import { turn as made, makeCall } from '../../support/analysed-calls.ts';
import { RATE, voice, withNoise } from '../../support/made-sound.ts';
import { randomFrom } from '../../support/random.ts';

type Stretch = [number, number];

const MS = 60_000;
const CALLER: Stretch[] = [
  [4_000, 6_000],
  [12_000, 13_500],
  [20_000, 23_000],
  [40_000, 42_000],
];
const AGENT: Stretch[] = [
  [500, 3_200],
  [7_200, 11_000],
  [14_000, 19_000],
  [26_000, 30_000],
  [43_000, 47_000],
];

type Said = Pick<Turn, 'role' | 'text'> & Partial<Turn>;

function madeCall(said: readonly Said[]) {
  const turns = said.map((given, index): Turn => ({ ...made(index, given.role, given.text), ...given, index }));
  return { ...makeCall({ providerCallId: 'call_1' }), turns };
}

function levels(samples: Float32Array) {
  const meter = new LevelMeter(RATE);
  for (let at = 0; at < samples.length; at += 1_000) meter.push(samples.subarray(at, at + 1_000));
  return meter.end();
}

/** The turns as a platform tells them: its clock is behind the recording's, and its times are a little off. */
function turnsOf(caller: readonly Stretch[], agent: readonly Stretch[], { behindMs = 0, offMs = 0 } = {}): Turn[] {
  const random = randomFrom(3);
  const all = [
    ...caller.map(([from, to]) => ({ role: 'caller' as const, from, to })),
    ...agent.map(([from, to]) => ({ role: 'agent' as const, from, to })),
  ].sort((a, b) => a.from - b.from);
  const shift = () => -behindMs + Math.round((random() * 2 - 1) * offMs);
  return madeCall(
    all.map(({ role, from, to }, at) => ({
      role,
      text: `Sentence number ${at}.`,
      startMs: from + shift(),
      endMs: to + shift(),
    })),
  ).turns;
}

const near = (value: number | undefined, wanted: number, by: number) =>
  expect(Math.abs((value ?? Number.NaN) - wanted)).toBeLessThanOrEqual(by);

test('each side is found in its channel, whichever that is, and speaks when it spoke', () => {
  const [caller, agent] = [levels(voice(MS, CALLER)), levels(voice(MS, AGENT, { seed: 2 }))];
  const turns = turnsOf(CALLER, AGENT, { behindMs: 700, offMs: 150 });
  for (const channels of [
    [caller, agent],
    [agent, caller],
  ]) {
    const heard = listen(channels, turns);
    expect(heard.callerChannel).toBe(channels[0] === caller ? 0 : 1);
    near(heard.lagMs ?? undefined, 700, 150);
    for (const [at, [from, to]] of CALLER.entries()) {
      near(heard.sides?.caller.spans[at]?.startMs, from, 20);
      near(heard.sides?.caller.spans[at]?.endMs, to, 20);
    }
    expect(heard.talk?.answers.map(({ gapMs }) => Math.round(gapMs / 100) * 100)).toEqual([1_200, 500, 3_000, 1_000]);
    expect(heard.silences.map(({ startMs, endMs }) => Math.round((endMs - startMs) / 1_000))).toEqual([10]);
  }
});

test('a steady noise is measured, and at 20 dB still tells who speaks when', () => {
  const noisy = levels(withNoise(voice(MS, CALLER), 0.02));
  const heard = listen([noisy, levels(voice(MS, AGENT, { seed: 2 }))], turnsOf(CALLER, AGENT));
  expect(heard.sides?.caller).toMatchObject({ isNoisy: false, isGated: false });
  near(heard.sides?.caller.snrDb ?? undefined, 20, 3);
  const off = CALLER.map(([from], at) => Math.abs((heard.sides?.caller.spans[at]?.startMs ?? 1e9) - from));
  expect(Math.max(...off)).toBeLessThanOrEqual(40);
});

test('talk beside the caller gives no verdict, since nothing tells it from the caller', () => {
  const random = randomFrom(11);
  const murmur = Array.from({ length: 40 }, (_, at): Stretch => [at * 1_500, at * 1_500 + 400 + random() * 900]);
  const television = voice(MS, murmur, { level: 0.08, seed: 5 });
  const caller = voice(MS, CALLER).map((sample, at) => sample + (television[at] ?? 0));
  const heard = listen(
    [levels(withNoise(caller, 0.001)), levels(voice(MS, AGENT, { seed: 2 }))],
    turnsOf(CALLER, AGENT),
  );
  expect(heard.talk).toBeNull();
  expect(heard.unknown).not.toEqual([]);
  expect(withHeard(madeCall([]), heard).turns).toEqual([]);
});

test('the agent in the line of the caller is an echo, and no interruption', () => {
  const agent = voice(MS, AGENT, { seed: 2 });
  const delay = (120 * RATE) / 1_000;
  const caller = withNoise(voice(MS, CALLER), 0.000_5).map((sample, at) => sample + 0.05 * (agent[at - delay] ?? 0));
  const heard = listen([levels(caller), levels(agent)], turnsOf(CALLER, AGENT));
  near(heard.sides?.caller.echoDb ?? undefined, 26, 3);
  expect(heard.sides?.agent.echoDb).toBeNull();
  expect(heard.sides?.caller.spans).toHaveLength(CALLER.length);
  expect(heard.talk?.bargeIns).toEqual([]);
});

test('who speaks into whom: a barge-in, an interruption, and a murmur that stops the agent', () => {
  const caller: Stretch[] = [
    [2_000, 4_000],
    [7_000, 7_300],
    [12_000, 15_000],
  ];
  const agent: Stretch[] = [
    [500, 2_900],
    [5_000, 7_600],
    [8_500, 11_000],
    [14_000, 17_000],
  ];
  const heard = listen([levels(voice(MS, caller)), levels(voice(MS, agent, { seed: 2 }))], turnsOf(caller, agent));
  expect(heard.talk?.bargeIns.map(({ yieldMs }) => Math.round(yieldMs / 100))).toEqual([9]);
  expect(heard.talk?.interruptions.map(({ overlapMs }) => Math.round(overlapMs / 100))).toEqual([10]);
  expect(heard.talk?.falseStops.map(({ pauseMs }) => Math.round(pauseMs / 100))).toEqual([9]);
});

test('both sides in one channel, or the same sound in two, tell of silence and of nobody', () => {
  const [caller, agent] = [voice(MS, CALLER), voice(MS, AGENT, { seed: 2 })];
  const mixed = levels(caller.map((sample, at) => sample + (agent[at] ?? 0)));
  for (const channels of [[mixed], [mixed, mixed]]) {
    const heard = listen(channels, turnsOf(CALLER, AGENT));
    expect(heard).toMatchObject({ channels: 'mixed', sides: null, talk: null, callerChannel: null });
    expect(heard.silences).toHaveLength(1);
  }
});

test('without times the side with more words is the one that speaks longer, and else nobody knows', () => {
  const long: Stretch[] = [
    [0, 12_000],
    [20_000, 34_000],
  ];
  const channels = [levels(voice(MS, CALLER)), levels(voice(MS, long, { seed: 2 }))];
  const said = (words: number) => Array.from({ length: words }, () => 'word').join(' ');
  const untimed = (caller: number, agent: number) =>
    madeCall([
      { role: 'caller', text: said(caller) },
      { role: 'agent', text: said(agent) },
    ]).turns;
  expect(listen(channels, untimed(12, 60))).toMatchObject({ callerChannel: 0, lagMs: null });
  expect(listen(channels, untimed(60, 12))).toMatchObject({ callerChannel: 1 });
  expect(listen(channels, untimed(30, 32)).sides).toBeNull();
});

test('cut-outs count within speech alone, and not where pauses are muted', () => {
  const speech = withNoise(voice(MS, CALLER), 0.001);
  for (const ms of [4_500, 5_000, 12_500, 30_000]) speech.fill(0, (ms * RATE) / 1_000, ((ms + 60) * RATE) / 1_000);
  const other = levels(withNoise(voice(MS, AGENT, { seed: 2 }), 0.001));
  const heard = listen([levels(speech), other], turnsOf(CALLER, AGENT));
  expect(heard.sides?.caller.dropouts?.map(({ startMs }) => Math.round(startMs / 100))).toEqual([45, 50, 125]);
  const muted = listen([levels(voice(MS, CALLER)), other], turnsOf(CALLER, AGENT));
  expect(muted.sides?.caller).toMatchObject({ isGated: true, noiseDb: null, dropouts: null });
});

test('turns take the times that were heard, on the clock of the record', () => {
  const turns = turnsOf(CALLER, AGENT, { behindMs: 700, offMs: 150 });
  const heard = listen([levels(voice(MS, CALLER)), levels(voice(MS, AGENT, { seed: 2 }))], turns);
  const call = { ...madeCall([]), turns, timing: 'approx' as const };
  const now = withHeard(call, heard);
  expect(now.timing).toBe('exact');
  const second = now.turns.find(({ role }) => role === 'caller');
  near(second?.startMs ?? undefined, 4_000 - (heard.lagMs ?? 0), 20);
  // The recording of another call is none of this one.
  const elsewhere = turns.map((turn) => ({ ...turn, startMs: (turn.startMs ?? 0) * 9, endMs: (turn.endMs ?? 0) * 9 }));
  expect(withHeard({ ...call, turns: elsewhere }, heard).turns).toEqual(elsewhere);
});

test('a silent recording has nobody in it', () => {
  const silence = levels(new Float32Array(RATE * 10));
  const heard = listen([silence, levels(withNoise(new Float32Array(RATE * 10), 0.000_01))], turnsOf(CALLER, AGENT));
  expect(heard).toMatchObject({ sides: null, talk: null, silences: [] });
});
