import type { OutcomeReading } from '../calls/outcome.ts';
import type { SpokenTurn } from '../calls/spoken-turn.ts';
import { cutText } from '../calls/text.ts';
import { missingNodes, missingPhrases } from '../signals/needs.ts';
import { quoteTurn, storedText } from '../signals/quotes.ts';
import type { CallReading } from '../signals/reading.ts';
import { findPhrase } from '../tests/find-phrase.ts';
import { differenceOf } from '../tests/same-argument.ts';
import { enteringOf, NO_TOOLS, turnOf, usesOf } from './scope.ts';
import type { Gap, WatchExpectation } from './watch.ts';
import { agrees, holdsWord, sentencesOf } from './words.ts';

/** Whether it happened on the call, and what shows it. `turn` null: nothing but its absence. */
export interface Happening {
  happened: boolean;
  turn: number | null;
  quote: string;
  because: string;
  /** Set where nothing but the call's outcome decided. */
  byOutcome?: true;
}

/** `beside`: the call never came to where it would be asked. */
type Found = Happening | Gap | { beside: string };

const QUOTE_AT_MOST = 240;
const yes = (turn: number, quote: string, because: string): Happening => ({ happened: true, turn, quote, because });
const no = (because: string): Happening => ({ happened: false, turn: null, quote: '', because });

/** @param from only what stands at this turn or behind it counts. */
export function expectedOn(expectation: WatchExpectation, reading: CallReading, from: number): Found {
  switch (expectation.kind) {
    case 'tool_called':
      return toolCalled(expectation.tool, reading, from);
    case 'tool_called_with':
      return calledWith(expectation, reading, from);
    case 'tool_called_before':
      return calledBefore(expectation, reading);
    case 'says':
      return 'act' in expectation
        ? promised(expectation.about, reading, from)
        : agentSaid(expectation.text, reading, from);
    case 'asks_for':
      return askedFor(expectation, reading, from);
    case 'reaches': {
      const missing = missingNodes(reading);
      if (missing) return { gap: missing.reason };
      const entered = enteringOf(expectation.step, reading, from);
      return entered
        ? yes(entered.turn, '', `The call came to "${entered.label}".`)
        : no(`The call never came to "${expectation.step}".`);
    }
    case 'outcome':
      return endedAs(expectation.outcome, reading, from);
    case 'ends_within': {
      const { durationMs } = reading.call;
      if (durationMs <= 0) return { gap: 'The record does not say how long this call lasted.' };
      const because = `The call lasted ${Math.round(durationMs / 1000)} s.`;
      return { happened: durationMs <= expectation.seconds * 1000, turn: reading.lastIndex, quote: '', because };
    }
    case 'judged':
      return { gap: 'Only a model can judge this.' };
    default:
      return expectation satisfies never;
  }
}

function toolCalled(tool: string, reading: CallReading, from: number): Found {
  if (reading.tools.length === 0) return NO_TOOLS;
  const use = usesOf(tool, reading).find((one) => turnOf(one) >= from);
  return use ? yes(turnOf(use), use.name, `The agent called ${use.name}.`) : no(`The agent did not call ${tool}.`);
}

function calledWith(
  { tool, args }: Extract<WatchExpectation, { kind: 'tool_called_with' }>,
  reading: CallReading,
  from: number,
): Found {
  if (reading.tools.length === 0) return NO_TOOLS;
  const uses = usesOf(tool, reading).filter((use) => use.callTurn !== null && use.callTurn >= from);
  if (uses.length === 0) return { beside: `The agent did not call ${tool}.` };
  const differences = uses.map((use) => ({ use, difference: differenceOf(args, use.args) }));
  const match = differences.find(({ difference }) => difference === null);
  const quote = (use: (typeof uses)[number]) => cutText(storedText(use.args), QUOTE_AT_MOST);
  if (match) return yes(turnOf(match.use), quote(match.use), `The agent called ${tool} with these values.`);
  if (differences.some(({ difference }) => difference?.sameness === 'unclear')) {
    return { gap: `It can't be told whether the values that ${tool} was called with are these.` };
  }
  const [first] = uses;
  const path = differences[0]?.difference?.path ?? '';
  return {
    happened: false,
    turn: first ? turnOf(first) : null,
    quote: first ? quote(first) : '',
    because: `The agent called ${tool} with another "${path}".`,
  };
}

function calledBefore(
  { tool, before }: Extract<WatchExpectation, { kind: 'tool_called_before' }>,
  reading: CallReading,
): Found {
  if (reading.tools.length === 0) return NO_TOOLS;
  const [later] = usesOf(before, reading);
  if (later === undefined) return { beside: `The agent did not call ${before}.` };
  const order = reading.tools.indexOf(later);
  const earlier = usesOf(tool, reading).find((use) => reading.tools.indexOf(use) < order);
  if (earlier) return yes(turnOf(earlier), earlier.name, `The agent called ${tool} before ${before}.`);
  const because = `The agent called ${before} without calling ${tool} before.`;
  return { happened: false, turn: turnOf(later), quote: later.name, because };
}

