import { effectOf } from '../calls/tool-effects.ts';
import { splitName } from '../calls/tool-words.ts';
import type { AgentConfiguration, NodeDefinition } from './configuration.ts';

/** What an agent is for, as its own configuration says it: a person edits it and approves or rejects it. */
export interface Brief {
  /** One or two sentences; null where the configuration does not say. */
  purpose: string | null;
  /** In the order in which a call meets them. */
  steps: { id: string; label: string; text: string | null }[];
  tools: { name: string; description: string; kind: 'transfer' | 'end_call' | 'other' }[];
  /** What callers are expected to ask for. */
  intents: string[];
  /** What counts as done. */
  done: string[];
  /** Lines of the agent's own text that say what it must or must never do, word for word. */
  rules: { line: number; text: string; polarity: 'must' | 'must_not' }[];
}

export const EMPTY_BRIEF: Brief = { purpose: null, steps: [], tools: [], intents: [], done: [], rules: [] };

export const ITEMS_AT_MOST = 40;
const LONGEST_TEXT = 400;

/** Read by rule from the configuration alone; nothing in it is made up. */
export function readBrief(configuration: AgentConfiguration): Brief {
  const lines = linesOf(configuration.prompt ?? '');
  const steps = stepsOf(configuration, lines);
  const tools = configuration.tools.map(({ name, description, kind }) => ({ name, description, kind }));
  return {
    purpose: purposeOf(lines),
    steps,
    tools: tools.slice(0, ITEMS_AT_MOST),
    intents: intentsOf(configuration, lines),
    done: doneOf(configuration, lines),
    rules: rulesOf(lines),
  };
}

/** Lines of the prompt that say something, whole. */
export function promptLines({ prompt }: Pick<AgentConfiguration, 'prompt'>): { line: number; text: string }[] {
  return linesOf(prompt ?? '').map(({ line, text }) => ({ line, text }));
}

interface Line {
  /** Counted from 1 in the prompt. */
  line: number;
  /** Without list marks and headings' signs. */
  text: string;
  /** The number of an item of a numbered list. */
  item: number | null;
}

function linesOf(prompt: string): Line[] {
  return prompt.split('\n').flatMap((raw, index): Line[] => {
    const item = /^\s*(?:step\s+)?(\d{1,2})[.):]\s+/i.exec(raw)?.[1];
    const text = raw
      .replace(/^\s*(?:[-*•#>]+|(?:step\s+)?\d{1,2}[.):])\s*/i, '')
      .replaceAll(/\*\*|__/g, '')
      .trim();
    return text === '' ? [] : [{ line: index + 1, text, item: item === undefined ? null : Number(item) }];
  });
}

const SAYS_PURPOSE = /^(you are|you're|your (job|goal|task|role|purpose) is|this agent|the agent)\b/i;

function purposeOf(lines: readonly Line[]): string | null {
  const found = lines.find(({ text }) => SAYS_PURPOSE.test(text));
  if (!found) return null;
  const sentences = found.text.match(/[^.!?]+[.!?]*/g) ?? [found.text];
  return shortened(sentences.slice(0, 2).join('').trim());
}

/** The flow's steps from its start on; without a flow, the numbered lines of the prompt. */
function stepsOf(configuration: AgentConfiguration, lines: readonly Line[]): Brief['steps'] {
  const nodes = inOrder(configuration);
  if (nodes.length > 0) {
    return nodes.slice(0, ITEMS_AT_MOST).map(({ id, label, text }) => ({ id, label, text: text && shortened(text) }));
  }
  return lines
    .filter(({ item }) => item !== null)
    .slice(0, ITEMS_AT_MOST)
    .map(({ line, text }) => ({ id: `line:${line}`, label: shortened(text), text: null }));
}

/** Breadth first from the start; what no way leads to comes last. */
function inOrder({ nodes, startNodeId }: AgentConfiguration): NodeDefinition[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const met = new Set<string>();
  const queue = startNodeId === null ? [] : [startNodeId];
  for (let at = 0; at < queue.length; at += 1) {
    const id = queue[at] ?? '';
    if (met.has(id) || !byId.has(id)) continue;
    met.add(id);
    for (const { to } of byId.get(id)?.edges ?? []) if (to !== null) queue.push(to);
  }
  const reached = [...met].flatMap((id) => byId.get(id) ?? []);
  return [...reached, ...nodes.filter(({ id }) => !met.has(id))];
}

const WANTS = /\b(?:wants?|would like|asks?|needs?|is calling|calls) (?:to|for|about)\s+(.{3,80}?)(?:[.,;]|$)/i;
const HELPS_WITH =
  /\b(?:help|assist)s? (?:callers|customers|patients|guests|people|users|them)?\s*(?:to|with|in)\s+(.{3,200}?)(?:[.;]|$)/i;

/** From the ways out of steps ("wants to …") and from what the prompt says it helps with. */
function intentsOf({ nodes }: AgentConfiguration, lines: readonly Line[]): string[] {
  const conditions = nodes.flatMap(({ edges }) => edges.map(({ condition }) => condition ?? ''));
  const wanted = conditions.flatMap((condition) => {
    const what = WANTS.exec(condition)?.[1];
    return what === undefined ? [] : what.split(/\s{1,80}or\s+/i);
  });
  const offered = lines.flatMap(({ text }) => {
    const what = HELPS_WITH.exec(text)?.[1];
    return what === undefined ? [] : what.split(/\s{0,200},\s*(?:and\s+|or\s+)?|\s{1,200}and\s+|\s{1,200}or\s+/i);
  });
  const all = [...wanted, ...offered].map((text) => text.trim().toLowerCase()).filter((text) => text.length > 2);
  return [...new Set(all)].slice(0, ITEMS_AT_MOST);
}

const SAYS_DONE =
  /\b(is (done|complete|finished|successful)|counts? as done|goal is met|call is over) (when|once|after|if)\b/i;

/** Lines that say when a call is done, and the tools whose success closes a request. */
function doneOf({ tools }: AgentConfiguration, lines: readonly Line[]): string[] {
  const said = lines.filter(({ text }) => SAYS_DONE.test(text)).map(({ text }) => shortened(text));
  const writes = tools
    .filter((tool) => effectOf(splitName(tool.name), tool) === 'write')
    .map(({ name }) => `${name} succeeded`);
  return [...said, ...writes].slice(0, ITEMS_AT_MOST);
}

const FORBIDS = /\b(never|do not|don't|must not|mustn't|may not|under no circumstances)\b/i;
const ORDERS = /\b(must|always|make sure|be sure to|required to|only ever)\b/i;

function rulesOf(lines: readonly Line[]): Brief['rules'] {
  return lines
    .flatMap(({ line, text }): Brief['rules'] => {
      if (FORBIDS.test(text)) return [{ line, text: shortened(text), polarity: 'must_not' }];
      return ORDERS.test(text) ? [{ line, text: shortened(text), polarity: 'must' }] : [];
    })
    .slice(0, ITEMS_AT_MOST);
}

function shortened(text: string): string {
  return text.length <= LONGEST_TEXT
    ? text
    : `${text
        .slice(0, LONGEST_TEXT - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
