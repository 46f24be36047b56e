import { entry } from '../entry.ts';
import { numberOf } from '../tool-causes.ts';

const LOW_CONFIDENCE = 0.6;

export const CALLER_TURN_EMPTY = entry({
  code: 'caller_turn_empty',
  title: 'Caller spoke, nothing heard',
  klass: 'technical',
  lane: 'hearing',
  severity: 'medium',
  thresholds: { spokenMs: 1000 },
  needs: ['turn_times'],
  isNot: 'A cough or a click of less than a second, or a record whose words were removed.',
  check: 'Listen to these moments: quiet speech, noise, or another language?',
});

export const AGENT_ASKED_TO_REPEAT = entry({
  code: 'agent_asked_to_repeat',
  title: 'Agent asks to repeat',
  klass: 'technical',
  lane: 'hearing',
  severity: 'medium',
  thresholds: { times: 2 },
  needs: ['words_of_the_agent'],
  isNot: 'One question for a name to be spelt, or a read-back that asks for a yes.',
  causes: [
    {
      code: 'recogniser_unsure',
      label: 'The recogniser is unsure of what it hears',
      category: 'recognition',
      party: 'platform',
      outside: false,
      recommendation: 'Give the recogniser the words that callers use here, or choose another one, at {place}.',
      evidence: (facts) => {
        const confidence = numberOf(facts['confidence']);
        return confidence !== null && confidence < LOW_CONFIDENCE
          ? `Its confidence in the turns before was ${confidence.toFixed(2)} on average.`
          : null;
      },
    },
  ],
  check: 'Listen to what callers say just before at {place}, and compare it with what was written.',
});

export const CALLER_REPEATED_SELF = entry({
  code: 'caller_repeated_self',
  title: 'Caller had to repeat',
  klass: 'technical',
  lane: 'hearing',
  severity: 'medium',
  thresholds: { alike: 0.8, contentWords: 4, withinTurns: 6 },
  needs: ['words_of_the_talk'],
  isNot: 'An answer to the same question asked again, a short "yes", or a name spelt twice on request.',
  check: 'Listen to the first time that the caller said it: was it heard, and what did the agent answer?',
});

export const LOW_TRANSCRIPT_CONFIDENCE = entry({
  code: 'low_transcript_confidence',
  title: 'Caller badly understood',
  klass: 'technical',
  lane: 'hearing',
  severity: 'medium',
  thresholds: { confidence: 0.6, turns: 3 },
  needs: ['word_times'],
  isNot: 'One muffled word, or a turn of one or two words.',
  check: 'Listen to a few of these turns: noise, an accent, another language, or special words?',
});

export const ENTITY_MISTRANSCRIBED = entry({
  code: 'entity_mistranscribed',
  title: 'Name or number misheard',
  klass: 'technical',
  lane: 'hearing',
  severity: 'high',
  needs: ['words_of_the_talk', 'reader'],
  isNot:
    'A caller who spells with words ("Bravo two"), corrects themselves in one breath, names two different codes, or answers something else.',
  check:
    'Listen to these moments and compare them with what was written; give the recogniser the shape of what is asked for.',
});

export const CORRECTION_NOT_APPLIED = entry({
  code: 'correction_not_applied',
  title: "Caller's correction not taken over",
  klass: 'content',
  lane: 'understanding',
  severity: 'high',
  thresholds: { agentTurns: 6 },
  needs: ['words_of_the_talk'],
  isNot:
    'A caller who goes back to the first value, an old value that is named beside the new one or is all there is to offer, or a tool that rightly works on the old record.',
  check: 'Compare the correction with the arguments of {place}: is a value of the talk kept instead of the last one?',
});