function agentSaid(text: string, reading: CallReading, from: number): Found {
  const shown = cutText(text, 120);
  for (const { turn, index } of reading.agent) {
    const quote = index >= from ? findPhrase(turn.text, text) : null;
    if (quote !== null) return yes(index, quote, `The agent said "${shown}".`);
  }
  return no(`The agent never said "${shown}".`);
}

const PROMISES = /\b(?:promise|guarantee|guaranteed|assure|will|gonna|going to|definitely)\b|\w['’]ll\b/i;
const IS_NO_PROMISE =
  /\b(?:can(?:no|['’])t|cannot|won['’]t|not|never|unable|try|might|may|if|whether|when|should|unless|you(?:['’]ll| will) (?:need|have to))\b|\?/i;

/** A sentence about it in the future, or with the word itself, that denies nothing and hangs on nothing. */
function promised(about: readonly string[], reading: CallReading, from: number): Found {
  const missing = missingPhrases(reading);
  if (missing) return { gap: missing.reason };
  for (const { turn, index } of reading.agent) {
    if (index < from) continue;
    const sentence = sentencesOf(turn.text).find(
      (one) => PROMISES.test(one) && !IS_NO_PROMISE.test(one) && (about.length === 0 || holdsWord(one, about)),
    );
    if (sentence !== undefined) return yes(index, cutText(sentence, QUOTE_AT_MOST), 'The agent promised it.');
  }
  return no('The agent promised nothing of it.');
}

function askedFor(
  expectation: Extract<WatchExpectation, { kind: 'asks_for' }>,
  reading: CallReading,
  from: number,
): Found {
  const { before } = expectation;
  let until = Number.MAX_SAFE_INTEGER;
  if (before !== null) {
    if (reading.tools.length === 0) return NO_TOOLS;
    const [use] = usesOf(before, reading);
    if (use === undefined) return { beside: `The agent did not call ${before}.` };
    until = turnOf(use);
  }
  const spoken = reading.spoken.filter(({ index }) => index >= from && index < until);
  const then = before === null ? '' : ` before calling ${before}`;
  const at =
    before === null ? { turn: null, quote: '' } : { turn: until, quote: usesOf(before, reading)[0]?.name ?? '' };
  if ('confirmation' in expectation) {
    const missing = missingPhrases(reading);
    if (missing) return { gap: missing.reason };
    const asked = spoken.findLast((turn, order) => isReadBack(turn) && spoken.slice(order + 1, order + 3).some(isYes));
    if (asked) return yes(asked.index, quoteTurn(asked), `The agent asked, and the caller agreed${then}.`);
    return { happened: false, ...at, because: `The caller was not asked to confirm${then}.` };
  }
  const { words } = expectation;
  const named = words.join(' ');
  const asked = spoken.find((turn) => asks(turn) && holdsWord(turn.turn.text, words));
  if (asked) return yes(asked.index, quoteTurn(asked), `The agent asked for the ${named}${then}.`);
  const told = spoken.find(({ role, turn }) => role === 'caller' && holdsWord(turn.text, words));
  if (told) return yes(told.index, quoteTurn(told), `The caller said the ${named} themselves${then}.`);
  // A question behind the greeting can be put in words that no rule knows; then the answer is all that shows it.
  const answered = spoken.some(
    ({ role, newSlots }, order) => role === 'caller' && newSlots > 0 && order > 1 && spoken[order - 1]?.asks,
  );
  if (answered) return { gap: `The ${named} may have been asked for in other words.` };
  return { happened: false, ...at, because: `The agent did not ask for the ${named}${then}.` };
}

const asks = ({ role, asks: question }: SpokenTurn) => role === 'agent' && question;
/** A question, or "if that's right" without a mark. */
const isReadBack = (turn: SpokenTurn) =>
  asks(turn) || (turn.role === 'agent' && holdsWord(turn.turn.text, ['right', 'correct', 'okay', 'ok']));
const isYes = (turn: SpokenTurn) => turn.role === 'caller' && agrees(turn);

/** A hand-over that was begun counts, also where nobody took it: the agent did its part. */
function endedAs(outcome: OutcomeReading['outcome'], reading: CallReading, from: number): Found {
  const transfer = reading.tools.find((use) => use.effect === 'transfer' && turnOf(use) >= from);
  if (outcome === 'transferred' && transfer) {
    return yes(turnOf(transfer), transfer.name, 'The agent handed the call over.');
  }
  const read = reading.outcome();
  if (read.outcome === null) return { gap: 'How the call ended could not be told.' };
  const turn = read.reason.turns.at(-1) ?? null;
  const happened = read.outcome === outcome;
  const because = `The call ended as ${read.outcome}.`;
  return { happened, turn: happened ? turn : null, quote: '', because, byOutcome: true };
}
