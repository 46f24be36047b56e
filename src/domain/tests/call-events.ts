import type { ToolUse } from '../calls/tool-uses.ts';
import { readToolUses } from '../calls/tool-uses.ts';
import type { PlayedCall } from '../runs/attempt.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { wordsOf } from './spoken-items.ts';

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

/** Names of a tool in a call's record: as given, and the other one of id and name where the version defines it. */
export function toolNames(tool: string, configuration: AgentConfiguration | null): Set<string> {
  const defined = (configuration?.tools ?? []).filter(({ id, name }) => id === tool || name === tool);
  return new Set([tool, ...defined.map(({ name }) => name)]);
}

/** The steps that a name means: by their id, else by their label, compared as words. */
export function stepsNamed(name: string, configuration: AgentConfiguration | null): Set<string> {
  const nodes = configuration?.nodes ?? [];
  if (nodes.some(({ id }) => id === name)) return new Set([name]);
  const spelled = spelling(name);
  return new Set(nodes.filter(({ label }) => spelling(label) === spelled).map(({ id }) => id));
}

const spelling = (text: string) =>
  wordsOf(text.normalize('NFC'))
    .map(({ word }) => word)
    .join(' ');

/** Whether the version has such a tool. */
export function isTool(name: string, configuration: AgentConfiguration | null): boolean {
  return (configuration?.tools ?? []).some((tool) => tool.id === name || tool.name === name);
}
