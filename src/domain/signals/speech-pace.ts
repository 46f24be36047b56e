import type { SpokenTurn } from '../acts/spoken-turn.ts';
import type { CallReading } from './reading.ts';

const FEWEST_WORDS = 8;
const FEWEST_TURNS = 3;

/** Words a minute of the agent over its longer turns, and the turn furthest from it; null where there are too few. */
export function agentPace(
  reading: CallReading,
): { wordsPerMinute: number; fastest: SpokenTurn; slowest: SpokenTurn } | null {
  const rated: { turn: SpokenTurn; pace: number; ms: number }[] = [];
  for (const timed of reading.timing?.timed ?? []) {
    const turn = reading.spokenAt.get(timed.index);
    const ms = timed.endMs - timed.startMs;
    if (
      timed.role !== 'agent' ||
      turn === undefined ||
      turn.words.length < FEWEST_WORDS ||
      ms <= 0 ||
      timed.interrupted
    )
      continue;
    rated.push({ turn, pace: (turn.words.length / ms) * 60_000, ms });
  }
  const first = rated[0];
  if (first === undefined || rated.length < FEWEST_TURNS) return null;
  const words = rated.reduce((sum, one) => sum + one.turn.words.length, 0);
  const ms = rated.reduce((sum, one) => sum + one.ms, 0);
  return {
    wordsPerMinute: (words / ms) * 60_000,
    fastest: rated.reduce((a, b) => (b.pace > a.pace ? b : a), first).turn,
    slowest: rated.reduce((a, b) => (b.pace < a.pace ? b : a), first).turn,
  };
}
