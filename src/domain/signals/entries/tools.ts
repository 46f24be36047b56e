import { entry } from '../entry.ts';
import { numberOf, TOOL_FAILURE_CAUSES, textOf } from '../tool-causes.ts';

export const TOOL_FAILED = entry({
  code: 'tool_failed',
  title: 'Tool failed',
  klass: 'technical',
  lane: 'integrations',
  severity: 'high',
  needs: ['tool_results'],
  fact: true,
  isNot:
    'A business refusal: "no table free at eight" or "could not verify" is an answer, and the tool that gives it works, also where the result is marked as an error.',
  causes: TOOL_FAILURE_CAUSES,
  check:
    'Look at the result of {place} on these calls: what it was given, what it answered, and whether its own log shows why.',
});

export const TOOL_SLOW = entry({
  code: 'tool_slow',
  title: 'Tool slow',
  klass: 'technical',
  lane: 'integrations',
  severity: 'medium',
  thresholds: { slowMs: 5000, slowWithoutFillerMs: 2500 },
  needs: ['tool_times'],
  fact: true,
  isNot: 'A tool that takes up to five seconds while the agent says that it is looking.',
  causes: [
    {
      code: 'slow_service',
      label: 'The service behind the tool is slow',
      category: 'system_failure',
      party: 'tool_owner',
      outside: true,
      recommendation: 'Make the service behind {place} faster, or ask it earlier in the call.',
      evidence: (facts) =>
        (numberOf(facts['latencyMs']) ?? 0) > (numberOf(facts['slowMs']) ?? Number.POSITIVE_INFINITY)
          ? `The platform measured ${numberOf(facts['latencyMs'])} ms from call to result.`
          : null,
    },
    {
      code: 'silent_wait',
      label: 'Nothing is said while the tool runs',
      category: 'instruction_gap',
      party: 'agent',
      outside: false,
      recommendation: 'Let the agent say a short sentence before it calls {place}.',
      evidence: (facts) =>
        facts['filler'] === false ? 'No words of waiting stand between the request and the result.' : null,
    },
  ],
  check: 'Compare the times of {place} with the log of its service.',
});

export const TOOL_RETRY_STORM = entry({
  code: 'tool_retry_storm',
  title: 'Tool called again and again',
  klass: 'technical',
  lane: 'integrations',
  severity: 'medium',
  thresholds: { sameCalls: 3 },
  needs: ['tool_results'],
  fact: true,
  isNot: 'One retry, or calls of one tool with different arguments.',
  causes: [
    {
      code: 'retries_after_failure',
      label: 'The agent repeats a call that fails',
      category: 'instruction_gap',
      party: 'agent',
      outside: false,
      recommendation: 'Say how often {place} may be tried, and what the agent does then.',
      evidence: (facts) => (facts['failed'] === facts['calls'] ? 'Every one of these calls failed.' : null),
    },
    {
      code: 'repeats_answered_call',
      label: 'The agent asks again for what it was told',
      category: 'misread_tool_result',
      party: 'agent',
      outside: false,
      recommendation:
        'Let {place} answer in a form that the agent can use at once, and say in the prompt to use the last answer.',
      evidence: (facts) =>
        facts['failed'] === 0 ? 'The tool had answered the same call before, and answered again.' : null,
    },
  ],
  check: 'Look at what {place} answered between these calls.',
});

export const TOOL_CALL_REPEATED = entry({
  code: 'tool_call_repeated',
  title: 'Agent looks up what it already knows',
  klass: 'flow',
  lane: 'integrations',
  severity: 'medium',
  needs: ['tool_results'],
  fact: true,
  isNot:
    'A second try after a failure, a look after something was changed, another answer to the same question, or a check that the caller asks for.',
  section: 'improve',
  metric: 'duration_ms',
  check: 'Tell the agent to use what {place} has answered in the same call, and see why it asks again.',
});

export const TOOL_ARGS_INVALID = entry({
  code: 'tool_args_invalid',
  title: 'Tool called with wrong arguments',
  klass: 'technical',
  lane: 'integrations',
  severity: 'high',
  needs: ['tool_results', 'tool_schemas'],
  fact: true,
  isNot:
    'Arguments that the tool accepted, a refusal of the business, numbers passed as text, or arguments that the schema does not mention.',
  causes: [
    {
      code: 'required_argument_missing',
      label: 'The agent calls before it has what the tool needs',
      category: 'invalid_invocation',
      party: 'agent',
      outside: false,
      recommendation: 'Let the agent ask for every required argument of {place} before it calls.',
      evidence: (facts) => namesOf(facts['missing'], 'Missing'),
    },
    {
      code: 'argument_form',
      label: 'The description of the tool does not say the form of its arguments',
      category: 'invalid_invocation',
      party: 'agent',
      outside: false,
      recommendation: 'Say in the description of {place} which type and which values each argument takes.',
      evidence: (facts) =>
        namesOf(facts['wrongType'], 'Wrong type') ?? namesOf(facts['notAllowed'], 'Not among the allowed values'),
    },
  ],
  check: 'Compare the arguments of these calls with the schema of {place}.',
});

