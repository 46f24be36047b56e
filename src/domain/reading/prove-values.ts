import { does } from '../acts/act.ts';
import type { ToolUse } from '../calls/tool-uses.ts';
import { splitName } from '../calls/tool-words.ts';
import { argumentLeaves } from '../calls/use-leaves.ts';
import { hasDigit } from '../text.ts';
import { compare } from '../values/same-value.ts';
import { type ProofContext, type Source, saidIn, toolTextOf } from './proof-context.ts';
import {
  type AtTurn,
  anyOf,
  type FindingToProve,
  isCallers,
  isToolText,
  likeness,
  type ProofCheck,
  turnsOf,
} from './proof-form.ts';
import { hasWorked, usesAt } from './prove-tools.ts';
import { lettersOf } from './quotes.ts';
import {
  isFigure,
  mattersOf,
  stemOf,
  stemsOf,
  type Told,
  tellOtherValues,
  tellSame,
  tells,
  tellsAbout,
  tellsAnything,
  toldIn,
} from './told.ts';

/** The caller's correction stands before, and what is quoted does not hold it already. */
export const correction: ProofCheck = (finding, context) => {
  const { turnAt } = context;
  const corrections = turnsOf(finding, context).filter((one) => isCallers(one) && one.turn.index < finding.turn);
  const quoted = toldBy(finding.quote, context);
  const turn = turnAt.get(finding.turn);
  const whole = turn === undefined ? [] : [saidIn(turn), ...toolTextOf(turn)];
  const kept = tellsAnything(quoted) ? quoted : toldBy(whole.join(' '), context);
  return anyOf(corrections, ({ quote }) => {
    const now = toldBy(quote, context).values;
    const isTold = now.length > 0 && now.every((value) => tells(kept, value));
    const isOld = (value: Told['values'][number]) => now.every((one) => compare(one, value) !== 'same');
    return isTold && !kept.values.some((value) => now.some(({ slot }) => slot === value.slot) && isOld(value));
  });
};

/** The caller gave a value before, and what is quoted holds another one of its kind, or words that it can have been taken for. */
export const callerValue: ProofCheck = (finding, context) => {
  const quoted = toldBy(finding.quote, context);
  const given = turnsOf(finding, context).filter((one) => isCallers(one) && one.turn.index < finding.turn);
  return anyOf(given, ({ quote }) => {
    const said = toldBy(quote, context);
    if (!tellsAnything(quoted) || !tellsAnything(said)) return true;
    if (lettersOf(quote) === lettersOf(finding.quote) || tellSame(quoted, said)) return true;
    return (
      !quoted.values.some((one) => said.values.some((other) => compare(one, other) !== 'unrelated')) &&
      !areAlike(quote, finding.quote)
    );
  });
};

/** A word of one resembles a word of the other: it may have been taken for it, or stands beside what was. */
function areAlike(a: string, b: string): boolean {
  const others = mattersOf(b);
  return mattersOf(a).some((word) => others.some((other) => likeness(word, other) >= ALIKE_AS_HEARD));
}

/** "John" and "Joan". */
const ALIKE_AS_HEARD = 0.3;

/** A result that came before says otherwise. */
export const resultValue: ProofCheck = (finding, context) => {
  const quoted = toldBy(finding.quote, context);
  const isResult = ({ turn }: AtTurn) => turn.toolResult !== null && turn.index < finding.turn;
  return anyOf(turnsOf(finding, context).filter(isResult), ({ quote }) => {
    const result = toldBy(quote, context);
    if (!tellsAnything(quoted) || !tellsAnything(result)) return true;
    return tellSame(quoted, result) && tellSame(result, quoted);
  });
};

/**
 * The caller, or a result, had told it before, nothing the caller said between denies it, and the agent asks for it. Who reads
 * the value back to have it confirmed does not ask for it.
 */
export const alreadyTold: ProofCheck = (finding, context) => {
  const isEarlier = (one: AtTurn) => one.turn.index < finding.turn && (isCallers(one) || isToolText(one));
  const asked = toldBy(finding.quote, context);
  const isCallersWord = context.turnAt.get(finding.turn)?.role === 'caller';
  if (!isCallersWord && isNoQuestion(finding.turn, context)) return 'proof_does_not_hold';
  return anyOf(turnsOf(finding, context).filter(isEarlier), ({ turn, quote }) => {
    const told = toldBy(quote, context);
    if (!tellsAnything(told)) return true;
    if (isCallersWord) return !hasAgentSpoken(context, turn.index, finding.turn);
    const isReadBack = told.values.length > 0 && told.values.every((value) => tells(asked, value));
    return isReadBack || isTakenBack(told, context, turn.index, finding.turn);
  });
};

/** Where the language has lists and the record has question marks, a turn without either asks for nothing. */
function isNoQuestion(index: number, { talk }: ProofContext): boolean {
  const { agent, phrasesMissing, spokenAt } = talk();
  const turn = spokenAt.get(index);
  if (phrasesMissing !== null || turn === undefined || turn.asks) return false;
  return !does(turn, 'asks_value', 'asks_again') && agent.some((one) => one.turn.text.includes('?'));
}

function hasAgentSpoken({ talk }: ProofContext, after: number, before: number): boolean {
  return talk().agent.some(({ index }) => index > after && index < before);
}

function isTakenBack({ values }: Told, { talk }: ProofContext, after: number, before: number): boolean {
  const between = talk().caller.filter(({ index }) => index > after && index < before);
  const denied = between.flatMap((turn) => turn.values.filter((value) => value.denied));
  return denied.some((value) => values.some((one) => compare(one, value) === 'same'));
}

