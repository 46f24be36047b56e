import type { NormalisedCall } from '../calls/call.ts';
import type { ToolUse } from '../calls/tool-uses.ts';
import { isJsonObject, type Json } from '../json.ts';
import { readValues } from '../values/read-values.ts';
import { type SpokenValue, sameValue } from '../values/value.ts';
import type { CallForTest } from './call-for-test.ts';
import { cleanText, hasWord, hasWords, wordsOf } from './plain.ts';
import type { CallerSpec } from './spec.ts';

const LINE_AT_MOST = 2000;
const FACTS_AT_MOST = 30;
/** Each argument is held against each value that was said: a crafted record must not hold up whoever reads it. */
const ARGUMENTS_AT_MOST = 200;
const VALUES_AT_MOST = 500;

/** What the caller said, a line for each time the agent listened: turns that no word of the agent parts are one. */
export function linesOfCaller(call: NormalisedCall): string[] {
  const lines: string[] = [];
  let listens = true;
  for (const { role, text } of call.turns) {
    const plain = cleanText(text, LINE_AT_MOST);
    if (role === 'agent' && plain !== '') listens = true;
    if (role !== 'caller' || !hasWord(plain)) continue;
    const last = lines.at(-1);
    if (listens || last === undefined) lines.push(plain);
    else lines[lines.length - 1] = cleanText(`${last} ${plain}`, LINE_AT_MOST);
    listens = false;
  }
  return lines;
}

/** @param lines not empty. */
export function callerOfCall(
  { analysis }: CallForTest,
  uses: readonly ToolUse[],
  lines: readonly string[],
): CallerSpec {
  const [opening = '', ...script] = lines;
  const request = analysis.requests[0]?.text ?? opening;
  return {
    goal: cleanText(request, LINE_AT_MOST) || opening,
    opening,
    facts: factsOf(lines, uses),
    style: '',
    script,
  };
}

const NAMES_ITSELF =
  /(?:\bmy name(?:'s| is)|\bmy name,|\bthis is|\bname is|\bi am|\bi'm)\s+(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+){0,2})/u;

/**
 * Values that the caller said: named after the argument that a tool got them as, else after their kind. They keep a
 * model that plays the caller to what was known on the call.
 */
function factsOf(lines: readonly string[], uses: readonly ToolUse[]): CallerSpec['facts'] {
  const facts = new Map<string, string>();
  const said = lines.flatMap(saidValues).slice(0, VALUES_AT_MOST);
  const heardLines = lines.map((line) => ({ words: wordsOf(line), code: squeezed(line) }));
  const told = new Set<SpokenValue>();
  for (const { name, text } of argumentsOf(uses)) {
    const [meant] = readValues(text);
    const [words, code] = [wordsOf(text), squeezed(text)];
    const heard = said.filter(
      (one) => (meant !== undefined && sameValue(one.value, meant)) || isPartOf(one.code, code),
    );
    const isSaid = heardLines.some((line) => hasWords(line.words, words) || isPartOf(code, line.code));
    if (!isSaid && !heard.some(({ value }) => meant !== undefined && sameValue(value, meant))) continue;
    for (const { value } of heard) told.add(value);
    // A day is known as it was said: the tool's own form of it holds for the time of the call only.
    const [first] = heard;
    keep(facts, name, first?.value.kind === 'date' ? first.text : text);
  }
  const name = lines.map((line) => NAMES_ITSELF.exec(line)?.[1]).find((found) => found !== undefined);
  if (name !== undefined && ![...facts.values()].some((value) => hasWords(wordsOf(value), wordsOf(name))))
    keep(facts, 'name', name);
  for (const { value, text } of said) {
    if (told.has(value) || (value.kind === 'number' && text.replaceAll(/\D/g, '').length < 3)) continue;
    keep(facts, value.kind, text);
  }
  return Object.fromEntries([...facts].slice(0, FACTS_AT_MOST));
}

const saidValues = (line: string) =>
  readValues(line).map((value) => {
    const text = line.slice(value.from, value.to);
    return { value, text, code: squeezed(text) };
  });

/** Each name and text once, in the order of the call. */
function argumentsOf(uses: readonly ToolUse[]): { name: string; text: string }[] {
  const found = new Map<string, { name: string; text: string }>();
  for (const { args } of uses) {
    for (const each of namedValues(args)) found.set(`${each.name}\u0000${each.text}`, each);
    if (found.size >= ARGUMENTS_AT_MOST) break;
  }
  return [...found.values()].slice(0, ARGUMENTS_AT_MOST);
}

function keep(facts: Map<string, string>, name: string, text: string): void {
  const value = cleanText(text, 200);
  if (value === '' || [...facts.values()].some((known) => known.toLowerCase() === value.toLowerCase())) return;
  let free = name;
  for (let at = 2; facts.has(free); at += 1) free = `${name} ${at}`;
  facts.set(free, value);
}

/** Short texts and numbers among a tool's arguments, under the name nearest to them. */
function namedValues(args: Json): { name: string; text: string }[] {
  const found: { name: string; text: string }[] = [];
  const walk = (value: Json, name: string, depth: number): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      if (text.length >= 2 && text.length <= 80)
        found.push({ name: cleanText(name.replaceAll('_', ' '), 60) || 'value', text });
    } else if (depth < 4 && value !== null && typeof value === 'object') {
      const parts = Array.isArray(value) ? value.map((part): [string, Json] => [name, part]) : Object.entries(value);
      for (const [inner, part] of parts) walk(part, inner, depth + 1);
    }
  };
  if (isJsonObject(args)) walk(args, 'value', 0);
  return found;
}

const CODE_AT_LEAST = 5;

const squeezed = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** A code that is spelled in pieces: "SL 9493 1897" holds SL94931897. Both without what stands between letters. */
function isPartOf(part: string, whole: string): boolean {
  return part.length >= 3 && whole.length >= CODE_AT_LEAST && /\d/.test(part) && whole.includes(part);
}
