import type { AgentConfiguration, ToolDefinition } from '../versions/configuration.ts';
import type { Polarity } from '../vocabulary.ts';
import { toolsIn } from './tool-in.ts';
import type { WatchExpectation, WatchForm, WatchScope } from './watch.ts';
import { matterOf } from './words.ts';

/** What rules make of one line of an agent's own text. */
export interface ReadRule {
  /** Each with the sentence that it was read from. */
  forms: { form: WatchForm; sentence: string }[];
  /** Sentences of the line that order something and could not be put into code. */
  unread: string[];
}

const FORBIDS = /\b(?:never|do not|don['’]t|must not|mustn['’]t|may not|under no circumstances)\b/i;
const ORDERS = /\b(?:must|always|make sure|be sure to|required to|only ever)\b/i;

/** What need not be done is neither ordered nor forbidden. */
const WAIVES =
  /(?:\b(?:(?:do|does) not|don['’]t|doesn['’]t) (?:have|need) to\b|\bneed(?: not|n['’]t)\b|\bno need to\b|(?:\bnot|n['’]t) (?:required|necessary)\b)(?: always\b)?|(?:\bnot|n['’]t) always\b/gi;

const REMINDS =
  /\b(?:never|do not|don['’]t|must not|mustn['’]t|should not|shouldn['’]t) (?:forget|fail|neglect|omit) to\b/gi;
const ENCOURAGES = /\b(?:never|do not|don['’]t|should not|shouldn['’]t) hesitate to\b/gi;

/** "Never forget to …" orders, and "do not hesitate to …" allows. */
export const withoutReminders = (text: string) => text.replaceAll(REMINDS, 'always').replaceAll(ENCOURAGES, 'you can');

/** Puts a line into forms that code decides, sentence by sentence; what is not of a general form stays unread. */
export function readRule(line: string, configuration: Pick<AgentConfiguration, 'tools'>): ReadRule {
  const read: ReadRule = { forms: [], unread: [] };
  for (const { text: written, quotes } of sentencesAround(line)) {
    const text = withoutReminders(written);
    const bound = text.replaceAll(WAIVES, ' ');
    const stated = FORBIDS.test(bound) ? 'must_not' : ORDERS.test(bound) ? 'must' : null;
    // "If …, call …" and "before you …, ask …" order without the word.
    const forms =
      bound === text
        ? formsOf({ text, quotes, polarity: stated ?? 'must', isStated: stated !== null }, configuration.tools)
        : [];
    const sentence = written.replace(MASK, (_, at) => `"${quotes[Number(at)] ?? ''}"`);
    if (stated !== null && forms.length === 0) read.unread.push(sentence);
    read.forms.push(...forms.map((form) => ({ form, sentence })));
  }
  return read;
}

interface Sentence {
  /** With `«0»`, `«1»` … in the place of what stood in quotation marks. */
  text: string;
  quotes: string[];
  polarity: Polarity;
  /** False: an order only where its form says so. */
  isStated: boolean;
}

const MASK = /«(\d+)»/g;

function sentencesAround(line: string): Pick<Sentence, 'text' | 'quotes'>[] {
  const quotes: string[] = [];
  const masked = line.replace(/["“]([^"”\n]{2,300})["”]/g, (_, quoted: string) => {
    quotes.push(quoted);
    return `«${quotes.length - 1}»`;
  });
  // "Never say «…», and never promise …" are two orders.
  const parts = (masked.match(/[^.!?;]+[.!?;]*/g) ?? []).flatMap((text) =>
    text.split(/,? (?:and|but) (?=never\b|always\b)/i),
  );
  return parts.map((text) => ({ text: text.trim(), quotes }));
}

const WHEN =
  /\b(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|hours|weekdays?|weekends?)\b/i;

/** "Unless …, always …": which calls remain can't be told from the words alone. */
const IS_EXCEPT = /^(?:unless|except)\b/i;
/** "Never hang up without saying «…»" forbids neither the one nor the other by itself. */
const ALLOWS_SOMEWHERE = /\b(?:before|prior to|until|without)\b/i;

function formsOf(sentence: Sentence, tools: readonly ToolDefinition[]): WatchForm[] {
  // What holds at some hours only can't be told from the talk.
  if (WHEN.test(sentence.text)) return [];
  const before = beforeTool(sentence, tools);
  if (before.length > 0) return before;
  if (IS_EXCEPT.test(sentence.text) || (sentence.polarity === 'must_not' && ALLOWS_SOMEWHERE.test(sentence.text)))
    return [];
  const { condition, body } = splitCondition(sentence.text);
  const scope = scopeOf(condition, tools);
  if (scope === null || (scope.kind === 'all_calls' && !sentence.isStated)) return [];
  const { polarity } = sentence;
  const expectation =
    quotedIn(body, sentence.quotes) ??
    handsOver(body, polarity, scope) ??
    promises(body, polarity) ??
    callsTool(body, polarity, tools);
  return expectation === null ? [] : [{ scope, expectation, polarity }];
}

const LEADING =
  /^(?:if|when|whenever|once|after|in case|as soon as|should)\b([^,]{3,160}?)(?:,\s*(?:then\s+)?|\s(?=always\b|never\b))(.+)$/is;
const TRAILING = /^(.+?)\s(?:if|when|whenever|once|in case|as soon as|unless|except|only (?:if|when))\b(.{3,160})$/is;

function splitCondition(text: string): { condition: string | null; body: string } {
  const leading = LEADING.exec(text);
  if (leading) return { condition: leading[1] ?? '', body: leading[2] ?? '' };
  const trailing = TRAILING.exec(text);
  if (!trailing) return { condition: null, body: text };
  // "Never … unless …" allows it somewhere: which calls remain can't be told from the words alone.
  const body = (trailing[1] ?? '').trimEnd();
  const isException = /\b(?:unless|except|only)\b/i.test(text.slice(body.length));
  return { condition: isException ? 'unless' : (trailing[2] ?? ''), body };
}

const A_PERSON =
  /\b(?:person|human|agent|representative|rep|someone|manager|colleague|staff|operator|supervisor|advisor|employee)\b/i;
const ASKS = /\b(?:ask|asks|asked|request|requests|want|wants|insist|insists|demand|demands|wish|wishes)\b/i;
const FAILS = /\b(?:fails?|failed|errors?|times? out|does(?: not|n['’]t) work|is (?:down|unavailable))\b/i;

/** "A slot is booked", "booking a table": what the tool does is done, not wanted. */
const IS_DONE =
  /\b(?:is|are|was|were|has been|have been|you(?: have|['’]ve)?|calling|using) (?:\w+(?:ed|en|nt|id)|book|call|use)\b|^\s*\w+ing\b/i;

const NEGATES = /\b(?:not|never|no longer|without)\b|n['’]t\b/i;
/** Whoever asks whether they speak to a person, or about one, does not ask for one. */
const ASKS_WHO =
  /\b(?:whether|if) (?:this|that|it|you|they|he|she)(?:['’](?:s|re)| is| are)\b|\bask(?:s|ed)? (?:about|what|which|how|when|where|why)\b|\bto know\b/i;

/** Null where the condition is none that code can tell. */
function scopeOf(condition: string | null, tools: readonly ToolDefinition[]): WatchScope | null {
  if (condition === null) return { kind: 'all_calls' };
  if (NEGATES.test(condition.replace(FAILS, ' ')) || ASKS_WHO.test(condition)) return null;
  if (ASKS.test(condition) && A_PERSON.test(condition)) return { kind: 'caller_said', act: 'asks_for_person' };
  const [tool, ...others] = toolsIn(condition, tools);
  if (!tool || others.length > 0) return null;
  if (FAILS.test(condition)) return { kind: 'tool_failed', tool: tool.name };
  return IS_DONE.test(condition) ? { kind: 'tool_called', tool: tool.name } : null;
}

const FIRST = /^before (?:you )?(.+?)(?:,|\b(?=always\b|first\b|ask\b|say\b|read\b|confirm\b|call\b|use\b))\s*(.+)$/is;
const BEFORE = /^(.*?)\b(?:before|prior to)\b(.+)$/is;
const NOT_WITHOUT = /^(.*?)\b(?:before|until|without|unless)\b(.+)$/is;
const ASKS_FOR =
  /\b(?:ask(?:ing|ed)?(?: (?:the )?(?:caller|customer|patient|guest|user)s?)?(?: for| about)?|collect(?:ing|ed)?|get(?:ting)?|gather(?:ing|ed)?|obtain(?:ing|ed)?|know(?:ing)?|tak(?:e|ing))\s+(.+)$/is;
const CONFIRMS =
  /\b(?:confirm(?:s|ed|ing|ation)?|read(?:ing)? .{0,40}\bback|repeat(?:ing)? .{0,40}\bback|read(?:ing)? back|consent|agree(?:s|d|ment)?|approval|says? yes)\b/i;

/** "Call A before B", "before B ask for X", "confirm before B", and "never B before …": asked of the calls that came to B. */
function beforeTool({ text, quotes, polarity }: Sentence, tools: readonly ToolDefinition[]): WatchForm[] {
  const leading = FIRST.exec(text);
  const parts = leading ?? (polarity === 'must' ? BEFORE : NOT_WITHOUT).exec(text);
  if (!parts) return [];
  const isTurned = leading !== null || polarity === 'must_not';
  const [first = '', second = ''] = isTurned ? [parts[2], parts[1]] : [parts[1], parts[2]];
  return toolsIn(second, tools).flatMap(({ name: before }): WatchForm[] => {
    const expectation = firstOf(first, quotes, before, tools);
    return expectation === null
      ? []
      : [{ scope: { kind: 'tool_called', tool: before }, expectation, polarity: 'must' }];
  });
}

/** What has to come first. */
function firstOf(
  first: string,
  quotes: readonly string[],
  before: string,
  tools: readonly ToolDefinition[],
): WatchExpectation | null {
  const others = tools.filter(({ name }) => name !== before);
  // "Verify_identity" is a tool, "confirm the date" asks the caller: a tool's name goes before words of asking.
  const [named, ...alike] = namedIn(first, others);
  if (named) return alike.length > 0 ? null : { kind: 'tool_called_before', tool: named.name, before };
  if (first.search(MASK) >= 0) return quotedIn(first, quotes);
  if (CONFIRMS.test(first)) return { kind: 'asks_for', confirmation: true, before };
  const asked = ASKS_FOR.exec(first)?.[1];
  const words = asked === undefined ? [] : matterOf(asked);
  if (words.length > 0 && words.length <= 4) return { kind: 'asks_for', words, before };
  const [only, ...more] = toolsIn(first, others);
  return only && more.length === 0 ? { kind: 'tool_called_before', tool: only.name, before } : null;
}

/** Tools whose name stands there as it is written, whole: in "book_table" no "book" is named, in "send_text" no "end". */
function namedIn(text: string, tools: readonly ToolDefinition[]): ToolDefinition[] {
  const words = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}_-]+/gu, ' ')} `;
  const found = tools.filter(({ name }) => words.includes(spaced(name)));
  return found.filter(
    (tool) => !found.some((other) => other !== tool && spaced(other.name).includes(spaced(tool.name))),
  );
}

const spaced = (name: string) => ` ${name.toLowerCase().replaceAll(/[^\p{L}\p{N}_-]+/gu, ' ')} `;

const SAYS =
  /\b(?:say(?:ing)?|tell(?:ing)?|use|using|mention(?:ing)?|greet|open|begin|start|end|close|finish|answer|read(?: out)?|state|inform|remind|with)\b[^«»]{0,80}«(\d+)»/i;

function quotedIn(body: string, quotes: readonly string[]): WatchExpectation | null {
  const all = body.match(MASK) ?? [];
  const at = SAYS.exec(body)?.[1];
  // Several wordings are a choice or examples: none of them is ordered by itself.
  if (at === undefined || all.length !== 1) return null;
  const text = quotes[Number(at)] ?? '';
  // A template ("Hello {{name}}", "thanks for calling [business]") is said with something else in its place.
  if (!/[\p{L}\p{N}]/u.test(text) || /[{}[\]<>]|\.\.\.|…/.test(text)) return null;
  return { kind: 'says', text };
}

const HANDS_OVER =
  /\b(?:transfer|hand (?:it |them |the \w+ )?(?:over|off)|connect (?:them|the \w+)|forward (?:them|the \w+)|put (?:them|the \w+) through|escalate)/i;

function handsOver(body: string, polarity: Polarity, scope: WatchScope): WatchExpectation | null {
  const isAsked = scope.kind === 'caller_said' || scope.kind === 'tool_failed';
  if (!HANDS_OVER.test(body) || (polarity === 'must' && !isAsked)) return null;
  return { kind: 'outcome', outcome: 'transferred' };
}

const PROMISES = /\b(?:promise|guarantee|commit to|assure)s?\b(.*)$/is;

function promises(body: string, polarity: Polarity): WatchExpectation | null {
  const about = polarity === 'must_not' ? PROMISES.exec(body)?.[1] : undefined;
  if (about === undefined) return null;
  const words = matterOf(about).filter((word) => !PROMISE_TALK.has(word));
  return words.length > 6 ? null : { kind: 'says', act: 'promises', about: words };
}

const PROMISE_TALK = new Set(['anything', 'specific', 'exact', 'certain', 'particular', 'guarantee', 'promise']);
const CALLS = /\b(?:call|use|run|invoke|trigger)\b/i;

function callsTool(body: string, polarity: Polarity, tools: readonly ToolDefinition[]): WatchExpectation | null {
  if (!CALLS.test(body)) return null;
  const [tool, ...others] = namedIn(body, tools);
  // "A and B" are two orders, "A or B" a choice: neither is one tool.
  if (others.length > 0) return null;
  // "Always use A to …" says how, not that it is needed on every call.
  if (!tool || (polarity === 'must' && /\bto\b|\bfor\b/i.test(body.slice(body.search(CALLS))))) return null;
  return { kind: 'tool_called', tool: tool.name };
}
