import type { NormalisedCall, Turn } from './call.ts';

export interface TimingReading {
  responseLatenciesS: number[];
  noResponse: number;
  yieldLatenciesS: number[];
  noYield: number;
  agentInterruptions: number;
}

/** A turn with exact spoken times. */
export type TimedTurn = Turn & { startMs: number; endMs: number };

/** Who waited for whom, from the spoken times of a call. */
export interface TimingFacts {
  /** Caller stopped, agent answered: the gap is negative where the agent began before the caller had ended. */
  answers: { caller: TimedTurn; agent: TimedTurn; gapMs: number }[];
  /** Caller turns that no agent turn followed before the caller spoke again or the call ended. */
  unanswered: TimedTurn[];
  /** Caller began while the agent spoke; `yieldMs` is how long the agent went on. */
  bargeIns: { caller: TimedTurn; agent: TimedTurn; yieldMs: number }[];
  /** Agent began while the caller spoke; `together` where both began at once, which is nobody's fault. */
  interruptions: { caller: TimedTurn; agent: TimedTurn; overlapMs: number; together: boolean }[];
  timed: TimedTurn[];
  /** Places of turns that were spoken and have no times: what lies around them is no gap that anybody heard. */
  untimed: number[];
}

/** Whether nothing without times was said between two turns, given by their places. */
export const isHeardBetween = ({ untimed }: Pick<TimingFacts, 'untimed'>, from: number, to: number): boolean =>
  !untimed.some((index) => index > Math.min(from, to) && index < Math.max(from, to));

/** @returns null where the call has no exact times: approximate ones would make up latencies. */
export function readTiming(call: NormalisedCall): TimingFacts | null {
  if (call.timing !== 'exact') return null;
  const timed = call.turns.filter(isTimed).sort((a, b) => a.startMs - b.startMs || a.index - b.index);
  const untimed = call.turns.filter((turn) => isHeard(turn) && !isTimed(turn)).map(({ index }) => index);
  const facts: TimingFacts = { answers: [], unanswered: [], bargeIns: [], interruptions: [], timed, untimed };
  let caller: TimedTurn | null = null;
  let agent: TimedTurn | null = null;
  let owed = false;
  for (const [at, turn] of timed.entries()) {
    if (!isHeardBetween(facts, timed[at - 1]?.index ?? turn.index, turn.index)) {
      [caller, agent, owed] = [null, null, false];
    }
    if (turn.role === 'caller') {
      if (owed && caller !== null) facts.unanswered.push(caller);
      if (agent !== null && turn.startMs < agent.endMs && turn.startMs > agent.startMs) {
        facts.bargeIns.push({ caller: turn, agent, yieldMs: agent.endMs - turn.startMs });
      }
      if (agent !== null && agent.startMs === turn.startMs) facts.interruptions.push(interruption(turn, agent));
      caller = turn;
      owed = true;
    } else {
      if (caller !== null && turn.startMs < caller.endMs) facts.interruptions.push(interruption(caller, turn));
      // What the agent says within the caller's turn is no answer to it: the caller goes on, and waits for one.
      if (caller !== null && owed && turn.endMs > caller.endMs) {
        facts.answers.push({ caller, agent: turn, gapMs: turn.startMs - caller.endMs });
        owed = false;
      }
      agent = turn;
    }
  }
  if (owed && caller !== null && isHeardBetween(facts, caller.index, call.turns.length)) facts.unanswered.push(caller);
  return facts;
}

function interruption(caller: TimedTurn, agent: TimedTurn): TimingFacts['interruptions'][number] {
  return {
    caller,
    agent,
    overlapMs: Math.min(caller.endMs, agent.endMs) - agent.startMs,
    together: agent.startMs === caller.startMs,
  };
}

/** The figures that are exported: latencies of answers, times to yield, and how often the agent cut in. */
export function summariseTiming(facts: TimingFacts | null): TimingReading | null {
  if (facts === null) return null;
  const yielded = facts.bargeIns.filter((one) => one.yieldMs <= YIELD_AT_MOST_MS);
  return {
    responseLatenciesS: facts.answers.filter((one) => one.gapMs >= 0).map((one) => one.gapMs / 1000),
    // With the last words of a caller the call ends, and no answer is owed.
    noResponse: facts.unanswered.filter((turn) => turn !== facts.timed.at(-1)).length,
    yieldLatenciesS: yielded.map((one) => one.yieldMs / 1000),
    noYield: facts.bargeIns.length - yielded.length,
    agentInterruptions: facts.interruptions.length,
  };
}

/** How long the caller waited for answers, in whole milliseconds: the call's own median and slowest tenth. */
export interface ResponseTimes {
  p50Ms: number;
  p90Ms: number;
}

/** From spoken times where they are exact, else from what the platform measured; null where nobody knows. */
export function responseTimes(facts: TimingFacts | null, measuredMs: readonly number[]): ResponseTimes | null {
  const heard = facts === null ? [] : facts.answers.filter(({ gapMs }) => gapMs >= 0).map(({ gapMs }) => gapMs);
  const values = heard.length > 0 ? heard : measuredMs;
  const p50Ms = percentile(values, 0.5);
  const p90Ms = percentile(values, 0.9);
  return p50Ms === null || p90Ms === null ? null : { p50Ms: Math.round(p50Ms), p90Ms: Math.round(p90Ms) };
}

const YIELD_AT_MOST_MS = 5000;

/** A turn that only calls a tool is nothing that anybody hears. */
const isHeard = (turn: Turn): boolean =>
  (turn.role === 'caller' || turn.role === 'agent') && !(turn.toolCall !== null && turn.text === '');

function isTimed(turn: Turn): turn is TimedTurn {
  if (!isHeard(turn)) return false;
  return turn.startMs !== null && turn.endMs !== null && turn.endMs >= turn.startMs;
}

/** The value below which `share` of the values lie (nearest rank); null for none. */
export function percentile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
