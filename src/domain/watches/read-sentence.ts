import type { ToolDefinition } from '../versions/configuration.ts';
import type { Polarity } from '../vocabulary.ts';
import { type Amount, boundsOf, takeAmount } from './amounts.ts';
import { type Named, Sentence } from './grammar.ts';
import { takeOutcome, takeScope } from './read-scope.ts';
import { signalIn } from './signal-words.ts';
import type { SaidAt, WatchExpectation, WatchForm, WatchScope } from './watch.ts';

/** A sentence with `«0»`, `«1»` … in the place of what stood in quotation marks. */
export interface Masked {
  text: string;
  quotes: readonly string[];
}

/** What was made of one sentence. */
export interface SentenceReading {
  /** One, or one for each of several tools that have to wait for the same; none where code decides nothing of it. */
  forms: WatchForm[];
  /** Its words, in order, that nothing was made of; the forms leave them out. */
  unread: string[];
  /** Whether the sentence itself orders or forbids something; null where it only states. */
  stated: Polarity | null;
  /** The calls that it is about, as far as they were read. */
  scope: WatchScope | null;
}

interface How {
  /** Given beside the words. */
  polarity: Polarity | null;
  /** A person writes what is expected; an agent's own text also says how things are done. */
  isPerson: boolean;
}

