import { FAILURE_NOT_HANDLED } from '../claim-causes.ts';
import { entry } from '../entry.ts';

export const STEP_BLOCKED = entry({
  code: 'step_blocked',
  title: 'Business said no',
  klass: 'flow',
  lane: 'integrations',
  severity: 'low',
  needs: ['tool_results'],
  fact: true,
  observation: true,
  isNot: 'A failed tool: the tool worked, and its answer was no.',
  check: 'See whether the agent offers another way when {place} says no.',
});

export const CLAIMED_AFTER_FAILURE = entry({
  code: 'claimed_after_failure',
  title: 'Success claimed after a failure',
  klass: 'content',
  lane: 'integrations',
  severity: 'critical',
  needs: ['words_of_the_agent', 'tool_results'],
  isNot: 'A recap of something that had worked before, or a sentence about what will be done.',
  causes: FAILURE_NOT_HANDLED,
  check: 'Read what the agent is told to do when {place} does not succeed.',
});

export const CLAIMED_WITHOUT_TOOL = entry({
  code: 'claimed_without_tool',
  title: 'Success claimed without a tool',
  klass: 'content',
  lane: 'integrations',
  severity: 'critical',
  needs: ['words_of_the_talk', 'tool_results'],
  isNot: 'A state that the agent looked up and reads out, a promise, a question, or a repeated confirmation.',
  causes: [
    {
      code: 'no_such_tool',
      label: 'The agent has no tool for what it claims',
      category: 'missing_tool',
      party: 'agent',
      outside: false,
      recommendation: 'Give the agent a tool for this, or forbid at {place} to confirm it.',
      evidence: (facts) => (facts['hasTool'] === false ? "None of the agent's tools does what it says it did." : null),
    },
    {
      code: 'tool_not_called',
      label: 'The agent confirms without calling its tool',
      category: 'instruction_breach',
      party: 'agent',
      outside: false,
      recommendation: 'Write at {place}: confirm only after the tool has answered with success.',
      evidence: (facts) =>
        facts['hasTool'] === true ? `The agent has "${String(facts['tool'])}" and did not call it.` : null,
    },
  ],
  check: 'Find out at {place} whether the agent could have done what it says: which tool, and why it was not called.',
});

export const RESULT_MISREPORTED = entry({
  code: 'result_misreported',
  title: 'Result told wrongly',
  klass: 'content',
  lane: 'integrations',
  severity: 'critical',
  needs: ['words_of_the_agent', 'tool_results'],
  isNot: 'A rounded or summed amount, a state that a later result gave, or an amount of which the result says nothing.',
  check: 'Lay what the agent said beside what {place} answered on these calls.',
});

export const FACT_CONTRADICTS_SOURCE = entry({
  code: 'fact_contradicts_source',
  title: 'Statement against the record',
  klass: 'content',
  lane: 'understanding',
  severity: 'high',
  needs: ['words_of_the_agent', 'prompt'],
  isNot: 'What the caller says of themselves, a condition, or a statement that no source of this call speaks of.',
  check: 'Read at {place} where the agent has the statement from, and what the record says.',
});

export const DISCLOSED_BEFORE_VERIFIED = entry({
  code: 'disclosed_before_verified',
  meaning: true,
  title: 'Data fetched before the caller was verified',
  klass: 'content',
  lane: 'understanding',
  severity: 'critical',
  needs: ['tool_results', 'reader'],
  isNot:
    'Opening hours and other things that everybody may know, a look-up that the verification itself needs, or an agent that has no verification.',
  causes: [
    {
      code: 'verified_too_late',
      label: 'The agent verifies after it has told',
      category: 'instruction_breach',
      party: 'agent',
      outside: false,
      recommendation:
        'Write at {place}: call the tool that verifies first, and say nothing of a result before it has succeeded.',
      evidence: (facts) => (facts['verified'] === true ? 'The caller was verified later on the same call.' : null),
    },
    {
      code: 'never_verified',
      label: 'The agent does not verify the caller',
      category: 'instruction_breach',
      party: 'agent',
      outside: false,
      recommendation: 'Write at {place}: nothing of a result is told to a caller whom no tool has verified.',
      evidence: (facts) => (facts['verified'] === false ? 'No tool verified the caller on the call.' : null),
    },
  ],
  check: 'Compare the order of the tools with what the prompt orders, and see whether anything was read out before.',
});

export const REQUIRED_PHRASE_MISSING = entry({
  code: 'required_phrase_missing',
  title: 'Required wording missing',
  klass: 'content',
  lane: 'understanding',
  severity: 'high',
  thresholds: { agentTurns: 2 },
  needs: ['words_of_the_agent', 'prompt'],
  isNot: 'A call that ended before the agent could say it, or on which the step that asks for it did not come.',
  check: 'Read where {place} asks for the wording, and when it is due.',
});

export const FORBIDDEN_PHRASE_SAID = entry({
  code: 'forbidden_phrase_said',
  title: 'Banned wording said',
  klass: 'content',
  lane: 'understanding',
  severity: 'high',
  needs: ['words_of_the_agent', 'prompt'],
  isNot: 'A wording that means the same: only the banned words themselves count.',
  selfCause: true,
  selfLabel: 'The agent says wording that is banned',
  check: 'Read which line of {place} leads to it.',
});

export const SENSITIVE_DATA_SPOKEN = entry({
  code: 'sensitive_data_spoken',
  meaning: false,
  title: 'Card or social security number read out',
  klass: 'content',
  lane: 'understanding',
  severity: 'critical',
  needs: ['words_of_the_agent'],
  isNot: 'The last four digits, a phone number, an order number: a card number must pass its own check digit.',
  selfCause: true,
  selfLabel: 'The agent speaks such data in full instead of masking it',
  check: 'Find out why {place} has the full number at all.',
});

export const PROMPT_LEAK = entry({
  code: 'prompt_leak',
  title: 'Agent speaks of its own machinery',
  klass: 'content',
  lane: 'understanding',
  severity: 'high',
  needs: ['words_of_the_agent'],
  isNot: 'Saying that it is a virtual assistant, which many agents must do.',
  selfCause: true,
  selfLabel: 'The agent speaks of its prompt or its tools',
  check: 'Write at {place} that the agent never speaks of prompts, tools or models, and see what led to it here.',
});