export const READBACK_MISMATCH = entry({
  code: 'readback_mismatch',
  title: 'Value read back wrongly',
  klass: 'content',
  lane: 'hearing',
  severity: 'high',
  thresholds: { charactersApart: 3 },
  needs: ['words_of_the_talk'],
  isNot:
    'Another value that a look-up gave, a read-back that the caller confirms (then the transcript misheard, not the agent), or the last digits alone.',
  check:
    'Compare what the caller spelled with what was read back; let the agent repeat the value as it was written down.',
});

export const STT_PHANTOM_LOOP = entry({
  code: 'stt_phantom_loop',
  meaning: false,
  title: 'Recogniser makes up words',
  klass: 'technical',
  lane: 'hearing',
  severity: 'medium',
  thresholds: { words: 10, repeats: 4, share: 0.7 },
  needs: ['words_of_the_caller'],
  isNot: 'A number spelt digit by digit, or a caller who says "no no no".',
  selfCause: true,
  selfLabel: 'The recognizer writes words that nobody said',
  check: 'Listen to this moment: is there speech at all?',
});

export const DTMF_IGNORED = entry({
  code: 'dtmf_ignored',
  title: 'Key press ignored',
  klass: 'flow',
  lane: 'hearing',
  severity: 'medium',
  thresholds: { turns: 2 },
  needs: ['tool_results', 'flow_nodes'],
  isNot: 'A key that leads to a tool, a step or a transfer within two turns.',
  check: 'See whether key presses are switched on and read at {place}.',
});

export const LANGUAGE_MISMATCH = entry({
  code: 'language_mismatch',
  title: 'Wrong language',
  klass: 'content',
  lane: 'hearing',
  severity: 'high',
  thresholds: { turns: 2 },
  needs: ['words_of_the_talk'],
  isNot: 'A foreign name, a greeting, or one sentence in another language.',
  causes: [
    {
      code: 'one_language_set',
      label: 'The agent is set to one language',
      category: 'setting',
      party: 'agent',
      outside: false,
      recommendation: 'Set {place} to recognise the languages of its callers, or let it offer a person.',
      evidence: (facts) => (typeof facts['set'] === 'string' ? `The version is set to "${facts['set']}".` : null),
    },
  ],
  check: 'See which language {place} is set to, and which ones its callers speak.',
});

export const CALLER_NEVER_HEARD = entry({
  code: 'caller_never_heard',
  meaning: false,
  title: 'Caller never heard',
  klass: 'technical',
  lane: 'hearing',
  severity: 'medium',
  thresholds: { connectedMs: 10_000 },
  needs: ['words_of_the_talk'],
  ending: true,
  isNot: 'A call that never connected, an answering machine, or a caller who hangs up at once.',
  check: 'Listen to these calls: silence, or speech that was not written down?',
});

export const SAID_ALREADY_TOLD = entry({
  code: 'said_already_told',
  title: 'Caller had already told',
  klass: 'content',
  lane: 'understanding',
  severity: 'medium',
  needs: ['words_of_the_talk'],
  isNot: '"As I said" in passing, before the agent has asked for anything twice.',
  check: 'See what the caller had given, and where {place} asks for it again.',
});

export const BACKGROUND_NOISE = entry({
  code: 'background_noise',
  title: "Noise on the caller's line",
  klass: 'technical',
  lane: 'hearing',
  severity: 'low',
  thresholds: { snrDb: 10 },
  needs: ['recording'],
  isNot: 'A line whose pauses the platform mutes: no noise can be measured there.',
  selfCause: true,
  check: 'Listen for traffic, wind, or a television, and switch on the noise suppression of the platform.',
});

export const AUDIO_DROPOUT = entry({
  code: 'audio_dropout',
  title: 'Sound cuts out',
  klass: 'technical',
  lane: 'hearing',
  severity: 'medium',
  thresholds: { perMinute: 1, times: 3 },
  needs: ['recording'],
  isNot: 'Pauses that the platform mutes, or one click.',
  selfCause: true,
  check: 'Listen at these seconds, and see whether they share a carrier, a region, or a time of day.',
});
