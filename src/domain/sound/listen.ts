import type { Turn } from '../calls/call.ts';
import { findLeak, isSameSound, type Leak, withoutLeak } from './channels.ts';
import type { HeardCall, HeardSide } from './heard-call.ts';
import { type ChannelLevels, STEP_MS } from './level-meter.ts';
import { findLag, findSides } from './sides.ts';
import { type ChannelSound, readChannel, type Span } from './speech.ts';
import { readTalk } from './talk.ts';

const SILENCE_MS = 3_000;
const SILENCES_AT_MOST = 100;

/**
 * What the levels of a recording say, laid beside the transcript. Pure: the same levels and turns give the same.
 * @param channels one or two; of more, nobody says whose they are
 */
export function listen(channels: readonly ChannelLevels[], turns: readonly Turn[]): HeardCall {
  const [first, second] = channels;
  if (first === undefined) throw new Error('A recording has a channel.');
  if (second === undefined || isSameSound(first.db, second.db)) return listenToMixed(first, turns);
  return listenToSides(first, second, turns);
}

function listenToMixed(levels: ChannelLevels, turns: readonly Turn[]): HeardCall {
  const sound = readChannel(levels);
  return {
    durationMs: levels.db.length * STEP_MS,
    channels: 'mixed',
    callerChannel: null,
    sides: null,
    mixed: sideOf(levels, sound, null),
    lagMs: sound.isNoisy ? null : findLag(turns, sound.spans),
    talk: null,
    silences: sound.isNoisy ? [] : silencesBetween(sound.spans),
    unknown: [
      'Both sides are in one channel of the recording, so it does not show who speaks when.',
      ...(sound.isNoisy ? [NOISE] : []),
    ],
  };
}

const NOISE = 'Noise on the recording is too loud or too much like speech to tell when anybody speaks.';

function listenToSides(first: ChannelLevels, second: ChannelLevels, turns: readonly Turn[]): HeardCall {
  const leaks = { first: findLeak(second.db, first.db), second: findLeak(first.db, second.db) };
  // An echo is quieter than what it is of.
  const inFirst = isWeaker(leaks.first, leaks.second) ? leaks.first : null;
  const inSecond = isWeaker(leaks.second, leaks.first) ? leaks.second : null;
  const levels = [
    inFirst === null ? first : withoutLeak(second.db, first, inFirst),
    inSecond === null ? second : withoutLeak(first.db, second, inSecond),
  ] as const;
  const sounds = [readChannel(levels[0]), readChannel(levels[1])] as const;
  const heard = [sideOf(first, sounds[0], inFirst), sideOf(second, sounds[1], inSecond)] as const;
  const sides = findSides(turns, [sounds[0].spans, sounds[1].spans]);
  const isNoisy = sounds.some((sound) => sound.isNoisy);
  return {
    durationMs: Math.max(first.db.length, second.db.length) * STEP_MS,
    channels: 'separate',
    callerChannel: sides?.caller ?? null,
    sides: sides === null ? null : { caller: heard[sides.caller], agent: heard[sides.agent] },
    mixed: null,
    lagMs: sides?.lagMs ?? null,
    talk: sides === null || isNoisy ? null : readTalk(heard[sides.caller].spans, heard[sides.agent].spans),
    silences: isNoisy ? [] : silencesBetween(merged([...sounds[0].spans, ...sounds[1].spans])),
    unknown: [
      ...(sides === null ? ['The transcript does not tell whose channel of the recording is whose.'] : []),
      ...(isNoisy ? [NOISE] : []),
    ],
  };
}

const isWeaker = (leak: Leak | null, other: Leak | null): leak is Leak =>
  leak !== null && (other === null || leak.quieterByDb > other.quieterByDb);

function sideOf(levels: ChannelLevels, { isGated, ...sound }: ChannelSound, leak: Leak | null): HeardSide {
  const within = (startMs: number, endMs: number) =>
    sound.spans.some((span) => span.startMs <= startMs - STEP_MS && span.endMs >= endMs + STEP_MS);
  const dropouts = levels.zeroRuns.flatMap(([startMs, endMs]) => (within(startMs, endMs) ? [{ startMs, endMs }] : []));
  return {
    ...sound,
    isGated,
    clipped: levels.clipped,
    dropouts: isGated ? null : dropouts,
    echoDb: leak?.quieterByDb ?? null,
  };
}

function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = all.at(-1);
    if (last !== undefined && span.startMs <= last.endMs) last.endMs = Math.max(last.endMs, span.endMs);
    else all.push({ ...span });
  }
  return all;
}

function silencesBetween(spans: readonly Span[]): Span[] {
  const silences = spans.flatMap(({ endMs }, at) => {
    const next = spans[at + 1];
    return next !== undefined && next.startMs - endMs >= SILENCE_MS ? [{ startMs: endMs, endMs: next.startMs }] : [];
  });
  return silences.slice(0, SILENCES_AT_MOST);
}
