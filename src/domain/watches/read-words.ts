import type { AgentConfiguration, NodeDefinition } from '../versions/configuration.ts';
import { OUTCOMES, type Outcome, type Polarity } from '../vocabulary.ts';
import { readRule, withoutReminders } from './read-rule.ts';
import type { WatchExpectation, WatchForm, WatchScope } from './watch.ts';
import { matterOf } from './words.ts';

/** What a person says: in words, and for either part in code where they know it. */
export interface WatchInWords {
  scope: { text: string; code: WatchScope | null };
  expectation: { text: string; polarity: Polarity | null; code: WatchExpectation | null };
}

/** What the words can be about. */
export interface KnownToAgent {
  configuration: Pick<AgentConfiguration, 'tools'> & { nodes: readonly Pick<NodeDefinition, 'id' | 'label'>[] };
  /** Slugs and labels of the agent's intents. */
  intents: readonly { slug: string; label: string }[];
}

/** What rules made of the words, and what they could not put into code. */
export interface ReadWords {
  form: WatchForm;
  unread: string[];
}

/**
 * Puts a person's words into the form that code decides. Where the expectation can't be put into code it is one that only
 * a model can judge; where there is more in the words than one expectation, the rest is said and nothing is left out.
 */
export function readWords(words: WatchInWords, known: KnownToAgent): ReadWords {
  const { scope, expectation } = words;
  const polarity = expectation.polarity ?? (FORBIDS.test(withoutReminders(expectation.text)) ? 'must_not' : 'must');
  const scopeCode = scope.code ?? readScope(scope.text, known);
  const code = expectation.code ?? readExpectation(expectation.text, known);
  if (code !== null) {
    return { form: { scope: scopeCode ?? ALL, expectation: code, polarity }, unread: unreadScope(scopeCode, words) };
  }
  return readAsRule(words, { scopeCode, polarity }, known);
}