export const DUPLICATE_WRITE = entry({
  code: 'duplicate_write',
  title: 'Same action done twice',
  klass: 'technical',
  lane: 'integrations',
  severity: 'high',
  needs: ['tool_results'],
  fact: true,
  isNot: 'Look-ups, a retry after a failure, or the same action after it was undone.',
  causes: [
    {
      code: 'no_guard_against_repeat',
      label: 'The tool does the same thing again when it is asked again',
      category: 'missing_guard',
      party: 'tool_owner',
      outside: false,
      recommendation: 'Let {place} recognise a repeated request by its key values and answer with the first result.',
      evidence: (facts) =>
        facts['differs'] === true ? 'Both calls had equal arguments and the tool gave two different results.' : null,
    },
  ],
  check: 'See whether {place} did its work twice on these calls, and what was said between.',
});

export const TOOL_MISSING = entry({
  code: 'tool_missing',
  title: 'Tool not used where it was due',
  klass: 'content',
  lane: 'integrations',
  severity: 'high',
  needs: ['words_of_the_talk', 'tool_results', 'reader'],
  isNot: 'An action that the caller took back, that the agent refused, or that another tool did.',
  check: 'See at {place} why the tool was not called: what the prompt says of it, and what the agent did instead.',
});

export const TOOL_ARGS_PLACEHOLDER = entry({
  code: 'tool_args_placeholder',
  title: 'Tool called with a stand-in for a value',
  klass: 'content',
  lane: 'integrations',
  severity: 'medium',
  needs: ['tool_results'],
  fact: true,
  isNot: 'An optional argument left out, "none" where nothing was wanted, or a real name that looks odd.',
  causes: [
    {
      code: 'called_before_asking',
      label: 'The agent calls the tool before it has asked for what the tool needs',
      category: 'invalid_invocation',
      party: 'agent',
      outside: false,
      recommendation:
        'Tell the agent to ask for every value that {place} needs before it calls, and never to send a stand-in.',
      evidence: (facts) =>
        Array.isArray(facts['names']) && facts['callerSpoke'] === true
          ? `A stand-in was sent for: ${facts['names'].join(', ')}.`
          : null,
    },
  ],
  check: 'See what the agent had been told when it called {place}.',
});

export const TOOL_BESIDE_REQUEST = entry({
  code: 'tool_beside_request',
  title: 'Tool used for something nobody asked for',
  klass: 'content',
  lane: 'integrations',
  severity: 'medium',
  needs: ['words_of_the_talk', 'tool_results', 'reader'],
  isNot:
    'A question to a knowledge base in other words, another form of the same word, a word out of the prompt or of an earlier answer, a part of a record that was looked up, or what the agent had offered after its greeting.',
  check: 'Compare what the callers had asked for with what {place} was used for.',
});

export const TOOL_ARGS_UNSUPPORTED = entry({
  code: 'tool_args_unsupported',
  title: 'Tool called with a value from nowhere',
  klass: 'content',
  lane: 'integrations',
  severity: 'high',
  needs: ['words_of_the_talk', 'tool_results', 'reader'],
  isNot:
    'A value that was said in other words, letter by letter, or that differs by a letter or two: that is a hearing matter.',
  check: 'Find out where the agent has the value for {place} from.',
});

export const TOOL_RESULT_IGNORED = entry({
  code: 'tool_result_ignored',
  title: 'Result of a look-up never used',
  klass: 'content',
  lane: 'integrations',
  severity: 'medium',
  needs: ['words_of_the_talk', 'tool_results', 'reader'],
  isNot:
    'A look-up that only has to succeed (verifying, counting), one of several in a row, a result that a later tool call takes up, or a call that ends before it could be used.',
  check: 'See what {place} answered and what the agent said next: was the answer needed?',
});

export const TRANSFER_FAILED = entry({
  code: 'transfer_failed',
  title: 'Transfer failed',
  klass: 'technical',
  lane: 'integrations',
  severity: 'critical',
  needs: ['tool_results', 'end_reason'],
  fact: true,
  isNot: 'A caller who hangs up before the transfer, or a transfer that the agent declined to make.',
  causes: [
    {
      code: 'destination_not_answering',
      label: 'Nobody answers at the destination',
      category: 'system_failure',
      party: 'tool_owner',
      outside: true,
      recommendation: 'Give {place} a second destination, or let the agent offer a call back when nobody answers.',
      evidence: (facts) => {
        const text = `${textOf(facts['message'])} ${textOf(facts['endReason'])} ${textOf(facts['errorType'])}`;
        return /no[_ -]?answer|not answer|busy|unanswered/i.test(text) ? `It says: ${text.trim().slice(0, 160)}` : null;
      },
    },
    {
      code: 'destination_missing',
      label: 'The transfer has no usable destination',
      category: 'invalid_invocation',
      party: 'agent',
      outside: false,
      recommendation: 'Enter a destination number for {place}.',
      evidence: (facts) => {
        const text = textOf(facts['message']);
        return /no destination|invalid (?:destination|number|phone)|destination (?:is )?(?:missing|invalid|not)/i.test(
          text,
        )
          ? `It says: ${text.slice(0, 160)}`
          : null;
      },
    },
    ...TOOL_FAILURE_CAUSES,
  ],
  check: 'Try the destination of {place} by hand, and look at the telephony log of these calls.',
});

export const KB_MISS = entry({
  code: 'kb_miss',
  title: 'Knowledge base had no answer',
  klass: 'content',
  lane: 'understanding',
  severity: 'medium',
  needs: ['tool_results'],
  observation: true,
  isNot: 'A failed look-up, or an empty list of a business (no free table).',
  check: 'See whether the knowledge base holds the answer, and in which words; add it where it does not.',
});

function namesOf(value: unknown, what: string): string | null {
  return Array.isArray(value) && value.length > 0 ? `${what}: ${value.slice(0, 8).join(', ')}.` : null;
}
