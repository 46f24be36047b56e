import { says } from '../../acts/spoken-turn.ts';
import type { CauseRow } from '../catalogue-entry.ts';
import { AGENT, RECOGNISER, TELEPHONY, TURN_TAKING } from '../places.ts';
import { lastBefore, saidBefore, settingOf, sharesValue, textsOf, valuesIn, valuesOfTurn } from './evidence.ts';
import {
  ANSWER_NOT_TAKEN,
  agentsOwn,
  FAILING_TOOL,
  MEASURED_UNSURE,
  recogniserUnsure,
  row,
  thePlatforms,
} from './shared.ts';

const ALIKE = 0.8;
const REPEATED_WITHIN = 8;

const CUT_OFF = row(
  {
    code: 'cut_off_by_agent',
    label: 'The agent begins to speak before the caller has ended',
    category: 'turn_taking',
    ...thePlatforms,
    recommendation: 'Let {target} wait a little longer before the agent takes the turn.',
    target: () => TURN_TAKING,
  },
  ({ turnIndex }, reading) => {
    const turn = reading.spokenAt.get(turnIndex);
    const first = turn === undefined ? null : saidBefore(reading, turn, ALIKE, REPEATED_WITHIN);
    if (first === null) return null;
    const cut = reading.timing?.interruptions.some((one) => !one.together && one.caller.index === first.index) === true;
    return cut ? `The agent spoke into turn ${first.index}, in which the caller said it first.` : null;
  },
);

const SAID_AGAIN_TO_SAME_LINE = row({ ...ANSWER_NOT_TAKEN }, ({ turnIndex }, reading) => {
  const between = lastBefore(reading, 'agent', turnIndex);
  const before = between === null ? null : saidBefore(reading, between, ALIKE, REPEATED_WITHIN);
  if (between === null || before === null) return null;
  return `The agent met it with the line of turn ${before.index} again.`;
});

export const CALLER_REPEATED_SELF: readonly CauseRow[] = [
  recogniserUnsure(({ turnIndex }, reading) => {
    const turn = reading.spokenAt.get(turnIndex);
    return (turn && saidBefore(reading, turn, ALIKE, REPEATED_WITHIN)?.index) ?? null;
  }),
  CUT_OFF,
  FAILING_TOOL,
  SAID_AGAIN_TO_SAME_LINE,
];

export const LOW_CONFIDENCE: readonly CauseRow[] = [
  row(
    {
      code: 'other_language_set',
      label: 'The agent is set to another language than its caller speaks',
      category: 'configuration',
      ...agentsOwn,
      recommendation: 'Set {target} to the languages of its callers.',
      target: () => AGENT,
    },
    (_detection, reading) => {
      const set = reading.configuration?.language?.slice(0, 2).toLowerCase() ?? null;
      if (set === null || reading.language === null || set === reading.language || set === 'mu') return null;
      return `It is set to "${set}", and the talk is in "${reading.language}".`;
    },
  ),
  MEASURED_UNSURE,
];

export const CALLER_TURN_EMPTY: readonly CauseRow[] = [
  row(
    {
      code: 'both_speak_at_once',
      label: 'What callers say while the agent speaks is lost',
      category: 'turn_taking',
      ...thePlatforms,
      recommendation: 'Let {target} give way when the caller begins to speak.',
      target: () => TURN_TAKING,
    },
    ({ turnIndex }, reading) => {
      const timed = reading.timing?.timed ?? [];
      const turn = timed.find((one) => one.index === turnIndex);
      if (turn === undefined) return null;
      const over = timed.find(
        (one) =>
          one.role === 'agent' &&
          Math.min(one.endMs, turn.endMs) - Math.max(one.startMs, turn.startMs) >= (turn.endMs - turn.startMs) / 2,
      );
      return over === undefined ? null : `The agent spoke at the same time, at turn ${over.index}.`;
    },
  ),
];

/** A number that a pause cut in two: it goes on in the caller's next turn. */
const CUT_BY_PAUSE = row(
  {
    code: 'value_cut_by_pause',
    label: 'A pause within a number or a name ends the turn',
    category: 'turn_taking',
    ...thePlatforms,
    recommendation: 'Let {target} wait longer where the agent has asked for a number or a name.',
    target: () => TURN_TAKING,
  },
  ({ turnIndex }, reading) => {
    const turn = reading.spokenAt.get(turnIndex);
    const next = turn && reading.caller.find((one) => one.order > turn.order && one.order <= turn.order + 2);
    if (!turn || !next || !/\d\W*$/.test(turn.turn.text) || !/^\W*\d/.test(next.turn.text)) return null;
    return `It breaks off in a number, which turn ${next.index} goes on with.`;
  },
);

export const ENTITY_MISTRANSCRIBED: readonly CauseRow[] = [
  recogniserUnsure(({ turnIndex }) => turnIndex),
  row(
    {
      code: 'other_reading_was_right',
      label: 'The recogniser had the right reading and chose another',
      category: 'recognition',
      ...thePlatforms,
      recommendation: 'Give {target} the shape of what is asked for, so that it chooses the reading that has it.',
      target: () => RECOGNISER,
    },
    ({ turnIndex }, reading) => {
      const turn = reading.turnAt.get(turnIndex);
      if (!turn?.alternatives?.length) return null;
      const others = turn.alternatives.filter((text) => text.trim() !== turn.text.trim());
      const later = reading.caller.filter((one) => one.index > turnIndex).map(valuesOfTurn);
      const own = valuesIn(turn.text);
      const right = others.find((text) => {
        const values = valuesIn(text).filter((value) => sharesValue([value], own) === null);
        return later.some((said) => sharesValue(values, said) !== null);
      });
      return right === undefined
        ? null
        : `It had also thought of "${right.slice(0, 80)}", which the caller says later.`;
    },
  ),
  CUT_BY_PAUSE,
];

