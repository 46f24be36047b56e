import type { AgentConfiguration } from './configuration.ts';

/** What a version may hold: every call of the agent is read against it, and versions are compared with each other. */
export const VERSION_AT_MOST = {
  /** Characters of the document and of what is read from it, as JSON. */
  characters: 4 * 1024 * 1024,
  /** Of the prompt and of all steps. */
  lines: 10_000,
  tools: 500,
  steps: 2_000,
  ways: 10_000,
} as const;

/** What a version holds too much of, in words; null where it holds no more than it may. */
export function tooLargeFor(document: unknown, configuration: AgentConfiguration): string | null {
  const { prompt, nodes, tools } = configuration;
  const texts = [prompt, ...nodes.map(({ text }) => text)];
  const held: Record<keyof typeof VERSION_AT_MOST, number> = {
    characters: JSON.stringify(document).length + JSON.stringify(configuration).length,
    lines: texts.reduce((sum, text) => sum + linesIn(text ?? ''), 0),
    tools: tools.length,
    steps: nodes.length,
    ways: nodes.reduce((sum, { edges }) => sum + edges.length, 0),
  };
  const over = Object.entries(VERSION_AT_MOST).find(([name, most]) => held[name as keyof typeof held] > most);
  if (over === undefined) return null;
  const [name, most] = over;
  return `It has ${held[name as keyof typeof held]} ${name}; ${most} are read.`;
}

function linesIn(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
