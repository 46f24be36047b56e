import type { Turn } from '../calls/call.ts';
import type { JsonObject } from '../json.ts';
import type { PlayedCall } from './attempt.ts';

/** One stored step of a simulated call: what the caller said, or everything that the agent answered to it. */
export interface PlayedStep {
  /** From 0; the agent opens with 0, the caller's first line is 1. */
  step: number;
  by: 'caller' | 'agent';
  /** `index` counts within the step. */
  turns: Turn[];
  /** The platform's own messages, with the caller's line that they answer; empty on a step of the caller. */
  messages: JsonObject[];
  /** What the platform wants back with the next question. */
  state: JsonObject | null;
  /** Ids of the steps of the agent's flow that became active. */
  flowSteps: string[];
  noFixture: string[];
  /** Who ended the call with this step. */
  ended: 'agent' | 'caller' | 'transfer' | null;
}

/** The call as far as it was played: turns numbered through, each caller's turn at the step that it was said in. */
export function playedCallOf(steps: readonly PlayedStep[]): Pick<PlayedCall, 'turns' | 'steps'> {
  let nodeId: string | null = null;
  const turns: Turn[] = [];
  for (const turn of steps.flatMap((step) => step.turns)) {
    const at: string | null = turn.nodeId ?? nodeId;
    turns.push({ ...turn, index: turns.length, nodeId: at });
    nodeId = at;
  }
  return { turns, steps: steps.flatMap(({ flowSteps }) => flowSteps) };
}

/** Tools that answered as not available, each once. */
export const noFixtureOf = (steps: readonly PlayedStep[]): string[] => [
  ...new Set(steps.flatMap(({ noFixture }) => noFixture)),
];