export const READBACK_MISMATCH: readonly CauseRow[] = [
  recogniserUnsure(({ turnIndex }, reading) => lastBefore(reading, 'caller', turnIndex)?.index ?? null),
  CUT_BY_PAUSE,
  row(
    {
      code: 'earlier_value_kept',
      label: 'The agent keeps a value from before',
      category: 'context_lost',
      ...agentsOwn,
      recommendation:
        'Write at {place} that the caller’s last word on a value counts, and let the agent read that back.',
    },
    ({ turnIndex, quote }, reading) => {
      const read = valuesIn(quote);
      const earlier = reading.caller.filter((turn) => turn.index < turnIndex).slice(0, -1);
      const kept = earlier.findLast((turn) => sharesValue(read, valuesOfTurn(turn)) !== null);
      return kept === undefined ? null : `What was read back is what the caller had said at turn ${kept.index}.`;
    },
  ),
];

export const DTMF_IGNORED: readonly CauseRow[] = [
  row(
    {
      code: 'keys_switched_off',
      label: 'Key presses are switched off',
      category: 'configuration',
      ...agentsOwn,
      recommendation: 'Switch key presses on in {target}.',
      target: () => AGENT,
    },
    (_detection, reading) => {
      const setting = settingOf(reading, /(?:dtmf|keypad|key_?press)[a-z_.]{0,80}$/i);
      return setting !== null && /^(?:false|"off"|"disabled")$/i.test(setting.value)
        ? `The setting "${setting.path}" is ${setting.value}.`
        : null;
    },
  ),
  row(
    {
      code: 'keys_lead_nowhere',
      label: 'Nothing says what a key press leads to',
      category: 'missing_path',
      ...agentsOwn,
      recommendation: 'Say at {place} what each key does, or do not offer keys.',
    },
    (_detection, reading) => {
      const texts = textsOf(reading.configuration);
      const isNamed = texts?.some((text) =>
        /\b(?:press(?:es|ed|ing)?|keypad|key ?press|dtmf|digits?|taste|tecla|touche)\b/i.test(text),
      );
      return isNamed === false ? 'Neither prompt nor steps nor tools speak of keys.' : null;
    },
  ),
];

export const CALLER_NEVER_HEARD: readonly CauseRow[] = [
  row(
    {
      code: 'line_failed',
      label: 'The line or a part of the platform failed',
      category: 'system_failure',
      ...thePlatforms,
      outside: true,
      recommendation: 'Look up these calls at the provider of {target}.',
      target: () => TELEPHONY,
    },
    (_detection, { call }) =>
      call.ending.family === 'technical'
        ? `The platform ended the call with "${call.disconnectionReason.slice(0, 80)}".`
        : null,
  ),
  row(
    {
      code: 'speech_not_written',
      label: 'The caller spoke and nothing was written down',
      category: 'recognition',
      ...thePlatforms,
      recommendation: 'Listen to what {target} was given on these calls: another language, noise, or a muted channel.',
      target: () => RECOGNISER,
    },
    (_detection, { call }) => {
      const turns = call.turns.filter(
        ({ role, startMs, endMs }) => role === 'caller' && endMs !== null && startMs !== null,
      );
      const ms = turns.reduce((sum, turn) => sum + ((turn.endMs ?? 0) - (turn.startMs ?? 0)), 0);
      return ms >= 1000 ? `The record holds ${(ms / 1000).toFixed(1)} s of speech of the caller without a word.` : null;
    },
  ),
];

/** Two questions for the same thing, answered in between: at two steps, or at one that does not take the answer. */
export const SAID_ALREADY_TOLD: readonly CauseRow[] = [
  row(
    {
      code: 'two_steps_ask',
      label: 'Two steps ask for the same thing',
      category: 'flow_design',
      ...agentsOwn,
      recommendation: 'Let {place} use what an earlier step was told, and ask only for what is missing.',
    },
    ({ turnIndex }, reading) => {
      const asked = lastBefore(reading, 'agent', turnIndex);
      const before = asked?.asks ? saidBefore(reading, asked, 0.6, 24) : null;
      if (!asked || !before?.asks) return null;
      const [here, there] = [asked, before].map((turn) => reading.nodes.findLast((node) => node.turn <= turn.index));
      if (!here || !there || here.nodeId === there.nodeId) return null;
      return `"${there.label}" had asked nearly the same at turn ${before.index}.`;
    },
  ),
  ANSWER_NOT_TAKEN,
  row({ ...ANSWER_NOT_TAKEN }, ({ turnIndex }, reading) => {
    const asked = lastBefore(reading, 'agent', turnIndex);
    if (asked === null || says(asked, 'ask_repeat')) return null;
    const given = reading.caller.find((turn) => {
      const question = reading.spoken[turn.order - 1];
      if (turn.index >= asked.index || question?.role !== 'agent' || turn.newSlots === 0) return false;
      return asked.content.filter((word) => question.content.includes(word)).length >= WORDS_IN_COMMON;
    });
    return given === undefined ? null : `The caller had given what is asked for at turn ${given.index}.`;
  }),
];

/** A question for the same thing names it: "your tracking number". */
const WORDS_IN_COMMON = 2;
