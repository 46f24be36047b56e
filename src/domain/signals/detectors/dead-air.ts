import { does } from '../../acts/act.ts';
import { says } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import { usesBetween } from '../../calls/stretch.ts';
import { isHeardBetween } from '../../calls/timing.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import type { Detector } from '../catalogue-entry.ts';
import { DEAD_AIR } from '../entries/timing.ts';
import { limit, missingTimes } from '../needs.ts';
import { placeAt, TURN_TAKING, toolPlace } from '../places.ts';
import type { CallReading } from '../reading.ts';
import { toolMsBetween } from '../structure/turn-latency-high.ts';

/** Nobody speaks although it is the agent's turn. */
export const deadAir: Detector = {
  entry: DEAD_AIR,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    // Where nobody spoke, nobody waited.
    if (!reading.callerSpoke) return [];
    return silences(reading)
      .filter((one) => one.gapMs >= limit(thresholds, 'silentMs'))
      .map((one) => {
        const spoken = reading.spokenAt.get(one.before);
        const use = awaitedTool(reading, one);
        const node = placeAt(reading, one.before);
        return {
          turnIndex: one.before,
          quote: spoken === undefined ? '' : quoteTurn(spoken),
          detail: `${(one.gapMs / 1000).toFixed(1)} s of silence before this, while the agent owed an answer.`,
          place: use !== null ? toolPlace(use) : node.kind === 'node' ? node : TURN_TAKING,
          confidence: 0.8,
          facts: { gapMs: one.gapMs, toolMs: toolMsBetween(reading, one.after, one.before) },
        };
      });
  },
};

/** The tool that most of a silence waited for; a tool that answered early left the rest of it to the agent. */
function awaitedTool(reading: CallReading, silence: Silence): ToolUse | null {
  const { after, before, gapMs, untilMs } = silence;
  const use = reading.tools.find(({ resultTurn }) => resultTurn !== null && resultTurn > after && resultTurn < before);
  if (use === undefined || use.resultTurn === null) return null;
  const result = reading.call.turns[use.resultTurn];
  const cameMs = result?.endMs ?? result?.startMs ?? null;
  const toolMs = toolMsBetween(reading, after, before) ?? 0;
  return cameMs === null || untilMs - cameMs <= gapMs / 2 || toolMs >= gapMs / 2 ? use : null;
}

interface Silence {
  after: number;
  before: number;
  gapMs: number;
  untilMs: number;
}

/**
 * Silences that the agent owes: before its answers, after its own "one moment", while it looks something up, and those that the
 * caller ends because no answer comes.
 */
function silences(reading: CallReading): Silence[] {
  const { timing } = reading;
  if (timing === null) return [];
  const { timed } = timing;
  const found: Silence[] = [];
  let heardUntil = 0;
  for (const [at, turn] of timed.entries()) {
    const before = timed[at - 1];
    const isHeard = before !== undefined && isHeardBetween(timing, before.index, turn.index);
    if (isHeard && isOwed(reading, before, turn.index))
      found.push({ after: before.index, before: turn.index, gapMs: turn.startMs - heardUntil, untilMs: turn.startMs });
    heardUntil = Math.max(heardUntil, turn.endMs);
  }
  return found;
}

/** Whoever speaks next: an answer is owed after the caller's words, and after a tool was called or a wait announced. */
function isOwed(reading: CallReading, before: { index: number; role: string }, next: number): boolean {
  const spoken = reading.spokenAt.get(before.index);
  if (before.role === 'caller') return !says(spoken, 'wait') && !does(spoken, 'thanks', 'closes');
  return says(spoken, 'filler') || usesBetween(reading.tools, before.index, next).length > 0;
}
