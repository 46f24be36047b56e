import type { SpokenTurn } from '../acts/spoken-turn.ts';
import type { OutcomeReading } from '../calls/outcome.ts';
import { quoteTurn, storedText } from '../calls/quotes.ts';
import { missingNodes, missingPhrases } from '../signals/needs.ts';
import type { CallReading } from '../signals/reading.ts';
import { findPhrase } from '../tests/find-phrase.ts';
import { differenceOf } from '../tests/same-argument.ts';
import { cutText } from '../text.ts';
import { MEASURES, UNITS } from './in-words.ts';
import { measure } from './measures.ts';
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

export const QUOTE_AT_MOST = 240;
const yes = (turn: number, quote: string, because: string): Happening => ({ happened: true, turn, quote, because });
const no = (because: string): Happening => ({ happened: false, turn: null, quote: '', because });

/** @param from only what stands at this turn or behind it counts. */
export function expectedOn(expectation: WatchExpectation, reading: CallReading, from: number): Found {
  switch (expectation.kind) {
    case 'tool_called':
      return toolCalled(expectation, reading, from);
    case 'tool_called_with':
      return calledWith(expectation, reading, from);
    case 'tool_called_before':
      return calledBefore(expectation, reading);
    case 'says':
      return 'act' in expectation ? promised(expectation.about, reading, from) : agentSaid(expectation, reading, from);
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
    case 'ends_within':
      return isWithin({ kind: 'measure', measure: 'duration_s', atMost: expectation.seconds }, reading);
    case 'measure':
      return isWithin(expectation, reading);
    case 'signal':
      return { gap: 'The signals stored of the call decide this.' };
    case 'judged':
      return { gap: 'Only a model can judge this.' };
    default:
      return expectation satisfies never;
  }
}

function isWithin(expectation: Extract<WatchExpectation, { kind: 'measure' }>, reading: CallReading): Found {
  const measured = measure(expectation.measure, reading, expectation);
  if ('gap' in measured) return measured;
  const { value, turn } = measured;
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = expectation;
  const because = `${MEASURES[expectation.measure]}: ${Math.round(value * 100) / 100}${UNITS[expectation.measure]}.`;
  return { happened: atLeast <= value && value <= atMost, turn, quote: '', because };
}

function toolCalled(
  { tool, times }: Extract<WatchExpectation, { kind: 'tool_called' }>,
  reading: CallReading,
  from: number,
): Found {
  if (reading.tools.length === 0) return NO_TOOLS;
  const uses = usesOf(tool, reading).filter((one) => turnOf(one) >= from);
  const { atLeast = 1, atMost = Number.POSITIVE_INFINITY } = times ?? {};
  // What shows it is the call that is one too many, else the last of those that there are.
  const use = uses[atMost] ?? (times ? uses.at(-1) : uses[0]);
  const least = times?.atLeast ?? (times ? 0 : atLeast);
  const happened = uses.length >= least && uses.length <= atMost;
  const because = times
    ? `The agent called ${tool} ${uses.length === 1 ? 'once' : `${uses.length} times`}.`
    : use
      ? `The agent called ${use.name}.`
      : `The agent did not call ${tool}.`;
  return { happened, turn: use ? turnOf(use) : null, quote: use?.name ?? '', because };
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

/** The agent's turns at its beginning or its end. */
const TURNS_THERE = 2;

function agentSaid(
  expectation: Exclude<Extract<WatchExpectation, { kind: 'says' }>, { act: 'promises' }>,
  reading: CallReading,
  from: number,
): Found {
  const { at } = expectation;
  const before = 'before' in expectation ? expectation.before : undefined;
  const [first] = before === undefined ? [] : usesOf(before, reading);
  if (before !== undefined && reading.tools.length === 0) return NO_TOOLS;
  if (before !== undefined && first === undefined) return { beside: `The agent did not call ${before}.` };
  const until = first === undefined ? Number.MAX_SAFE_INTEGER : turnOf(first);
  const there = at === 'start' ? [0, TURNS_THERE] : at === 'end' ? [-TURNS_THERE] : [0];
  const turns = reading.agent.slice(...there).filter(({ index }) => index < until);
  const shown = 'text' in expectation ? cutText(expectation.text, 120) : expectation.words.join(' ');
  const place = at === undefined ? '' : ` in its ${at === 'start' ? 'first' : 'last'} ${TURNS_THERE} turns`;
  const where = before === undefined ? place : `${place} before calling ${before}`;
  for (const { turn, index } of turns) {
    const quote = index >= from ? saidIn(turn.text, expectation) : null;
    if (quote !== null) return yes(index, quote, `The agent said "${shown}"${where}.`);
  }
  const missing = no(`The agent never said "${shown}"${where}.`);
  if (first !== undefined) return { ...missing, turn: until, quote: first.name };
  return { ...missing, turn: at === undefined ? null : (turns.at(-1)?.index ?? null) };
}

/** The exact words of a turn that are it; null where it holds none. */
function saidIn(text: string, expectation: Parameters<typeof agentSaid>[0]): string | null {
  if ('text' in expectation) return findPhrase(text, expectation.text);
  return expectation.words.every((word) => holdsWord(text, [word])) ? cutText(text, QUOTE_AT_MOST) : null;
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
