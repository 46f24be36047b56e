import { entry } from '../entry.ts';
import { numberOf } from '../tool-causes.ts';

export const REPLY_OFF_TOPIC = entry({
  code: 'reply_off_topic',
  title: 'Agent answers beside the matter',
  klass: 'content',
  lane: 'understanding',
  severity: 'medium',
  needs: ['words_of_the_talk', 'reader'],
  isNot:
    'The next question of a task, a courtesy, or a reply in other words: without a sign of the caller that the talk makes no sense nothing is said.',
  check: 'Read the replies at {place} beside what the callers had said just before.',
});

export const QUESTION_UNANSWERED = entry({
  code: 'question_unanswered',
  title: 'Question unanswered',
  klass: 'content',
  lane: 'understanding',
  severity: 'medium',
  needs: ['words_of_the_talk', 'reader'],
  isNot:
    'An answer in figures or in one word, a look-up for it, a refusal, a counter-question about the same thing, or a polite request put as a question.',
  check: 'Read the question and the two replies after it.',
});

export const REASKED_KNOWN_SLOT = entry({
  code: 'reasked_known_slot',
  title: 'Agent asks for what it was told',
  klass: 'flow',
  lane: 'understanding',
  severity: 'medium',
  needs: ['words_of_the_talk'],
  isNot:
    'The same question about another thing, a question that got no answer, a read-back, or one asked again because it was not heard.',
  check: 'Compare the first answer with the second question.',
});

export const AGENT_REPEATS_LINE = entry({
  code: 'agent_repeats_line',
  title: 'Agent repeats itself',
  klass: 'flow',
  lane: 'flow',
  severity: 'medium',
  thresholds: { times: 3, alike: 0.9 },
  needs: ['words_of_the_agent'],
  isNot:
    'Courtesies, offers of more help, words of waiting, the same question about another thing, or a line that the caller asked to hear again.',
  section: 'improve',
  metric: 'unresolved',
  causes: [
    {
      code: 'answer_not_taken',
      label: 'The agent does not take the answer that it is given',
      category: 'answer_not_recognised',
      party: 'agent',
      outside: false,
      recommendation: 'Say at {place} which answers count, and what follows when none was understood twice.',
      evidence: (facts) => (facts['sameAnswer'] === true ? 'The caller gave nearly the same answer each time.' : null),
    },
    {
      code: 'failing_tool_behind_line',
      label: 'A tool fails between the repetitions',
      category: 'system_failure',
      party: 'tool_owner',
      outside: false,
      recommendation: 'Fix the tool that fails here, and give {place} another sentence for that case.',
      evidence: (facts) =>
        (numberOf(facts['failures']) ?? 0) >= 1
          ? `A tool failed ${numberOf(facts['failures'])} times between the repetitions.`
          : null,
    },
  ],
  check: 'Read what callers answer between the repetitions at {place}.',
});

export const FLOW_LOOP = entry({
  code: 'flow_loop',
  title: 'Flow goes round in circles',
  klass: 'flow',
  lane: 'flow',
  severity: 'high',
  thresholds: { entries: 3 },
  needs: ['flow_nodes'],
  isNot: 'Coming back to a step with something new: another date, a tool that has worked, a step not seen before.',
  causes: [
    {
      code: 'failing_tool_sends_back',
      label: 'A tool that fails sends the call back',
      category: 'missing_path',
      party: 'agent',
      outside: false,
      recommendation: 'Give {place} a way out for the case that the tool fails a second time.',
      evidence: (facts) =>
        (numberOf(facts['failures']) ?? 0) >= 2
          ? `A tool failed ${numberOf(facts['failures'])} times within the loop.`
          : null,
    },
    {
      code: 'refusal_sends_back',
      label: 'A refusal sends the call back',
      category: 'missing_path',
      party: 'agent',
      outside: false,
      recommendation: 'Give {place} a way out for the case that the business says no twice.',
      evidence: (facts) =>
        (numberOf(facts['refusals']) ?? 0) >= 2
          ? `The business said no ${numberOf(facts['refusals'])} times within the loop.`
          : null,
    },
    {
      code: 'no_exit_in_flow',
      label: 'The steps of the loop lead only to each other',
      category: 'missing_path',
      party: 'agent',
      outside: false,
      recommendation: 'Add an edge that leaves {place} when the caller has answered, or has said no.',
      evidence: (facts) =>
        facts['exits'] === 0 ? 'No edge of this version leads out of the steps of the loop.' : null,
    },
  ],
  check: 'Read the edges of {place}: which condition should have let these calls go on.',
});

