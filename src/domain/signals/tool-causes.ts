import type { ToolUse } from '../calls/tool-uses.ts';
import type { Json } from '../json.ts';
import type { CauseRow, Evidence } from './catalogue-entry.ts';
import { toolSays } from './cause-rows/tool-says.ts';
import { wordsOf } from './cause-rows/variants.ts';
import type { CallReading } from './reading.ts';
import type { Detection } from './signal.ts';

/** The named facts of a failed tool use, which the cause table reads. */
export function failureFacts(use: ToolUse): Record<string, Json> {
  return {
    tool: use.name,
    httpStatus: use.httpStatus,
    errorType: use.errorType,
    message: use.message,
    latencyMs: use.latencyMs,
    timeoutMs: use.definition?.timeoutMs ?? null,
  };
}

const BAD_ARGUMENTS =
  /\b(?:missing|invalid|malformed|unexpected|unknown) (?:or (?:missing|invalid) )?(?:required )?(?:parameter|argument|field|value|input|property)|\bfield required\b|\brequired (?:parameter|field|argument|property)|\bvalidation (?:error|failed)|\b(?:match|fit|violate)[a-z]* (?:(?:the|its|this) )?(?:[a-z]+ )?schema\b|\bschema (?:validation|error|mismatch)\b|\bis required\b|\bmust be (?:a|an|one|in|of)\b/i;
const ARGUMENT_CODES = /missing|required|invalid_(?:param|arg|input|request|field)|validation|schema|bad_request/i;
const NO_ANSWER = 'missing';
const UNREACHABLE =
  /\b(?:econnrefused|econnreset|enotfound|ehostunreach|connection (?:refused|reset)|could not connect|getaddrinfo|network error)\b/i;

/** An answer about what it was given, not about the service. */
const OF_INPUT =
  /\b(?:should (?:be|have|not)|must (?:be|have|not)|expected|does(?: not|n't) (?:match|add up|fit)|do(?: not|n't) match|not (?:a valid|allowed|permitted|supported)|too (?:long|short|many|few|large|small)|cannot be (?:empty|null|used|before|after|in)|out of range|already (?:exists|taken|in use)|format)\b/i;

/** What the tool itself names; a failure that it got over on the same call explains nothing. */
function said(
  facts: Record<string, Json>,
  { turnIndex, place }: Detection,
  reading: CallReading | null,
): Evidence | null {
  const isOver = reading?.tools.some(
    (use) => (use.definition?.id ?? use.name) === place.id && use.ok !== false && (use.callTurn ?? -1) > turnIndex,
  );
  const message = textOf(facts['message']);
  const variant = isOver === true ? null : toolSays(message, textOf(facts['tool']));
  return variant === null ? null : { detail: `The result says: ${message.slice(0, 160)}`, variant };
}

/** Causes of a failed tool, each with the evidence that must be in the result. Without any of it the cause stays open. */
export const TOOL_FAILURE_CAUSES: readonly CauseRow[] = [
  {
    code: 'tool_timeout',
    label: 'The tool did not answer in time',
    category: 'system_failure',
    party: 'tool_owner',
    outside: true,
    recommendation:
      'Make {place} answer faster, or give it a longer time-out and let the agent say that it takes a moment.',
    evidence: (facts) => {
      const latency = numberOf(facts['latencyMs']);
      const timeout = numberOf(facts['timeoutMs']);
      if (facts['errorType'] === 'timeout') return 'The result says that the tool timed out.';
      if (latency === null || timeout === null || latency < timeout) return null;
      return `The result came after ${latency} ms; the time-out is ${timeout} ms.`;
    },
  },
  {
    code: 'tool_rate_limited',
    label: 'The service behind the tool limits its use',
    category: 'system_failure',
    party: 'tool_owner',
    outside: true,
    recommendation: 'Raise the limit of the service behind {place}, or let the agent wait and try once more.',
    evidence: (facts) => (facts['httpStatus'] === 429 ? 'The service answered 429 (too many requests).' : null),
  },
  {
    code: 'tool_not_authorised',
    label: 'The tool is refused access',
    category: 'system_failure',
    party: 'tool_owner',
    outside: false,
    recommendation: 'Renew the credentials that {place} sends.',
    evidence: (facts) =>
      facts['httpStatus'] === 401 || facts['httpStatus'] === 403
        ? `The service answered ${facts['httpStatus']}.`
        : null,
  },
  {
    code: 'tool_arguments_rejected',
    label: 'The agent sends arguments that the tool does not accept',
    category: 'invalid_invocation',
    party: 'agent',
    outside: false,
    recommendation:
      'Say in the description of {place} which arguments it needs and in which form, and let the agent ask for what is missing before it calls.',
    evidence: (facts) => {
      const message = textOf(facts['message']);
      const code = textOf(facts['errorType']);
      if (facts['httpStatus'] === 422) return 'The service answered 422 (the arguments cannot be used).';
      if (BAD_ARGUMENTS.test(message)) return `The result says: ${message.slice(0, 160)}`;
      // What the platform writes where no answer came is no word of the tool's.
      return code !== NO_ANSWER && ARGUMENT_CODES.test(code)
        ? `The result names the error "${code.slice(0, 80)}".`
        : null;
    },
  },
  {
    code: 'tool_service_error',
    label: 'The service behind the tool fails',
    category: 'system_failure',
    party: 'tool_owner',
    outside: true,
    recommendation:
      'Fix the service behind {place}; until then let the agent say that it cannot do this now, and offer a call back.',
    evidence: (facts) => {
      const status = numberOf(facts['httpStatus']);
      return status !== null && status >= 500 ? `The service answered ${status}.` : null;
    },
  },
  {
    code: 'tool_unreachable',
    label: 'The service behind the tool cannot be reached',
    category: 'system_failure',
    party: 'tool_owner',
    outside: false,
    recommendation: 'Check the address that {place} calls, and that its server runs.',
    evidence: (facts) =>
      UNREACHABLE.test(textOf(facts['message'])) ? `The result says: ${textOf(facts['message']).slice(0, 160)}` : null,
  },
  {
    code: 'tool_no_result',
    label: 'The tool never answered',
    category: 'system_failure',
    party: 'tool_owner',
    outside: true,
    recommendation: 'Make sure that the server behind {place} always answers, also when it cannot do what was asked.',
    evidence: (facts) => (facts['errorType'] === NO_ANSWER ? 'The platform recorded no answer of the tool.' : null),
  },
  {
    code: 'tool_refuses_input',
    label: 'The tool does not take what it is given',
    category: 'invalid_invocation',
    party: 'agent',
    outside: false,
    recommendation:
      'Say in the description of {place} what its answer asks for, and let the agent see to it before it calls.',
    labelOf: (variant) => `The tool does not take what it is given: ${wordsOf(variant)}`,
    evidence: (facts, detection, reading) =>
      OF_INPUT.test(textOf(facts['message'])) ? said(facts, detection, reading) : null,
  },
  {
    code: 'tool_says',
    label: 'The tool says why it fails',
    category: 'system_failure',
    party: 'tool_owner',
    outside: true,
    recommendation: 'Fix the error that {place} returns; until then have the agent say that it cannot do this now.',
    labelOf: (variant) => `The tool answers: ${wordsOf(variant)}`,
    evidence: said,
  },
];

export function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
