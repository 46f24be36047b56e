import { cutText } from '../text.ts';
import { effectOf, type ToolUse } from '../tool-uses.ts';
import { splitName } from '../tool-words.ts';
import type { LedgerFinding } from './finding.ts';
import { type CallRecord, isDone } from './record.ts';
import { cutSentences, hasShortNot } from './sentences.ts';

/** A thing that only some of the agent's tools work on, such as the bags of `update_baggage`. */
interface Thing {
  word: string;
  tools: readonly string[];
}

const DONE =
  /\b(?:(?:has|have) (?:now |also |just )?been (?:successfully )?(?:added|removed|changed|updated|cancell?ed|booked|reserved|sent|upgraded)|(?:i've|i have|we've|we have) (?:also |now |just |successfully )*(?:added|removed|changed|updated|cancell?ed|booked|reserved|sent|upgraded))\b/i;
/** The verbs that ask for what a tool of this name does. */
const ASKED: Record<string, RegExp> = {
  update: /\b(?:add|remove|change|update|modify)\b/i,
  modify: /\b(?:add|remove|change|update|modify)\b/i,
  change: /\b(?:change|update|modify)\b/i,
  add: /\badd\b/i,
  remove: /\bremove\b/i,
  cancel: /\bcancel\b/i,
  book: /\b(?:book|reserve)\b/i,
  reserve: /\b(?:book|reserve)\b/i,
  send: /\b(?:send|issue)\b/i,
  issue: /\b(?:send|issue)\b/i,
};
const NOT = /\b(?:not|cannot|unable|once|if|would|will|could|can|shall|should|when|after|before)\b/i;

/** A thing that the agent says it worked on although the tool for that thing was never called with success. */
export function untouchedThings(record: CallRecord): LedgerFinding[] {
  const things = thingsOf(record);
  if (things.length === 0) return [];
  const found: LedgerFinding[] = [];
  for (const turn of record.reading.agent) {
    for (const sentence of cutSentences(turn.turn.text)) {
      const done = DONE.exec(sentence.text);
      if (done === null || hasShortNot(sentence.text) || NOT.test(sentence.text) || sentence.text.endsWith('?'))
        continue;
      const thing = things.find((one) => mentions(clauseAround(sentence.text, done.index), one.word));
      if (thing === undefined || isTouched(record, thing, turn.index)) continue;
      found.push({
        code: 'claimed_without_tool',
        rule: 'thing_untouched',
        turn: turn.index,
        quote: cutText(sentence.text, 240),
        detail: `The agent says so; "${thing.tools[0] ?? ''}", its tool for that, never succeeded on this call.`,
        use: null,
        confidence: 0.8,
        facts: { rule: 'thing_untouched', hasTool: true, tool: thing.tools[0] ?? null },
      });
      break;
    }
  }
  return found;
}

/** A part of what the caller had confirmed, for which the tool was never called, though another part was done. */
export function droppedParts(record: CallRecord): LedgerFinding[] {
  const things = thingsOf(record);
  const { spoken } = record.reading;
  const done = record.reading.tools.filter(isDone);
  const last = done.at(-1);
  if (things.length === 0 || last === undefined) return [];
  for (let order = spoken.length - 1; order > 0; order -= 1) {
    const caller = spoken[order];
    const agent = spoken[order - 1];
    if (caller?.role !== 'caller' || agent?.role !== 'agent' || !isConfirmed(agent.turn.text, caller)) continue;
    if (/\b(?:but|instead|actually|wait|rather)\b/i.test(caller.turn.text)) continue;
    if (caller.index > (last.resultTurn ?? 0)) continue;
    for (const sentence of cutSentences(agent.turn.text)) {
      if (hasShortNot(sentence.text)) continue;
      if (/\b(?:not|cannot|no longer|already|if|can|could|may|only|or)\b/i.test(sentence.text)) continue;
      const thing = things.find((one) => mentions(sentence.text, one.word) && isAsked(sentence.text, one));
      if (thing === undefined || isTouched(record, thing, Number.MAX_SAFE_INTEGER)) continue;
      if (isWithdrawn(record, thing, caller.index)) continue;
      return [
        {
          code: 'tool_missing',
          rule: 'part_dropped',
          turn: agent.index,
          quote: cutText(sentence.text, 240),
          detail: `The caller confirmed this; "${thing.tools[0] ?? ''}", the tool for it, never succeeded on this call.`,
          use: null,
          confidence: 0.8,
          facts: { rule: 'part_dropped', tool: thing.tools[0] ?? null },
        },
      ];
    }
  }
  return [];
}