export const NO_PROGRESS = entry({
  code: 'no_progress',
  title: 'Call stands still',
  klass: 'flow',
  lane: 'flow',
  severity: 'medium',
  // Six turns are small talk on one good call in seven; eight are not on one in twenty.
  thresholds: { turns: 8 },
  needs: ['words_of_the_talk', 'flow_nodes'],
  suspected: true,
  isNot:
    'Small talk at the end, a long explanation that the caller asked for, or waiting while the caller looks something up.',
  section: 'improve',
  metric: 'unresolved',
  check: 'Read what {place} asks for, and what the callers answer.',
});

export const STEP_SKIPPED = entry({
  code: 'step_skipped',
  title: 'Step skipped',
  klass: 'flow',
  lane: 'flow',
  severity: 'high',
  needs: ['flow_nodes', 'prompt'],
  isNot: 'A step that another edge leads around, or one that can be reached from anywhere.',
  check: 'See how these calls came past {place}: a global edge, or a version whose edges differ.',
});

export const DEAD_END_STEP = entry({
  code: 'dead_end_step',
  meaning: true,
  title: 'Call ends with the goal open',
  klass: 'flow',
  lane: 'flow',
  severity: 'medium',
  needs: ['flow_nodes', 'end_reason'],
  ending: true,
  isNot:
    'A caller who hangs up mid-task (that is `caller_left_mid_task`), or a business refusal that the caller accepts.',
  causes: [
    {
      code: 'no_way_on',
      label: 'The step leads nowhere',
      category: 'missing_path',
      party: 'agent',
      outside: false,
      recommendation: 'Give {place} an edge to a step that can meet the goal or hand over.',
      evidence: (facts) =>
        facts['edges'] === 0 ? 'The step has no edge in this version and is not an end step.' : null,
    },
  ],
  check: 'Read what {place} can do next, and what these callers still wanted.',
});

export const HUMAN_REQUEST_IGNORED = entry({
  code: 'human_request_ignored',
  title: 'Request for a person ignored',
  klass: 'flow',
  lane: 'flow',
  severity: 'high',
  thresholds: { requests: 2, turnsToTransfer: 3 },
  needs: ['words_of_the_talk'],
  isNot: 'One request that the agent answers with an offer of its own, or a transfer that follows within three turns.',
  causes: [
    {
      code: 'no_transfer_tool',
      label: 'The agent has no way to hand over',
      category: 'missing_tool',
      party: 'agent',
      outside: false,
      recommendation: 'Give the agent a transfer tool, or a sentence at {place} that says how to reach a person.',
      evidence: (facts) =>
        facts['transferTools'] === 0 ? 'None of the tools of this version transfers a call.' : null,
    },
    {
      code: 'transfer_not_used',
      label: 'The agent has a transfer tool and does not use it',
      category: 'instruction_breach',
      party: 'agent',
      outside: false,
      recommendation: 'Write at {place}: when the caller asks for a person a second time, transfer.',
      evidence: (facts) =>
        typeof facts['transferTools'] === 'number' && facts['transferTools'] > 0
          ? 'This version has a transfer tool that was not called after the request.'
          : null,
    },
  ],
  check: 'Find out what {place} tells the agent to do when a caller asks for a person.',
});

export const AGENT_HUNG_UP_EARLY = entry({
  code: 'agent_hung_up_early',
  title: 'Agent hung up too early',
  klass: 'flow',
  lane: 'flow',
  severity: 'high',
  thresholds: { afterCallerMs: 2000 },
  needs: ['words_of_the_talk', 'end_reason'],
  isNot: 'Hanging up after both have said goodbye, or after the caller has said that nothing else is needed.',
  ending: true,
  causes: [
    {
      code: 'ends_on_open_question',
      label: 'The agent ends the call after its own question',
      category: 'end_condition',
      party: 'agent',
      outside: false,
      recommendation: 'Let {place} end the call only after the caller has answered.',
      evidence: (facts) => (facts['ownQuestion'] === true ? 'The last thing said is a question of the agent.' : null),
    },
  ],
  check: 'Read when {place} lets the agent end the call.',
});

