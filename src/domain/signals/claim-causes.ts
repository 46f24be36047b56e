import type { ToolUse } from '../calls/tool-uses.ts';
import type { Json } from '../json.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { CauseRow } from './catalogue-entry.ts';

const FAILURE_WORDS =
  /\b(?:fail(?:s|ed|ure)?|error|unsuccessful|goes wrong|went wrong|not work|unavailable|unable|cannot|can't|could not|couldn't|if (?:it|the (?:tool|call|booking|request)) (?:is|was) not)\b/i;

/** What the captured configuration says about the case that a tool fails; nulls where it was not captured. */
export function failureHandling(configuration: AgentConfiguration | null, use: ToolUse | null): Record<string, Json> {
  if (configuration === null || use === null) return { failurePath: null, promptOnFailure: null };
  const node = configuration.nodes.find((one) => one.toolName === use.name);
  const texts = [
    configuration.prompt,
    use.definition?.description ?? null,
    ...configuration.nodes.map((one) => one.text),
  ];
  const known = texts.some((text) => text !== null && text !== '');
  return {
    failurePath:
      node === undefined
        ? null
        : node.edges.some((edge) => edge.condition !== null && FAILURE_WORDS.test(edge.condition)),
    promptOnFailure: known ? texts.some((text) => text !== null && FAILURE_WORDS.test(text)) : null,
  };
}

export const FAILURE_NOT_HANDLED: readonly CauseRow[] = [
  {
    code: 'no_failure_path',
    label: 'The flow has no way for a failed tool',
    category: 'missing_path',
    party: 'agent',
    outside: false,
    recommendation:
      'Give the step that runs {place} an edge for failure, to a step that says so and offers what can be done.',
    evidence: (facts) =>
      facts['failurePath'] === false ? 'No edge of the step that runs the tool speaks of failure.' : null,
  },
  {
    code: 'prompt_silent_on_failure',
    label: 'The agent is not told what to say when the tool fails',
    category: 'instruction_gap',
    party: 'agent',
    outside: false,
    recommendation: 'Write into the prompt: when {place} fails, say that it did not work and never confirm.',
    evidence: (facts) =>
      facts['promptOnFailure'] === false
        ? "Neither prompt nor steps nor the tool's description speak of failure."
        : null,
  },
];