/** True where the agent laid out what it would do and the caller said yes to it. */
function isConfirmed(proposal: string, caller: { hits: readonly { list: string }[] }): boolean {
  return (
    /\b(?:confirm|proceed|go ahead|shall i|should i)\b/i.test(proposal) && caller.hits.some((hit) => hit.list === 'yes')
  );
}

function isAsked(sentence: string, thing: Thing): boolean {
  const verb = splitName(thing.tools[0] ?? '')[0] ?? '';
  return ASKED[verb]?.test(sentence) === true;
}

/** The words of tool names that tell tools apart: those of writing tools that not several of them share. */
function thingsOf(record: CallRecord): Thing[] {
  const { configuration, tools } = record.reading;
  const names = new Set([...(configuration?.tools.map((tool) => tool.name) ?? []), ...tools.map((use) => use.name)]);
  const byWord = new Map<string, string[]>();
  let writes = 0;
  for (const name of names) {
    const words = splitName(name);
    const definition = configuration?.tools.find((tool) => tool.name === name) ?? null;
    if (effectOf(words, definition) !== 'write') continue;
    writes += 1;
    for (const word of new Set(words.slice(1)))
      if (word.length >= 4) byWord.set(word, [...(byWord.get(word) ?? []), name]);
  }
  if (writes < 2) return [];
  return [...byWord].filter(([, tools]) => tools.length === 1).map(([word, tools]) => ({ word, tools }));
}

/** True where a write that works on the thing succeeded before the turn, by its name or by an argument of that name. */
function isTouched(record: CallRecord, thing: Thing, before: number): boolean {
  return record.reading.tools.some(
    (use) => isDone(use) && (use.resultTurn ?? 0) < before && worksOn(record, use, thing),
  );
}

function worksOn(record: CallRecord, use: ToolUse, thing: Thing): boolean {
  if (use.nameWords.includes(thing.word)) return true;
  const base = root(thing.word);
  return [...record.args(use), ...record.results(use)].some(
    (leaf) =>
      leaf.path.toLowerCase().includes(base) && record.args(use).some((arg) => arg.path.toLowerCase().includes(base)),
  );
}

function isWithdrawn(record: CallRecord, thing: Thing, since: number): boolean {
  return record.reading.caller.some(
    (turn) =>
      turn.index > since &&
      mentions(turn.turn.text, thing.word) &&
      /\b(?:no|not|without|don't|never mind|leave|skip|forget)\b/i.test(turn.turn.text),
  );
}

function clauseAround(sentence: string, at: number): string {
  return sentence.slice(Math.max(0, at - 60), at + 90);
}

/** "bag" and "bags" speak of `baggages`, "passengers" of `passenger`. */
function mentions(text: string, word: string): boolean {
  const base = root(word);
  return (text.toLowerCase().match(/[a-z]+/g) ?? []).some(
    (one) =>
      one.length >= 3 &&
      (root(one) === base ||
        (base.startsWith(root(one)) &&
          root(one).length >= 3 &&
          base.length - root(one).length <= 4 &&
          root(one) !== base.slice(0, 2))),
  );
}

function root(word: string): string {
  const lower = word.toLowerCase();
  return lower.endsWith('ies')
    ? `${lower.slice(0, -3)}y`
    : lower.endsWith('s') && lower.length > 3
      ? lower.slice(0, -1)
      : lower;
}
