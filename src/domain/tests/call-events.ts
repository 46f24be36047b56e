import type { ToolUse } from '../calls/tool-uses.ts';
import { readToolUses } from '../calls/tool-uses.ts';
import type { PlayedCall } from '../runs/attempt.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';

/** Something that checks can name: a tool that was called or a step that became active, at a turn. */
export interface CallEvent {
  kind: 'tool' | 'step';
  /** The tool's name, or the id of the step. */
  id: string;
  turn: number | null;
}

/** Tools and steps in the order in which they came. A step without a turn of its own stands before the next one that has. */
export function readEvents(played: PlayedCall, tools: readonly ToolUse[]): CallEvent[] {
  const events: CallEvent[] = [];
  const useAt = new Map<number, ToolUse[]>();
  for (const use of tools) {
    const at = use.callTurn ?? use.resultTurn ?? 0;
    useAt.set(at, [...(useAt.get(at) ?? []), use]);
  }
  let done = 0;
  let current: string | null = null;
  for (const { index, nodeId } of played.turns) {
    if (nodeId !== null && nodeId !== current) {
      const at = played.steps.indexOf(nodeId, done);
      const entered = at < 0 ? [nodeId] : played.steps.slice(done, at + 1);
      events.push(...entered.map((id): CallEvent => ({ kind: 'step', id, turn: id === nodeId ? index : null })));
      if (at >= 0) done = at + 1;
      current = nodeId;
    }
    for (const { name } of useAt.get(index) ?? []) events.push({ kind: 'tool', id: name, turn: index });
  }
  events.push(...played.steps.slice(done).map((id): CallEvent => ({ kind: 'step', id, turn: null })));
  return events;
}

export function toolUsesOf(played: PlayedCall, configuration: AgentConfiguration | null): ToolUse[] {
  return readToolUses(played, configuration?.tools ?? []);
}
