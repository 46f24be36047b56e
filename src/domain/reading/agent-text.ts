import { storedText } from '../calls/quotes.ts';
import { cutText } from '../text.ts';
import type { AgentConfiguration, ToolDefinition } from '../versions/configuration.ts';

/** What the agent's own text may take of a question, in UTF-16 units: beyond it lines are left out, and it is said. */
const TEXT_AT_MOST = 48_000;
const LINE_AT_MOST = 4_000;
const PARAMETERS_AT_MOST = 1_200;

/** The lines that an agent is told, numbered from 1 as a question shows them and as proofs cite them. */
export interface AgentText {
  lines: string[];
  /** Lines that a question has no room for. */
  leftOut: number;
  /** All of them: what stands in none of these, the agent was not told. */
  all: readonly string[];
}

/** Everything that a version is told in words. Empty where none was captured. */
export function agentText(configuration: AgentConfiguration | null): AgentText {
  if (configuration === null) return { lines: [], leftOut: 0, all: [] };
  const { prompt, firstMessage, nodes, knowledge, variables } = configuration;
  const all = [
    ...(firstMessage ? ['Opening line:', ...linesOf(firstMessage)] : []),
    ...linesOf(prompt ?? ''),
    ...nodes.flatMap((node) => [
      `Step "${node.label}" (${node.kind}${node.toolName === null ? '' : `, tool ${node.toolName}`}):`,
      ...linesOf(node.text ?? ''),
      ...node.edges.flatMap(({ to, condition }) =>
        condition
          ? [`to ${nodes.find(({ id }) => id === to)?.label ?? to ?? 'the end'}, if ${oneLine(condition)}`]
          : [],
      ),
    ]),
    ...configuration.tools.map((tool) => `Tool ${toolLine(tool)}`),
    ...(knowledge?.length ? [`Knowledge sources: ${knowledge.map(({ label }) => label).join(', ')}`] : []),
    ...(Object.keys(variables).length > 0 ? [`Variables: ${Object.keys(variables).join(', ')}`] : []),
  ];
  let room = TEXT_AT_MOST;
  const end = all.findIndex((line) => {
    room -= line.length + 6;
    return room < 0;
  });
  return end < 0 ? { lines: all, leftOut: 0, all } : { lines: all.slice(0, end), leftOut: all.length - end, all };
}

/** One tool a line: name, what it is for, and its arguments. */
export function toolLine({ name, description, kind, parameters }: ToolDefinition): string {
  const what = kind === 'other' ? '' : ` [${kind}]`;
  const args = parameters === null ? '' : ` Arguments: ${cutText(storedText(parameters), PARAMETERS_AT_MOST)}`;
  return oneLine(`${name}${what}: ${description}${args}`);
}

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => cutText(oneLine(line), LINE_AT_MOST))
    .filter((line) => line !== '');
}

/** One line, whatever blanks and controls a text holds, so that no text can begin a line of its own. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
