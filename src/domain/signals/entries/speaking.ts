import { entry } from '../entry.ts';

export const AGENT_INTERRUPTS_CALLER = entry({
  code: 'agent_interrupts_caller',
  title: 'Agent interrupts',
  klass: 'technical',
  lane: 'speaking',
  severity: 'medium',
  thresholds: { overlapMs: 400, times: 2 },
  needs: ['turn_times'],
  isNot: 'An overlap of a few tenths of a second, or one interruption.',
  check: 'Let {place} wait a little longer before it takes the turn, and look at pauses within numbers and names.',
});

export const BARGE_IN_IGNORED = entry({
  code: 'barge_in_ignored',
  title: 'Agent talks over the caller',
  klass: 'technical',
  lane: 'speaking',
  severity: 'medium',
  thresholds: { yieldMs: 1500, times: 1 },
  needs: ['turn_times'],
  isNot: 'A "yes" or "mhm" of the caller while the agent speaks.',
  check: 'See whether interrupting is allowed at {place}, and how many words it takes.',
});

export const CALLER_INTERRUPTS_OFTEN = entry({
  code: 'caller_interrupts_often',
  title: 'Caller often cuts in',
  klass: 'content',
  lane: 'speaking',
  severity: 'low',
  thresholds: { times: 4 },
  needs: ['turn_times'],
  isNot: 'Short words of agreement while the agent speaks.',
  section: 'improve',
  metric: 'unresolved',
  check: 'Read the lines that callers cut off: what could be said shorter?',
});

export const FALSE_BARGE_IN = entry({
  code: 'false_barge_in',
  meaning: false,
  title: 'Agent stops for a murmur',
  klass: 'technical',
  lane: 'speaking',
  severity: 'low',
  thresholds: { yieldMs: 1000, murmurWords: 2, times: 2 },
  needs: ['turn_times', 'words_of_the_talk'],
  observation: true,
  isNot: 'A caller who cuts in with something to say, or a "yes" as the answer to a question.',
  check: 'See at {place} how many words it takes to interrupt the agent, and whether murmurs are left out.',
});

export const MONOLOGUE = entry({
  code: 'monologue',
  meaning: false,
  title: 'Agent talks too long at a time',
  klass: 'content',
  lane: 'speaking',
  severity: 'low',
  thresholds: { words: 60, turns: 3, share: 0.25, longestMs: 25_000, wordsAtOnce: 90 },
  needs: ['words_of_the_agent', 'spoken_channel'],
  isNot: 'One long explanation, a legal text that has to be read, or a text conversation.',
  // Agents that explain policies do this on a quarter of good calls, so only clearly more than that counts.
  noiseFloor: 0.25,
  section: 'improve',
  metric: 'unresolved',
  selfCause: true,
  selfLabel: 'The agent puts too much into one turn',
  check: 'Shorten what {place} says: one thought a turn, then a question.',
});

export const TALK_RATIO_HIGH = entry({
  code: 'talk_ratio_high',
  title: 'Agent talks most of the time',
  klass: 'content',
  lane: 'speaking',
  severity: 'low',
  thresholds: { share: 0.75, callMs: 60_000 },
  needs: ['turn_times'],
  suspected: true,
  isNot: 'A short call, or a caller who asked to be told something.',
  section: 'improve',
  metric: 'unresolved',
  selfCause: true,
  selfLabel: 'The agent leaves callers too little time to speak',
  check: 'See which lines of {place} can be shorter.',
});

export const SPEECH_TOO_FAST = entry({
  code: 'speech_too_fast',
  title: 'Agent speaks too fast',
  klass: 'content',
  lane: 'speaking',
  severity: 'low',
  thresholds: { wordsPerMinute: 190 },
  needs: ['times_of_the_agent'],
  isNot: 'One quick sentence.',
  section: 'improve',
  metric: 'unresolved',
  selfCause: true,
  selfLabel: 'The speed of the voice is set too high',
  check: 'Change the speed in {place}.',
});

export const SPEECH_TOO_SLOW = entry({
  code: 'speech_too_slow',
  title: 'Agent speaks too slow',
  klass: 'content',
  lane: 'speaking',
  severity: 'low',
  thresholds: { wordsPerMinute: 110 },
  needs: ['times_of_the_agent'],
  isNot: 'A number or a name read out slowly on purpose.',
  section: 'improve',
  metric: 'unresolved',
  selfCause: true,
  selfLabel: 'The speed of the voice is set too low',
  check: 'Change the speed in {place}.',
});

export const FILLER_HEAVY = entry({
  code: 'filler_heavy',
  title: 'Many filler sentences',
  klass: 'content',
  lane: 'speaking',
  severity: 'low',
  thresholds: { share: 0.3, turns: 4 },
  needs: ['words_of_the_agent'],
  isNot: 'One sentence of waiting before each look-up of a long call.',
  section: 'improve',
  metric: 'unresolved',
  check: 'See whether the waiting is real at {place}: which tool runs, and how long?',
});