export const GOODBYE_LOOP = entry({
  code: 'goodbye_loop',
  title: 'Goodbye without end',
  klass: 'flow',
  lane: 'flow',
  severity: 'low',
  thresholds: { times: 3 },
  needs: ['words_of_the_agent'],
  isNot: 'One goodbye answered by one goodbye.',
  section: 'improve',
  metric: 'duration_ms',
  causes: [
    {
      code: 'no_end_call_tool',
      label: 'The agent cannot end a call',
      category: 'missing_tool',
      party: 'agent',
      outside: false,
      recommendation: 'Give the agent the tool that ends the call, and use it at {place} after the goodbye.',
      evidence: (facts) =>
        facts['endTools'] === 0 ? 'None of the tools of this version ends a call, and no step does.' : null,
    },
  ],
  check: 'See what should end the call at {place} after the goodbye.',
});

export const MAX_DURATION_END = entry({
  code: 'max_duration_end',
  title: 'Call cut by the time limit',
  klass: 'flow',
  lane: 'flow',
  severity: 'medium',
  needs: ['end_reason'],
  fact: true,
  ending: true,
  isNot: 'A long call that ends by itself.',
  check: 'Compare the limit in {place} with the length of calls that succeed, and see what kept these so long.',
});

export const VOICEMAIL_TALKED_TO = entry({
  code: 'voicemail_talked_to',
  title: 'Agent talked to an answering machine',
  klass: 'flow',
  lane: 'flow',
  severity: 'medium',
  thresholds: { spokenMs: 15_000 },
  needs: ['words_of_the_talk', 'end_reason'],
  isNot: 'A short message left on purpose.',
  check: 'Switch on the detection of answering machines, and say what {place} does when one answers.',
});

export const CLOSING_MISSING = entry({
  code: 'closing_missing',
  title: 'Call ends without a confirmation',
  klass: 'content',
  lane: 'flow',
  severity: 'low',
  needs: ['words_of_the_talk', 'tool_results'],
  observation: true,
  isNot: 'A call that the caller ended at once, a hand-over, or a confirmation in other words of at least a sentence.',
  check: 'See whether the caller knows what was done when the call ends.',
});

export const IVR_STUCK = entry({
  code: 'ivr_stuck',
  title: 'Agent stuck in a phone menu',
  klass: 'flow',
  lane: 'flow',
  severity: 'medium',
  thresholds: { prompts: 2 },
  needs: ['words_of_the_talk'],
  isNot: 'One menu that the agent leaves by a key or by a word, or a caller who talks about a menu.',
  causes: [
    {
      code: 'no_key_tool',
      label: 'The agent can press no keys',
      category: 'missing_tool',
      party: 'agent',
      outside: false,
      recommendation: 'Give the agent a tool that presses keys, and say at {place} which way leads to a person.',
      evidence: (facts) => (facts['keyTools'] === 0 ? 'None of the tools of this version presses keys.' : null),
    },
    {
      code: 'key_tool_not_used',
      label: 'The agent has a tool that presses keys and does not use it',
      category: 'instruction_breach',
      party: 'agent',
      outside: false,
      recommendation: 'Write at {place}: when a menu asks for a key, press the one that leads to a person.',
      evidence: (facts) =>
        typeof facts['keyTools'] === 'number' && facts['keyTools'] > 0
          ? 'This version has a tool that presses keys, and it was not called.'
          : null,
    },
  ],
  check: 'Give {place} a tool that presses keys, and say which way leads to a person.',
});

export const SILENCE_TIMEOUT_END = entry({
  code: 'silence_timeout_end',
  meaning: false,
  title: 'Agent fell silent until the call ended',
  klass: 'technical',
  lane: 'speaking',
  severity: 'high',
  needs: ['words_of_the_talk', 'end_reason'],
  fact: true,
  ending: true,
  isNot: 'Silence of the caller after a question or a goodbye of the agent.',
  check: 'See whether the model answered at all at {place}: its log, and the tools that were running.',
});