const ALL: WatchScope = { kind: 'all_calls' };
const FORBIDS =
  /\b(?:never|do not|don['’]t|must not|mustn['’]t|may not|should not|shouldn['’]t|under no circumstances)\b/i;
const ORDERS = /\b(?:must|always|make sure|be sure to|required to|only ever)\b/i;

const unreadScope = (scope: WatchScope | null, words: WatchInWords) => (scope === null ? [words.scope.text] : []);

/** As the agent's own text is read: "If …, always …". */
function readAsRule(
  words: WatchInWords,
  read: { scopeCode: WatchScope | null; polarity: Polarity },
  { configuration }: KnownToAgent,
): ReadWords {
  const { scopeCode, polarity } = read;
  const { text } = words.expectation;
  const isOrder = FORBIDS.test(text) || ORDERS.test(text);
  const order = isOrder ? text : `${polarity === 'must' ? 'Always' : 'Never'} ${asRest(text)}`;
  const scopeText = words.scope.text.trim();
  const line = scopeCode === null && scopeText !== '' ? `${asCondition(scopeText)}, ${order}` : order;
  const { forms, unread } = readRule(line, configuration);
  const [form, ...others] = forms.map((read) => read.form);
  if (form === undefined) {
    const judged = { kind: 'judged', text: line } as const;
    return { form: { scope: scopeCode ?? ALL, expectation: judged, polarity: 'must' }, unread: [text] };
  }
  const more = others.map(({ expectation }) => `a second expectation (${expectation.kind})`);
  const scope = words.scope.code ?? (form.scope.kind === 'all_calls' ? (scopeCode ?? form.scope) : form.scope);
  return { form: { ...form, scope }, unread: [...unread, ...more] };
}

/** Within a sentence; what begins with an abbreviation stays. */
const asRest = (text: string) => text.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (first) => first.toLowerCase());

const asCondition = (text: string) => (/^(?:if|when|whenever|once|after|before)\b/i.test(text) ? text : `If ${text}`);

const EVERY = /^(?:(?:all|every|each|any)(?: of the)? calls?|always|everywhere|on (?:all|every) calls?)?[.!]?$/i;
const ABOUT = /\b(?:calls? |callers? )?(?:about|asking (?:for|about)|with the intent)\s+["“]?(.{1,200}?)["”]?[.!]?$/i;
const REACHES =
  /\b(?:reach(?:es|ed)?|come(?:s)? to|came to|gets? to|go(?:es)? to)\s+(?:the\s+)?(?:step\s+)?["“]?(.{1,200}?)["”]?(?:\sstep)?[.!]?$/i;
const ENDS_AS = /\b(?:end(?:s|ed)?|outcome)\s+(?:(?:as|is|with|in)\s*)?["“]?([a-z_ ]{1,40}?)["”]?[.!]?$/i;
const CALLER_SAYS = /\bcallers?\s+(?:says?|said|mentions?)\s+["“]([^"”]{2,300})["”]/i;

/** Null where the words have to be read together with the expectation, or by nobody. */
function readScope(text: string, known: KnownToAgent): WatchScope | null {
  const plain = text.trim();
  if (EVERY.test(plain)) return ALL;
  const said = CALLER_SAYS.exec(plain)?.[1];
  if (said !== undefined) return { kind: 'caller_said', text: said };
  const step = stepIn(REACHES.exec(plain)?.[1], known);
  if (step !== null) return { kind: 'step_reached', step };
  const outcome = outcomeIn(ENDS_AS.exec(plain)?.[1]);
  if (outcome !== null) return { kind: 'outcome', outcome };
  const about = ABOUT.exec(plain)?.[1]?.toLowerCase();
  const intent = known.intents.find(({ slug, label }) => about === slug.toLowerCase() || about === label.toLowerCase());
  return intent ? { kind: 'intent', intent: intent.slug } : null;
}

const WITHIN =
  /\b(?:ends?|lasts?|is over|finish(?:es)?|hangs? up)\b.{0,40}?\b(?:within|in under|in less than|at most|less than|under|no longer than)\s+(\d{1,4})\s*(seconds?|secs?|s|minutes?|mins?|min)\b/i;
const ASKS =
  /^\W*(?:(?:the )?agent )?(?:(?:must|should|always|never|not|do not)\s+)*asks?(?: (?:the )?callers?)? for\s+(?:the\s+|their\s+|a\s+)?(.{2,80}?)[.!]?$/i;

/** Forms that a person writes and an agent's own text seldom does. */
function readExpectation(text: string, known: KnownToAgent): WatchExpectation | null {
  const within = WITHIN.exec(text);
  if (within) {
    const amount = Number(within[1]);
    return { kind: 'ends_within', seconds: /^s/i.test(within[2] ?? '') ? amount : amount * 60 };
  }
  const step = stepIn(REACHES.exec(text)?.[1], known);
  if (step !== null) return { kind: 'reaches', step };
  const outcome = outcomeIn(ENDS_AS.exec(text)?.[1]);
  if (outcome !== null) return { kind: 'outcome', outcome };
  const asked = /\bbefore\b/i.test(text) ? undefined : ASKS.exec(text)?.[1];
  const words = asked === undefined ? [] : matterOf(asked);
  return words.length > 0 && words.length <= 4 ? { kind: 'asks_for', words, before: null } : null;
}

function stepIn(named: string | undefined, { configuration }: KnownToAgent): string | null {
  const wanted = named?.trim().toLowerCase();
  const step = configuration.nodes.find(
    ({ id, label }) => wanted === id.toLowerCase() || wanted === label.toLowerCase(),
  );
  return step?.label ?? null;
}

function outcomeIn(named: string | undefined): Outcome | null {
  const wanted = named?.trim().toLowerCase().replaceAll(' ', '_');
  return OUTCOMES.find((outcome) => outcome === wanted) ?? null;
}