const REMINDS =
  /\b(?:never|do not|don['’]t|must not|mustn['’]t|should not|shouldn['’]t) (?:forget|fail|neglect|omit) to\b/gi;
const ENCOURAGES = /\b(?:never|do not|don['’]t|should not|shouldn['’]t) hesitate to\b/gi;
/** What need not be done is neither ordered nor forbidden. */
const WAIVES =
  /(?:\b(?:(?:do|does) not|don['’]t|doesn['’]t) (?:have|need) to\b|\bneed(?: not|n['’]t)\b|\bno need to\b|(?:\bnot|n['’]t) (?:required|necessary)\b)(?: always\b)?|(?:\bnot|n['’]t) always\b/gi;

/** Reads a sentence into scope, polarity, order, count, time and wording, each from words that nothing else is read from. */
export function readSentence({ text, quotes }: Masked, named: Named, how: How): SentenceReading {
  // "Never forget to …" orders, and "do not hesitate to …" allows.
  const bound = text.replaceAll(REMINDS, 'always').replaceAll(ENCOURAGES, 'you can');
  const binding = bound.replaceAll(WAIVES, ' ');
  if (binding !== bound) {
    const stated = takePolarity(new Sentence(binding, quotes, named));
    return { forms: [], unread: new Sentence(bound, quotes, named).unread(), stated, scope: null };
  }
  const sentence = new Sentence(bound, quotes, named);
  const scope = takeScope(sentence, false);
  const stated = takePolarity(sentence);
  const given = { polarity: how.polarity ?? stated ?? 'must', isPerson: how.isPerson, named, scope };
  const ordered = scope === null ? takeOrder(sentence, given) : null;
  const read = ordered ?? readCore(sentence, given);
  return { ...read, stated, scope };
}

interface Given {
  polarity: Polarity;
  isPerson: boolean;
  named: Named;
  scope: WatchScope | null;
}
type Read = Pick<SentenceReading, 'forms' | 'unread'>;

const FORBIDS = [
  'under no circumstances',
  'must|should|may|can|shall|will|would|do|does|did not ever?',
  "mustn't|shouldn't|don't|doesn't|can't|cannot|won't|shan't",
  'never ever?',
  'not',
  'no',
];
const ORDERS = ['must|always|should|shall|need|needs|required|ought|supposed|ensure', 'make|be sure'];

/** The one word that forbids, or those that order; a second one that forbids stays unread. */
function takePolarity(sentence: Sentence): Polarity | null {
  // "No more than" and "not longer than" bound a figure.
  const forbids = sentence.has('no|not more|longer|later') ? FORBIDS.slice(0, -2) : FORBIDS;
  const isForbidden = sentence.take(...forbids) !== null;
  let isOrdered = false;
  while (sentence.take(...ORDERS)) isOrdered = true;
  return isForbidden ? 'must_not' : isOrdered ? 'must' : null;
}

const CALL = 'call|use|using|run|invoke|trigger';
const BEFORE = ['before', 'prior'];

/** "Call A before B", "before B ask for X", "confirm before B", and "never B before …": asked of the calls that came to B. */
function takeOrder(sentence: Sentence, { polarity }: Given): Read | null {
  if (polarity === 'must' && sentence.take('before|prior hang|hanging up', 'before|prior end|ending')) return null;
  const isLeading = polarity === 'must' && sentence.beginsWith(...BEFORE);
  const leading = isLeading ? sentence.take(`before|prior ${CALL}? <tool>`) : null;
  const parts = leading
    ? null
    : sentence.split(...BEFORE, ...(polarity === 'must' ? [] : ['until', 'without', 'unless']));
  if (leading === null && parts === null) return null;
  const isTurned = polarity === 'must_not';
  const [first, later] = parts === null ? [sentence, null] : isTurned ? [parts[1], parts[0]] : parts;
  const tools = [...(leading?.tools ?? [])];
  const more = later ?? sentence;
  for (let found = takeTool(more, later === null); found; found = takeTool(more, later === null)) tools.push(...found);
  // "Never … before" something that is no tool allows it somewhere: neither the one nor the other is forbidden by itself.
  if (tools.length === 0) return { forms: [], unread: unreadOf(first, later) };
  const expectation = firstOf(first, tools[0]?.name ?? '');
  const forms = expectation === null ? [] : tools.map(({ name }) => movedTo(expectation, name));
  return { forms, unread: unreadOf(first, later) };
}

const unreadOf = (...parts: (Sentence | null)[]) => parts.flatMap((part) => part?.unread() ?? []);

/** @param isList only what "or" joins to the tool before. */
function takeTool(sentence: Sentence, isList: boolean): readonly ToolDefinition[] | null {
  const found = isList
    ? sentence.take('or <tool>')
    : sentence.take(`${CALL} <tool>`, '<tool> called|used|run', '<tool>');
  return found?.tools ?? null;
}

/** What comes first is the same for each of several tools. */
function movedTo(expectation: WatchExpectation, tool: string): WatchForm {
  const moved = 'before' in expectation ? { ...expectation, before: tool } : expectation;
  return { scope: { kind: 'tool_called', tool }, expectation: moved, polarity: 'must' };
}

const CONFIRMS = [
  'confirm|confirmed|confirmation|consent|agree|agreement|approval',
  'read|reading|repeat back',
  'say|says yes',
];
const ASKS = 'ask|collect|get|getting|gather|obtain|know|knowing|take|taking';

/** What has to come first. */
function firstOf(first: Sentence, before: string): WatchExpectation | null {
  const quoted = takeQuoted(first);
  if (quoted) return { ...quoted, before };
  // "Verify_identity" is a tool, "confirm the date" asks the caller: a tool's name goes before words of asking.
  const named = first.take(`${CALL} <named> first?`, '<named> called|used|run first?', '<named> first?');
  const [tool] = named?.tools ?? [];
  if (tool) return tool.name === before ? null : { kind: 'tool_called_before', tool: tool.name, before };
  const confirms =
    first.take(...CONFIRMS) ??
    (first.has('read|repeat <word> back') || first.has('read|repeat <word> <word> back')
      ? first.take('read|repeat')
      : null);
  if (confirms) {
    first.take('back');
    const of = first.takeRest(4);
    return { kind: 'asks_for', confirmation: true, before, ...(of && { of }) };
  }
  if (first.take(`${ASKS} about?`)) {
    const words = first.takeRest(4);
    return words && { kind: 'asks_for', words, before };
  }
  const meant = first.take('<tool> first?')?.tools[0];
  return meant && meant.name !== before ? { kind: 'tool_called_before', tool: meant.name, before } : null;
}

interface Core {
  expectation: WatchExpectation;
  /** Where the words are turned round: "never more than twice" must be twice at most. */
  polarity?: Polarity;
  uses?: 'amount' | 'at';
}

interface Parts extends Given {
  amount: Amount | null;
  at: SaidAt | null;
}

function readCore(sentence: Sentence, given: Given): Read {
  const { scope, polarity } = given;
  const quoted = takeQuoted(sentence);
  const at = takeAt(sentence);
  const amount = takeAmount(sentence);
  const core: Core | null = quoted
    ? { expectation: quoted, uses: 'at' as const }
    : firstCore(sentence, { ...given, at, amount });
  const unread = [
    ...sentence.unread(),
    ...(amount && core?.uses !== 'amount' ? [amount.text] : []),
    ...(at && core?.uses !== 'at' ? [`at the ${at}`] : []),
  ];
  if (core === null) return { forms: [], unread };
  const { expectation, polarity: turned = polarity } = core;
  const said = at && core.uses === 'at' ? { ...expectation, at } : expectation;
  return { forms: [{ scope: scope ?? { kind: 'all_calls' }, expectation: said, polarity: turned }], unread };
}

function takeAt(sentence: Sentence): SaidAt | null {
  if (sentence.take('at|in|from very? beginning|start|outset|greeting|opening', 'in first words|sentence|sentences'))
    return 'start';
  return sentence.take('at|in very? end|closing', 'in last words|sentence|sentences') ? 'end' : null;
}

const SAYS = 'say|saying|said|tell|telling|use|using|mention|answer|read|reading|state|inform|remind|word|words|phrase';

function takeQuoted(sentence: Sentence): { kind: 'says'; text: string; at?: SaidAt } | null {
  const patterns = [
    ['start', 'greet|open|begin|start say|saying|words? <quote>'],
    ['end', 'end|close|finish|conclude say|saying|words? <quote>'],
    [
      null,
      `${SAYS} out|aloud|exactly|verbatim|words|word|phrase|sentence? words|word|phrase? <quote> verbatim|exactly?`,
    ],
  ] as const;
  for (const [at, pattern] of patterns) {
    const text = sentence.peek(pattern)?.quotes[0];
    // A template ("Hello {{name}}", "thanks for calling [business]") is said with something else in its place.
    if (text === undefined || !/[\p{L}\p{N}]/u.test(text) || /[{}[\]<>]|\.\.\.|…/.test(text)) continue;
    sentence.take(pattern);
    return { kind: 'says', text, ...(at && { at }) };
  }
  return null;
}

function firstCore(sentence: Sentence, parts: Parts): Core | null {
  const readers = [
    takeSignal,
    takeMeasure,
    takeHandOver,
    takePromise,
    takeCall,
    ...(parts.isPerson ? [takeEnd, takeAsked, takeNear] : []),
  ];
  for (const read of readers) {
    const core = read(sentence, parts);
    if (core !== null) return core;
  }
  return null;
}

function takeSignal(sentence: Sentence, { polarity, amount, isPerson }: Parts): Core | null {
  if (amount !== null || (polarity === 'must' && !isPerson)) return null;
  const code = signalIn(sentence, polarity);
  return code === null ? null : { expectation: { kind: 'signal', code } };
}

const RESPONDS = 'answer|respond|reply|replies|response|responses|react|reaction|latency';

/** A figure of the call, with its bound. */
function takeMeasure(sentence: Sentence, { amount, polarity }: Parts): Core | null {
  const bounds = amount && boundsOf(amount, polarity);
  if (amount === null || bounds === null) return null;
  const measured = (measure: Extract<WatchExpectation, { kind: 'measure' }>['measure']): Core => ({
    expectation: { kind: 'measure', measure, ...bounds },
    polarity: 'must',
    uses: 'amount',
  });
  switch (amount.unit) {
    case 'usd':
      return sentence.take('cost|costs|costing|price') ? measured('cost_usd') : null;
    case 'turns':
      sentence.take('take|need|last|end|done|finish|over');
      return measured('turns');
    case 'times':
      return sentence.take('interrupt|interruption|interruptions', 'cut|cuts off') ? measured('interruptions') : null;
    case 's': {
      const isMean = sentence.take('average|mean|median') !== null;
      if (
        sentence.take(
          `take|need|wait? ${RESPONDS} time|latency?`,
          'keep|leave waiting',
          'wait|waiting answer|response?',
        )
      ) {
        sentence.take('take|need|be|stay');
        return measured(isMean ? 'mean_response_s' : 'response_s');
      }
      if (isMean) return null;
      if (sentence.take('silence|silences|silent|pause|pauses|quiet', 'dead air')) return measured('silence_s');
      if (!sentence.take('end|ended|last|lasts|lasting|finish|finished|over|done|take|duration', 'hang up'))
        return null;
      if (bounds.atMost === undefined) return measured('duration_s');
      return { expectation: { kind: 'ends_within', seconds: bounds.atMost }, polarity: 'must', uses: 'amount' };
    }
    default:
      return amount.unit satisfies never;
  }
}

const PLACES =
  'desk|reception|office|team|department|line|support|host|staff|service|person|human|colleague|manager|nurse|doctor|dispatcher|dispatch|salon|shop|store|owner';

function takeHandOver(sentence: Sentence, { polarity, scope, isPerson, named }: Parts): Core | null {
  const isAsked = scope?.kind === 'caller_said' || scope?.kind === 'tool_failed';
  if (polarity === 'must' && !isAsked && !isPerson) return null;
  const verb = 'transfer|transferred|forward|escalate|connect';
  if (!sentence.take(verb, 'hand over|off', 'handed over|off', 'put through')) return null;
  if (sentence.peek('with|using|by|via <named>')?.tools[0]?.kind === 'transfer')
    sentence.take('with|using|by|via <named>');
  // With one way out, that is where it goes; what may go elsewhere but not there can't be told.
  if (polarity === 'must' && named.tools.filter(({ kind }) => kind === 'transfer').length <= 1) {
    sentence.take(`to real|live|front|human|help? ${PLACES}`);
  }
  return { expectation: { kind: 'outcome', outcome: 'transferred' } };
}

const PROMISE_TALK = new Set(['anything', 'specific', 'exact', 'certain', 'particular', 'guarantee', 'promise']);

function takePromise(sentence: Sentence, { polarity }: Parts): Core | null {
  if (polarity !== 'must_not' || !sentence.take('promise|guarantee|commit|assure')) return null;
  const about = sentence.takeRest(6) ?? [];
  return { expectation: { kind: 'says', act: 'promises', about: about.filter((word) => !PROMISE_TALK.has(word)) } };
}

function takeCall(sentence: Sentence, { amount, polarity, scope }: Parts): Core | null {
  const withArgs = takeArguments(sentence);
  if (withArgs) return { expectation: withArgs };
  const [tool] = sentence.take(`${CALL} tool? <named> tool?`, '<named> called|used|run|invoked|triggered')?.tools ?? [];
  if (tool === undefined) return null;
  if (scope?.kind === 'tool_failed') sentence.take('again');
  const called = { kind: 'tool_called', tool: tool.name } as const;
  const times = amount?.unit === 'times' ? boundsOf(amount, polarity) : null;
  return times ? { expectation: { ...called, times }, polarity: 'must', uses: 'amount' } : { expectation: called };
}

/** "With party_size 4", "with day "Monday"": of a parameter that the tool has. */
function takeArguments(sentence: Sentence): Extract<WatchExpectation, { kind: 'tool_called_with' }> | null {
  for (const [at, pattern] of ['<quote>', '#', '<word>']
    .map((value) => `${CALL} <named> with <word> ${value}`)
    .entries()) {
    const found = sentence.peek(pattern);
    const [tool] = found?.tools ?? [];
    const [name = '', word = ''] = found?.names ?? [];
    if (found === null || tool === undefined || !hasParameter(tool, name)) continue;
    sentence.take(pattern);
    const spoken = word === 'true' || (word === 'false' ? false : word);
    return {
      kind: 'tool_called_with',
      tool: tool.name,
      args: { [name]: [found.quotes[0] ?? '', found.numbers[0] ?? 0, spoken][at] ?? '' },
    };
  }
  return null;
}

function hasParameter({ parameters }: ToolDefinition, name: string): boolean {
  if (parameters === null || typeof parameters !== 'object' || Array.isArray(parameters)) return false;
  const { properties } = parameters;
  return (
    properties !== null &&
    typeof properties === 'object' &&
    !Array.isArray(properties) &&
    Object.hasOwn(properties, name)
  );
}

function takeEnd(sentence: Sentence): Core | null {
  const step = sentence.take('reach|come|came|get|go|goes step? <step> step?')?.names[0];
  if (step !== undefined) return { expectation: { kind: 'reaches', step } };
  const outcome = takeOutcome(sentence);
  return outcome && { expectation: { kind: 'outcome', outcome } };
}

/** A question that names what it asks for; what the caller is asked to agree to, and why, is a matter of meaning. */
function takeAsked(sentence: Sentence): Core | null {
  if (!sentence.take('ask about?')) return null;
  const words = sentence.takeRest(4);
  return words && { expectation: { kind: 'asks_for', words, before: null } };
}

/** Words that stand for what is said in their place: who mentions "the price" says "forty euros". */
const STAND_IN = new Set('name names price prices date time number address amount cost total day hours'.split(' '));

function takeNear(sentence: Sentence, { polarity, at }: Parts): Core | null {
  const found = sentence.take(
    'say|state|announce|explain|mention|tell|inform|remind|know that',
    'tell|inform|remind about',
    'say|use word|words',
    ...(polarity === 'must' ? ['mention', 'say hello|goodbye|bye|sorry|thanks|welcome'] : []),
  );
  if (found === null) return null;
  const spoken = found.words.find((word) => GREETS.has(word));
  const words = spoken === undefined ? sentence.takeRest(5) : [spoken];
  if (words === null || words.some((word) => STAND_IN.has(word))) return null;
  return { expectation: { kind: 'says', words }, ...(at && { uses: 'at' as const }) };
}

const GREETS = new Set(['hello', 'goodbye', 'bye', 'sorry', 'thanks', 'welcome']);
