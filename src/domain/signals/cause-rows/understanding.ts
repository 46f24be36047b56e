import { cutWords } from '../../text.ts';
import type { CauseRow } from '../catalogue-entry.ts';
import { takesUpNothing } from '../off-topic.ts';
import { PROMPT } from '../places.ts';
import { spokenPlaceholders } from '../spoken-placeholders.ts';
import { textOf } from '../tool-causes.ts';
import { lastBefore, lineOn, textsOf, unsureOf } from './evidence.ts';
import { ANSWER_NOT_TAKEN, agentsOwn, FAILING_TOOL, REFUSED, recogniserUnsure, row } from './shared.ts';
import { lineSlug, theLine, theStep } from './variants.ts';

/** More is not taken in at one hearing. */
const WORDS_AT_ONCE = 60;

export const CALLER_DID_NOT_FOLLOW: readonly CauseRow[] = [
  row(
    {
      code: 'placeholder_heard',
      label: 'A placeholder was spoken just before',
      category: 'configuration',
      ...agentsOwn,
      recommendation: 'Fill in or take out the placeholder at {place}.',
    },
    ({ turnIndex }, reading) => {
      const said = lastBefore(reading, 'agent', turnIndex);
      if (said === null) return null;
      return spokenPlaceholders(reading).find((one) => one.turnIndex === said.index)?.detail ?? null;
    },
  ),
  row(
    {
      code: 'too_much_at_once',
      label: 'The agent says too much at a time',
      category: 'wording',
      ...agentsOwn,
      recommendation: 'Shorten what {place} says: one thought a turn, then a question.',
    },
    ({ turnIndex }, reading) => {
      const words = lastBefore(reading, 'agent', turnIndex)?.words.length ?? 0;
      return words > WORDS_AT_ONCE ? `What the agent said just before has ${words} words.` : null;
    },
  ),
  recogniserUnsure(({ turnIndex }, reading) => {
    const said = lastBefore(reading, 'agent', turnIndex);
    return said === null ? null : (lastBefore(reading, 'caller', said.index)?.index ?? null);
  }),
];

/** Words of a line that stands in the prompt are said whatever the caller says. */
const CANNED_WORDS = 6;

export const REPLY_OFF_TOPIC: readonly CauseRow[] = [
  recogniserUnsure(({ turnIndex }, reading) => lastBefore(reading, 'caller', turnIndex)?.index ?? null),
  row(
    {
      code: 'canned_line',
      label: 'A line of the prompt is said whatever the caller says',
      category: 'wording',
      ...agentsOwn,
      recommendation: 'Say at {target} when the line is due, and that what the caller asks comes first.',
      target: theLine,
    },
    ({ turnIndex }, reading) => {
      const turn = reading.spokenAt.get(turnIndex);
      if (turn === undefined || turn.words.length < CANNED_WORDS || !takesUpNothing(reading, turn)) return null;
      const said = ` ${turn.words.join(' ')} `;
      const line = lineOn(reading, (text) => ` ${cutWords(text).words.join(' ')} `.includes(said));
      return line === null
        ? null
        : { detail: 'The reply stands in the prompt word for word.', variant: lineSlug(line) };
    },
  ),
];

export const REQUIRED_PHRASE_MISSING: readonly CauseRow[] = [
  row(
    {
      code: 'step_not_reached',
      label: 'The step that says it is not reached',
      category: 'flow_design',
      ...agentsOwn,
      recommendation: 'Let every way through the flow lead through {target}, or say the wording at an earlier step.',
      target: theStep,
    },
    ({ facts }, { configuration, nodes }) => {
      const words = wordingOf(textOf(facts?.['phrase']));
      if (configuration === null || words === '' || holds(configuration.prompt, words)) return null;
      const saying = configuration.nodes.filter(({ text }) => holds(text, words));
      const [first] = saying;
      if (first === undefined || saying.some(({ id }) => nodes.some(({ nodeId }) => nodeId === id))) return null;
      return { detail: `The wording stands at "${first.label}", which the call did not reach.`, variant: first.id };
    },
  ),
  row(
    {
      code: 'not_told_to_say_it',
      label: 'The agent is not told to say it',
      category: 'instruction_gap',
      ...agentsOwn,
      recommendation: 'Write the wording into {target}, with the moment at which it is due.',
      target: () => PROMPT,
    },
    ({ facts }, { configuration }) => {
      const words = wordingOf(textOf(facts?.['phrase']));
      const texts = textsOf(configuration);
      if (words === '' || texts === null || texts.some((text) => holds(text, words))) return null;
      return 'Neither the prompt nor a step holds the wording.';
    },
  ),
  row(
    {
      code: 'said_in_other_words',
      label: 'The agent says it in other words',
      category: 'wording',
      ...agentsOwn,
      recommendation: 'Write into {place} that the wording is said word for word.',
    },
    ({ facts }, { agent }) => {
      const wanted = new Set(cutWords(textOf(facts?.['phrase'])).words);
      if (wanted.size < CANNED_WORDS) return null;
      const near = agent.find(
        (turn) => new Set(turn.words.filter((word) => wanted.has(word))).size >= wanted.size * 0.6,
      );
      return near === undefined ? null : `Turn ${near.index} has most of its words.`;
    },
  ),
];

const wordingOf = (phrase: string) => cutWords(phrase).words.join(' ');
const holds = (text: string | null, words: string) =>
  text !== null && ` ${cutWords(text).words.join(' ')} `.includes(` ${words} `);

/** The answer went past the question. */
export const QUESTION_UNANSWERED: readonly CauseRow[] = [FAILING_TOOL, ...REPLY_OFF_TOPIC];

export const REASKED_KNOWN_SLOT: readonly CauseRow[] = [
  recogniserUnsure(({ turnIndex }, reading) => lastBefore(reading, 'caller', turnIndex)?.index ?? null),
  ANSWER_NOT_TAKEN,
  {
    code: 'asks_in_fixed_order',
    label: 'The agent asks in a fixed order whatever the caller has said',
    category: 'instruction_gap',
    ...agentsOwn,
    recommendation: 'Write at {place}: before asking for something, see whether the caller has said it already.',
    evidence: (facts) => (facts['by'] === 'same_answer' ? 'The answer only repeats what the caller had said.' : null),
  },
];

/** What came just before a caller was fed up. */
export const CALLER_FRUSTRATED: readonly CauseRow[] = [
  FAILING_TOOL,
  REFUSED,
  ANSWER_NOT_TAKEN,
  row(
    {
      code: 'recogniser_unsure',
      label: 'The recogniser is unsure of what it hears',
      category: 'recognition',
      party: 'platform',
      outside: false,
      recommendation: 'Give {target} the words that callers use here, or choose another recogniser.',
      target: () => ({ kind: 'platform', id: 'speech_recognition', label: 'speech recognition' }),
    },
    ({ turnIndex }, reading) => {
      const before = reading.caller.filter(({ index }) => index < turnIndex).slice(-2);
      return before.map(({ index }) => unsureOf(reading, index)).find((said) => said !== null) ?? null;
    },
  ),
];
