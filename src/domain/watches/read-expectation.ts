import type { ToolDefinition } from '../versions/configuration.ts';
import type { Polarity } from '../vocabulary.ts';
import { type Amount, boundsOf, takeAmount } from './amounts.ts';
import type { Sentence } from './grammar.ts';
import { takeOutcome } from './read-scope.ts';
import { CALL, type Given, type Read, takeQuoted } from './sentence-parts.ts';
import { signalIn } from './signal-words.ts';
import type { SaidAt, WatchExpectation } from './watch.ts';

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

/** What is expected, by the first kind of expectation that the words make. */
export function readCore(sentence: Sentence, given: Given): Read {
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
