import type { Turn } from '../calls/call.ts';
import type { Span } from './speech.ts';

/** Whose channel is whose, and how far the recording's clock is ahead of the transcript's. */
export interface Sides {
  /** The channel of each side, 0 or 1. */
  caller: 0 | 1;
  agent: 0 | 1;
  /** Add it to a time of the transcript to get one of the recording; null where the transcript has no times. */
  lagMs: number | null;
  /** What it was told by. */
  by: 'times' | 'words';
}

const LAG_STEP_MS = 50;
const LAG_AT_MOST_MS = 5_000;
/** The better reading must explain this many times what the other does. */
const CLEARER = 1.3;
const CLEARER_BY_WORDS = 1.8;
const FEWEST_WORDS = 30;

/**
 * Vendors differ in the order of channels and do not say it: the transcript decides. @returns null where it can't.
 */
export function findSides(turns: readonly Turn[], channels: readonly [readonly Span[], readonly Span[]]): Sides | null {
  return byTimes(turns, channels) ?? byWords(turns, channels);
}

function byTimes(turns: readonly Turn[], channels: readonly [readonly Span[], readonly Span[]]): Sides | null {
  const said = { caller: timesOf(turns, 'caller'), agent: timesOf(turns, 'agent') };
  if (said.caller.length === 0 || said.agent.length === 0) return null;
  const fits = ([0, 1] as const).map((caller) => {
    const agent = caller === 0 ? 1 : 0;
    return { caller, agent, ...bestLag((lag) => fit(said, channels[caller], channels[agent], lag)) } as const;
  });
  const [better, worse] = fits.toSorted((a, b) => b.score - a.score);
  if (better === undefined || worse === undefined || better.score <= 0) return null;
  if (worse.score > 0 && better.score < worse.score * CLEARER) return null;
  return { caller: better.caller, agent: better.agent, lagMs: better.lagMs, by: 'times' };
}

/** Who says more words speaks for longer. */
function byWords(turns: readonly Turn[], channels: readonly [readonly Span[], readonly Span[]]): Sides | null {
  const words = { caller: wordsOf(turns, 'caller'), agent: wordsOf(turns, 'agent') };
  const spoken = [lengthOf(channels[0]), lengthOf(channels[1])] as const;
  if (Math.min(words.caller, words.agent) === 0 || words.caller + words.agent < FEWEST_WORDS) return null;
  const isAgentLonger = words.agent > words.caller;
  const share = Math.max(words.agent, words.caller) / Math.min(words.agent, words.caller);
  const apart = Math.max(...spoken) / Math.max(1, Math.min(...spoken));
  if (share < CLEARER_BY_WORDS || apart < CLEARER_BY_WORDS) return null;
  const longer = spoken[0] > spoken[1] ? 0 : 1;
  const agent = isAgentLonger ? longer : longer === 0 ? 1 : 0;
  return { caller: agent === 0 ? 1 : 0, agent, lagMs: null, by: 'words' };
}

/** One channel with both sides: only how far the clocks are apart. */
export function findLag(turns: readonly Turn[], mixed: readonly Span[]): number | null {
  const said = [...timesOf(turns, 'caller'), ...timesOf(turns, 'agent')];
  if (said.length === 0 || mixed.length === 0) return null;
  const best = bestLag((lag) => overlap(said, mixed, lag));
  return best.score > 0 ? best.lagMs : null;
}

/** What is explained less what is contradicted, in milliseconds. */
function fit(
  said: { caller: readonly Span[]; agent: readonly Span[] },
  caller: readonly Span[],
  agent: readonly Span[],
  lagMs: number,
): number {
  const right = overlap(said.caller, caller, lagMs) + overlap(said.agent, agent, lagMs);
  const wrong = overlap(said.caller, agent, lagMs) + overlap(said.agent, caller, lagMs);
  return right - wrong / 2;
}

/** Of equal lags the one nearest to none. */
function bestLag(scoreAt: (lagMs: number) => number): { lagMs: number; score: number } {
  let best = { lagMs: 0, score: scoreAt(0) };
  for (let away = LAG_STEP_MS; away <= LAG_AT_MOST_MS; away += LAG_STEP_MS) {
    for (const lagMs of [away, -away]) {
      const score = scoreAt(lagMs);
      if (score > best.score) best = { lagMs, score };
    }
  }
  return best;
}

/** Both in order of their beginnings. */
function overlap(said: readonly Span[], heard: readonly Span[], lagMs: number): number {
  let sum = 0;
  let from = 0;
  for (const { startMs, endMs } of said) {
    const [start, end] = [startMs + lagMs, endMs + lagMs];
    while (from < heard.length && (heard[from]?.endMs ?? 0) <= start) from += 1;
    for (let at = from; at < heard.length; at += 1) {
      const span = heard[at];
      if (span === undefined || span.startMs >= end) break;
      sum += Math.min(end, span.endMs) - Math.max(start, span.startMs);
    }
  }
  return sum;
}

function timesOf(turns: readonly Turn[], role: Turn['role']): Span[] {
  return turns
    .flatMap(({ role: of, startMs, endMs, text, wordsMissing }) =>
      of === role && startMs !== null && endMs !== null && endMs > startMs && (text !== '' || wordsMissing === true)
        ? [{ startMs, endMs }]
        : [],
    )
    .sort((a, b) => a.startMs - b.startMs);
}

const wordsOf = (turns: readonly Turn[], role: Turn['role']): number =>
  turns.reduce((sum, turn) => sum + (turn.role === role ? turn.text.split(/\s+/).filter(Boolean).length : 0), 0);

const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
