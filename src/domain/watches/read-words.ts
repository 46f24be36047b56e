import type { AgentConfiguration, NodeDefinition } from '../versions/configuration.ts';
import type { Polarity } from '../vocabulary.ts';
import { isBinding, type Named, Sentence } from './grammar.ts';
import { sentencesAround, unmasked } from './read-rule.ts';
import { takeScope } from './read-scope.ts';
import { readSentence } from './read-sentence.ts';
import type { WatchExpectation, WatchForm, WatchScope } from './watch.ts';

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
  /** `judged` where code does not decide all that the words say. */
  form: WatchForm;
  /** What was not read, in the person's own words. */
  unread: string[];
  /** What code would decide without the words that were not read; null where it would decide nothing, or decides all. */
  nearest: WatchForm | null;
}

const ALL: WatchScope = { kind: 'all_calls' };

/**
 * Puts a person's words into the form that code decides. Where words are left over, it is one that only a model can judge,
 * beside the nearest form without them: nothing is left out unsaid.
 */
export function readWords({ scope, expectation }: WatchInWords, known: KnownToAgent): ReadWords {
  const { tools, nodes } = known.configuration;
  const named: Named = { tools, steps: nodes, intents: known.intents };
  const about = scope.code ? { scope: scope.code, unread: [] } : readScope(scope.text, named);
  if (expectation.code) {
    const form = { scope: about.scope ?? ALL, expectation: expectation.code, polarity: expectation.polarity ?? 'must' };
    return { form, unread: about.unread, nearest: about.unread.length > 0 ? form : null };
  }
  const [first, ...others] = sentencesAround(expectation.text);
  const read = readSentence(first ?? { text: '', quotes: [] }, named, {
    polarity: expectation.polarity,
    isPerson: true,
  });
  const joined = joinScopes(about.scope, read.scope);
  const [form, ...more] = read.forms;
  const unread = [
    ...about.unread,
    ...read.unread,
    ...(joined === null ? [scope.text] : []),
    ...more.map(({ scope: again }) => ('tool' in again ? again.tool : again.kind)),
    ...others.map(unmasked),
  ];
  if (form !== undefined) {
    const whole = { ...form, scope: joinScopes(about.scope, form.scope) ?? form.scope };
    if (unread.length === 0) return { form: whole, unread, nearest: null };
    const isNear = about.unread.length === 0 && joined !== null && !read.unread.some(isBinding);
    return { form: judged(joined), unread, nearest: isNear ? whole : null };
  }
  return { form: judged(joined), unread: [expectation.text.trim()], nearest: null };

  function judged(about: WatchScope | null): WatchForm {
    const { text, polarity } = expectation;
    const isForbidden = polarity === 'must_not' && read.stated !== 'must_not';
    const order = isForbidden ? `Never ${asRest(text)}` : text;
    const isUnread = scope.code === null && about === null;
    const line = isUnread && scope.text.trim() !== '' ? `${asCondition(scope.text.trim())}, ${asRest(order)}` : order;
    return { scope: about ?? ALL, expectation: { kind: 'judged', text: line }, polarity: 'must' };
  }
}

/** Which calls are meant; a scope of null where the words say nothing that code can tell. */
function readScope(text: string, named: Named): { scope: WatchScope | null; unread: string[] } {
  const [masked] = sentencesAround(text);
  if (masked === undefined) return { scope: ALL, unread: [] };
  const sentence = new Sentence(masked.text, masked.quotes, named);
  const scope = takeScope(sentence, true);
  if (scope === null) sentence.take('always', 'everywhere');
  const unread = sentence.unread();
  if (scope === null)
    return { scope: unread.length === 0 ? ALL : null, unread: unread.length === 0 ? [] : [text.trim()] };
  return { scope: unread.length === 0 ? scope : null, unread };
}

/** Both at once; null where each is of a kind of its own. */
function joinScopes(one: WatchScope | null, other: WatchScope | null): WatchScope | null {
  if (one === null || other === null) return one ?? other;
  if (one.kind !== 'all_calls' && other.kind !== 'all_calls') return null;
  const base = one.kind === 'all_calls' ? other : one;
  const calls = { ...one.calls, ...other.calls };
  return { ...base, ...(Object.keys(calls).length > 0 && { calls }) };
}

/** Within a sentence; what begins with an abbreviation stays. */
const asRest = (text: string) => text.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (first) => first.toLowerCase());

const asCondition = (text: string) => (/^(?:if|when|whenever|once|after|before)\b/i.test(text) ? text : `If ${text}`);