/** A result came before, was no failure, and what is quoted of it was neither told nor used afterwards. */
export const unusedResult: ProofCheck = (finding, context) => {
  const { talk, tools } = context;
  const results = turnsOf(finding, context).filter((one) => isToolText(one) && one.turn.index < finding.turn);
  return anyOf(results, ({ turn, quote }) => {
    if (usesAt(turn.index, context).every(({ ok, denied }) => ok === false && !denied)) return true;
    const { values } = toldBy(quote, context);
    const told = talk().agent.filter(({ index }) => index > turn.index);
    const used = tools.filter(({ callTurn }) => callTurn !== null && callTurn > turn.index);
    const later = [...told.map((one) => one.turn.text), ...used.flatMap(argumentTexts)];
    const toldLater = later.map((text) => toldBy(text, context));
    return values.length > 0 && values.every((value) => toldLater.some((one) => tells(one, value)));
  });
};

/**
 * Something of the quote stands in nothing that the agent could have it from: its own text, results, the caller's words. Where
 * that text is not known as a whole, absence shows nothing, and a result or another turn has to speak against it.
 */
export const noSource: ProofCheck = (finding, context) => {
  const quoted = toldBy(finding.quote, context);
  const others = turnsOf(finding, context);
  const asSaid = toldBy(argumentsAsSaid(finding.quote), context);
  if (isOpening(finding.turn, context)) return 'proof_does_not_hold';
  if (others.some((one) => speaksAgainst(one, finding, asSaid, context))) return null;
  if (!isTextKnown(context)) return 'proof_missing';
  const sources = context.sources().filter(({ turn }) => turn < finding.turn);
  // Which of a few words it is ("this morning", "in cash") is no fact by itself.
  const values = quoted.values.filter(({ kind }) => kind !== 'choice');
  const names = [...quoted.names].filter((name) => name.length > LETTERS_OF_A_TITLE);
  if (values.length + names.length > 0) {
    const speaksOfIt = subjectOf(finding, context);
    const isNews = values.some(
      (value) => !sources.some((one) => tellsAbout(one.told, value) && (!isFigure(value) || speaksOfIt(one))),
    );
    const isNewName = names.some((name) => !sources.some(({ told }) => hasBeginning(told.words, name)));
    return isNews || isNewName ? null : 'proof_does_not_hold';
  }
  // Of words that are no figure, time or name, a source that speaks of the same has to be named; what was asked is none.
  const stated = sources.filter(({ turn }) => context.turnAt.get(turn)?.role !== 'caller');
  const isStated = [...quoted.words].every((word) => stated.some(({ told }) => told.words.has(word)));
  const stems = new Set(stemsOf(finding.quote));
  return anyOf(finding.proof, ({ quote }) => isStated || !stemsOf(quote).some((stem) => stems.has(stem)));
};

/** Before the caller has said anything; who calls somebody has something to say by then. */
const isOpening = (turn: number, { call, talk }: ProofContext) =>
  call.direction !== 'outbound' && !talk().caller.some(({ index }) => index < turn);

/**
 * A figure in a line of the agent's text that speaks of something else is no source of it ("10 to 4" of "10 % off"). Where the
 * text shares next to no word with what the agent says, as in another language, any line may be one.
 */
function subjectOf({ turn, quote }: FindingToProve, context: ProofContext): (source: Source) => boolean {
  const { agent, caller } = context.talk();
  const question = caller.findLast(({ index }) => index < turn)?.turn.text ?? '';
  const subject = new Set(stemsOf(`${quote} ${question}`).filter((stem) => !hasDigit(stem)));
  const inText = new Set(stemsOf(context.text.all.join('\n')));
  const spoken = new Set(agent.flatMap((one) => stemsOf(one.turn.text)));
  const isOneLanguage = [...spoken].filter((stem) => inText.has(stem)).length >= WORDS_OF_ONE_LANGUAGE;
  return (source) => {
    if (!isOneLanguage || source.turn >= 0) return true;
    const stems = stemsOf(source.text);
    return stems.length === 0 || stems.some((stem) => subject.has(stem));
  };
}

const WORDS_OF_ONE_LANGUAGE = 3;

/** What an argument counts stands in its name: `"people":4` is four people. */
function argumentsAsSaid(quote: string): string {
  return quote.replaceAll(COUNTED, (_, name: string, count: string) => `${count} ${splitName(name).join(' ')}`);
}

const COUNTED = /"?([\w.-]{1,80})"\s{0,4}:\s{0,4}(\d{1,12})(?![\w.])/g;

/** "Mr", "Dr". */
const LETTERS_OF_A_TITLE = 2;

/** "Curtis's" is Curtis. */
function hasBeginning(words: ReadonlySet<string>, name: string): boolean {
  return words.has(name) || [...words].some((word) => stemOf(word) === stemOf(name));
}

/** A failed result, a value of the same kind that is another one, or what was said of it later. */
function speaksAgainst(
  { turn, quote }: AtTurn,
  { turn: at, quote: said }: FindingToProve,
  quoted: Told,
  context: ProofContext,
): boolean {
  const other = toldBy(quote, context);
  if (tellOtherValues(quoted, other)) return true;
  if (isToolText({ turn, quote })) return usesAt(turn.index, context).some((use) => !hasWorked(use));
  return turn.index > at && !tellSame(quoted, other) && areAlike(quote, said);
}

/** False where no prompt was captured, or what the agent looks up is known by its name alone. */
function isTextKnown({ configuration }: ProofContext): boolean {
  const isTold = configuration?.prompt != null || configuration?.nodes.some(({ text }) => text !== null);
  return isTold === true && (configuration?.knowledge ?? []).length === 0;
}

const argumentTexts = (use: ToolUse) => argumentLeaves(use).map(({ value }) => String(value));

function toldBy(text: string, { talk }: ProofContext): Told {
  return toldIn(text, talk().language);
}
