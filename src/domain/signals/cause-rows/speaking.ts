import { VALUE } from '../../words/word-bits.ts';
import type { CauseRow } from '../catalogue-entry.ts';
import { AGENT, TURN_TAKING } from '../places.ts';
import { settingOf, toolId } from './evidence.ts';
import { agentsOwn, row, thePlatforms } from './shared.ts';
import { theTool } from './variants.ts';

export const FIRST_WORD_SLOW: readonly CauseRow[] = [
  row(
    {
      code: 'waits_for_tool',
      label: 'The agent waits for a tool',
      category: 'system_failure',
      party: 'tool_owner',
      outside: false,
      recommendation: 'Let the agent greet first and call {target} while it speaks.',
      target: theTool,
    },
    ({ turnIndex }, { tools }) => {
      const first = tools.find((use) => (use.resultTurn ?? use.callTurn ?? turnIndex) < turnIndex);
      return first === undefined ? null : { detail: 'It was called before the greeting.', variant: toolId(first) };
    },
  ),
  row(
    {
      code: 'greeting_by_model',
      label: 'The greeting is made by the model',
      category: 'configuration',
      ...agentsOwn,
      recommendation: 'Give {target} a fixed first sentence: then nothing has to be made up before it.',
      target: () => AGENT,
    },
    (_detection, { configuration }) =>
      configuration !== null && configuration.prompt !== null && (configuration.firstMessage ?? '').trim() === ''
        ? 'The configuration holds no fixed first sentence.'
        : null,
  ),
];

const SPELLED = 3;

export const AGENT_INTERRUPTS_CALLER: readonly CauseRow[] = [
  row(
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
      const parts = turn?.words.filter(
        (word, at) => word.length === 1 || /\d/.test(word) || ((turn.bits[at] ?? 0) & VALUE) !== 0,
      );
      return (parts?.length ?? 0) >= SPELLED
        ? 'The caller was giving a number or spelling when the agent began.'
        : null;
    },
  ),
  row(
    {
      code: 'turn_taken_at_once',
      label: 'The agent is set to take the turn without waiting',
      category: 'configuration',
      ...agentsOwn,
      recommendation: 'Give {target} a longer wait before the agent answers.',
      target: () => TURN_TAKING,
    },
    (_detection, reading) => {
      const setting = settingOf(
        reading,
        /(?:wait_?seconds|endpointing|end_?of_?turn|silence_?ms|on_?(?:no_?)?punctuation_?seconds)$/i,
      );
      const value = setting === null ? Number.NaN : Number(setting.value.replaceAll('"', ''));
      return setting !== null && setting.value !== 'null' && value <= WAIT_AT_LEAST
        ? `The setting "${setting.path}" is ${setting.value}.`
        : null;
    },
  ),
];

/** Seconds; a pause between two words of one sentence is longer than this every now and then. */
const WAIT_AT_LEAST = 0.2;

export const BARGE_IN_IGNORED: readonly CauseRow[] = [
  row(
    {
      code: 'interrupting_off',
      label: 'The agent is set not to be interrupted',
      category: 'configuration',
      ...agentsOwn,
      recommendation: 'Allow interrupting at {target}.',
      target: () => TURN_TAKING,
    },
    (_detection, reading) => {
      const setting = settingOf(
        reading,
        /(?:allow_?interruptions?|interruptions?_?(?:enabled|allowed)|interruptible|interruption_?sensitivity)$/i,
      );
      return setting !== null && /^(?:false|0(?:\.0+)?)$/.test(setting.value)
        ? `The setting "${setting.path}" is ${setting.value}.`
        : null;
    },
  ),
  row(
    {
      code: 'many_words_to_interrupt',
      label: 'It takes many words to interrupt the agent',
      category: 'configuration',
      ...agentsOwn,
      recommendation: 'Lower the number of words that it takes to interrupt, at {target}.',
      target: () => TURN_TAKING,
    },
    (_detection, reading) => {
      const setting = settingOf(reading, /(?:num_?words|min_?interruption_?words|interruption_?words)$/i);
      return setting !== null && Number(setting.value) >= WORDS_TO_INTERRUPT
        ? `The setting "${setting.path}" is ${setting.value}.`
        : null;
    },
  ),
];

const WORDS_TO_INTERRUPT = 3;
const LONG_LINE_WORDS = 35;
const LONG_LINE_MS = 10_000;

export const CALLER_INTERRUPTS_OFTEN: readonly CauseRow[] = [
  row(
    {
      code: 'long_lines_cut',
      label: 'Callers cut off long lines',
      category: 'wording',
      ...agentsOwn,
      recommendation: 'Shorten what {place} says: one thought a turn, then a question.',
    },
    (_detection, reading) => {
      const cuts = reading.timing?.bargeIns ?? [];
      const long = cuts.filter(
        ({ agent }) =>
          (reading.spokenAt.get(agent.index)?.words.length ?? 0) >= LONG_LINE_WORDS ||
          agent.endMs - agent.startMs >= LONG_LINE_MS,
      );
      return cuts.length > 0 && long.length * 2 >= cuts.length
        ? `${long.length} of the ${cuts.length} lines that were cut off are long.`
        : null;
    },
  ),
  row(
    {
      code: 'agent_slow_to_yield',
      label: 'The agent goes on when callers begin to speak',
      category: 'turn_taking',
      ...thePlatforms,
      recommendation: 'Let {target} give way sooner when the caller begins to speak.',
      target: () => TURN_TAKING,
    },
    (_detection, reading) => {
      const cuts = reading.timing?.bargeIns ?? [];
      const slow = cuts.filter(({ yieldMs }) => yieldMs > SLOW_YIELD_MS);
      return cuts.length > 0 && slow.length * 2 >= cuts.length
        ? `After ${slow.length} of ${cuts.length} the agent spoke on for more than ${SLOW_YIELD_MS / 1000} s.`
        : null;
    },
  ),
];

const SLOW_YIELD_MS = 1000;
