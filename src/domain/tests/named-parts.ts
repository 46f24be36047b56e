import type { AgentConfiguration } from '../versions/configuration.ts';
import { wordsOf } from './spoken-items.ts';

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

/** In the order in which the line names them. */
export function toolsNamedIn(text: string, configuration: AgentConfiguration | null): string[] {
  const words = text.split(/[^\p{L}\p{N}_-]+/u);
  const named = words.filter((word) => /[_-]/.test(word) && isTool(word, configuration));
  return [...new Set(named)];
}
