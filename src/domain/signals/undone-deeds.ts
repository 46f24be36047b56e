import { type Act, type ActValue, does } from '../acts/act.ts';
import { questionWordsOf } from '../acts/lists/question-words-of.ts';
import { sentenceTextAt } from '../acts/sentences.ts';
import { isDone } from '../calls/ledger/record.ts';
import { type SpokenTurn, says } from '../calls/spoken-turn.ts';
import { usesBetween } from '../calls/stretch.ts';
import { effectOf, type ToolUse } from '../calls/tool-uses.ts';
import { splitName } from '../calls/tool-words.ts';
import type { ToolDefinition } from '../versions/configuration.ts';
import { placeAt, toolPlace } from './places.ts';
import { storedText } from './quotes.ts';
import type { CallReading } from './reading.ts';
import type { Detection } from './signal.ts';

/** What an agent says it has done, beside its tools: the one for it was never called, or fewer times than it says. */
export function undoneDeeds(reading: CallReading): Detection[] {
  const things = thingsOf(reading.configuration?.tools ?? []);
  return reading.agent.flatMap((turn) => {
    const handed = neverHandedOver(reading, turn);
    if (handed !== null) return [handed];
    for (const said of deedsIn(turn)) {
      const found =
        namedThing(reading, turn, said, things) ?? neverPassedOn(reading, turn, said) ?? neverSent(reading, turn, said);
      if (found !== null) return [found];
    }
    return withoutWrite(reading, turn) ?? moreThanDone(reading, turn) ?? [];
  });
}

interface Said {
  act: Act;
  sentence: string;
}

/** The deeds that a turn tells; a question tells none. */
function deedsIn(turn: SpokenTurn): Said[] {
  return turn.acts
    .filter(({ kind }) => kind === 'claims_done')
    .map((act) => ({ act, sentence: sentenceTextAt(turn, act.from) }))
    .filter(({ sentence }) => !sentence.endsWith('?'));
}

interface Thing {
  word: string;
  tool: ToolDefinition;
}

/** Words of one tool's name or arguments that no other tool has: `coupon`, `sms`. */
function thingsOf(tools: readonly ToolDefinition[]): Thing[] {
  const words = new Map(tools.map((tool) => [tool, splitName(tool.name)]));
  return tools.flatMap((tool) => {
    const own = words.get(tool) ?? [];
    if (effectOf(own, tool) === 'read') return [];
    const alone = (word: string) => tools.every((other) => other === tool || words.get(other)?.includes(word) !== true);
    return own
      .slice(1)
      .filter((word) => word.length >= THING_AT_LEAST && alone(word))
      .map((word) => ({ word, tool }));
  });
}

const THING_AT_LEAST = 3;

/** "With your voucher applied", where a tool of the agent applies vouchers and was not called before. */
function namedThing(reading: CallReading, turn: SpokenTurn, said: Said, things: readonly Thing[]): Detection | null {
  if (does(turn, 'cannot')) return null;
  const spoken = new Set(said.sentence.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  const thing = things.find(({ word }) => spoken.has(word) || spoken.has(`${word}s`));
  if (thing === undefined) return null;
  const { word, tool } = thing;
  if (reading.tools.some((use) => use.name === tool.name && (use.callTurn ?? 0) < turn.index)) return null;
  if (sameBreath(reading, turn).some((use) => use.effect === 'read' || mentions(use, word))) return null;
  const detail = `The agent speaks of the ${word} as done; "${tool.name}" was not called before.`;
  return make(reading, turn, said.act, detail, { kind: 'named', hasTool: true, tool: tool.name });
}

/** "I've asked a colleague to ring you", where the tool that leaves such a word was not called. */
function neverPassedOn(reading: CallReading, turn: SpokenTurn, { act, sentence }: Said): Detection | null {
  const from = turn.turn.text.indexOf(sentence);
  const passes = turn.acts.some(
    (one) => one.kind === 'calls_back' && one.from >= from && one.to <= from + sentence.length,
  );
  const tool = (reading.configuration?.tools ?? []).find(({ name }) => leavesWord(splitName(name)));
  if (!passes || tool === undefined) return null;
  const uses = usesBetween(reading.tools, -1, breathEnds(reading, turn));
  if (uses.some((use) => leavesWord(use.nameWords))) return null;
  const detail = `The agent says that it passed it on; "${tool.name}" was not called before.`;
  return make(reading, turn, act, detail, { kind: 'passed_on', hasTool: true, tool: tool.name });
}

/** "I just sent it to your phone", asked for a moment ago, where the tool that sends was not called. */
function neverSent(reading: CallReading, turn: SpokenTurn, { act }: Said): Detection | null {
  const isSend = turn.hits.some(
    ({ list, from, to }) =>
      list === 'claim:send' &&
      OWN.has(turn.words[from] ?? '') &&
      (turn.starts[from] ?? 0) <= act.to &&
      (turn.ends[to - 1] ?? 0) >= act.from,
  );
  const asked = reading.spoken[turn.order - 1];
  const tool = isSend ? (reading.configuration?.tools ?? []).find(({ name }) => sends(splitName(name))) : undefined;
  if (tool === undefined || asked?.role !== 'caller' || !does(asked, 'requests', 'confirms')) return null;
  if (usesBetween(reading.tools, -1, breathEnds(reading, turn)).some((use) => sends(use.nameWords))) return null;
  if (sameBreath(reading, turn).some(({ effect }) => effect !== 'read')) return null;
  // What was booked before may have sent it by itself.
  const earlier = usesBetween(reading.tools, -1, turn.index);
  if (turn.words.includes('already') || earlier.some((use) => SENT.test(storedText(use.body)))) return null;
  const detail = `The agent says that it has sent it; "${tool.name}" was not called before.`;
  return make(reading, turn, act, detail, { kind: 'sent', hasTool: true, tool: tool.name });
}

function sends(words: readonly string[]): boolean {
  return words.some((word) => SENDS.has(word));
}

/** With which a deed of one's own begins: "you'll receive it" is none. */
const OWN = new Set("i i've we we've ich wir he hemos j'ai nous".split(' '));
const SENT = /sms|e-?mail|sent|gesendet|enviad|envoyé/i;
const SENDS = new Set(['send', 'text', 'sms', 'email', 'mail']);

function leavesWord(words: readonly string[]): boolean {
  return words.some((word) => LEAVE_WORD.has(word));
}

const LEAVE_WORD = new Set(['callback', 'message', 'note', 'ticket', 'complaint']);

/** Another tool may do the same, or have told it: "delivery is scheduled for Monday". */
function mentions(use: ToolUse, word: string): boolean {
  const text = `${use.name} ${use.definition?.description ?? ''} ${storedText(use.args)} ${storedText(use.body)}`;
  return text.toLowerCase().includes(word);
}

/** Uses since the caller spoke, and those that follow before the caller speaks again. */
function sameBreath(reading: CallReading, turn: SpokenTurn): readonly ToolUse[] {
  const before = reading.spoken.slice(0, turn.order).findLast(({ role }) => role === 'caller')?.index ?? 0;
  return usesBetween(reading.tools, before, breathEnds(reading, turn));
}

function breathEnds(reading: CallReading, turn: SpokenTurn): number {
  const next = reading.spoken.slice(turn.order + 1).find(({ role }) => role === 'caller');
  return next?.index ?? Number.MAX_SAFE_INTEGER;
}

/** The caller had asked for it or agreed to it, the agent has tools that do things, and none of them was called so far. */
function withoutWrite(reading: CallReading, turn: SpokenTurn): Detection | null {
  const tools = reading.configuration?.tools ?? [];
  const doing = tools.filter((tool) => effectOf(splitName(tool.name), tool) === 'write');
  if (doing.length === 0 || does(turn, 'cannot') || !isAskedFor(reading, turn)) return null;
  const uses = usesBetween(reading.tools, -1, breathEnds(reading, turn));
  if (uses.some(({ effect }) => effect !== 'read')) return null;
  const looked = sameBreath(reading, turn).some(({ effect }) => effect === 'read');
  const act = deedsIn(turn).find(
    (said) => isNamedDeed(turn, said.act, uses) && !(looked && isState(reading, turn, said.act)),
  )?.act;
  if (act === undefined) return null;
  const detail = 'The agent says that it is done; none of its tools that do things was called before.';
  return make(reading, turn, act, detail, { kind: 'done', hasTool: null, tool: null });
}

/** The caller asked for something or agreed to it, and did not go on to ask for a fact. */
function isAskedFor(reading: CallReading, turn: SpokenTurn): boolean {
  const before = reading.caller.filter(({ order }) => order < turn.order);
  const last = before.at(-1);
  if (last === undefined) return false;
  return last.asks ? says(last, 'request_strong') : before.some((one) => does(one, 'requests', 'confirms'));
}

/** "Is reserved", and no "all set"; a result that holds the word of the deed is read out. */
function isNamedDeed(turn: SpokenTurn, act: Act, uses: readonly ToolUse[]): boolean {
  const words = turn.turn.text
    .slice(act.from, act.to)
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  const deed = words.findLast((word) => word.length >= DEED_AT_LEAST);
  return deed !== undefined && !uses.some((use) => storedText(use.body).toLowerCase().includes(deed));
}

/** "The delivery is scheduled for Monday" right after a look-up tells what stands there; "I've scheduled it" tells a deed. */
function isState(reading: CallReading, turn: SpokenTurn, act: Act): boolean {
  const [verbs] = questionWordsOf(reading.language).inverted;
  const said = turn.turn.text.slice(act.from, act.to).toLowerCase().split(/\s/);
  return verbs.has(said[0] ?? '') || said.includes('through');
}

const DEED_AT_LEAST = 5;

/** "All four are moved", where one tool was called for three of them. */
function moreThanDone(reading: CallReading, turn: SpokenTurn): Detection | null {
  const writes = sameBreath(reading, turn).filter(isDone);
  const [first] = writes;
  if (first === undefined || writes.length < 2 || writes.some(({ name }) => name !== first.name) || turn.asks)
    return null;
  const told = turn.values.find((value) => isCount(value) && countsDeeds(turn, value));
  if (told === undefined || Number(told.forms[0]) <= writes.length) return null;
  return {
    turnIndex: turn.index,
    quote: told.text,
    detail: `The agent says "${told.text}"; "${first.name}" succeeded ${writes.length} times.`,
    place: toolPlace(first),
    confidence: 0.6,
    facts: { kind: 'count', hasTool: true, tool: first.name },
  };
}

const COUNTED_AT_MOST = 12;

function isCount({ slot, denied, forms }: ActValue): boolean {
  return slot === 'count' && !denied && Number(forms[0]) <= COUNTED_AT_MOST;
}

/** "All four", "four of them": the word before or behind says that the number counts what was done. */
function countsDeeds(turn: SpokenTurn, value: ActValue): boolean {
  return turn.hits.some(({ list, from, to }) => {
    const [start, end] = [turn.starts[from] ?? 0, turn.ends[to - 1] ?? 0];
    return list === 'counts_all' && start <= value.from && end >= value.to;
  });
}

/** "Putting you through now", and the same voice goes on, because nothing was handed over. */
function neverHandedOver(reading: CallReading, turn: SpokenTurn): Detection | null {
  const act = turn.acts.find(({ kind }) => kind === 'hands_over');
  if (act === undefined || turn.asks || does(turn, 'cannot', 'offers', 'calls_back') || isConditional(turn))
    return null;
  if (!reading.caller.some((one) => one.order < turn.order && does(one, 'asks_for_person'))) return null;
  if (!reading.agent.some(({ order }) => order > turn.order + 1)) return null;
  const since = reading.spoken.slice(0, turn.order).findLast(({ role }) => role === 'caller')?.index ?? 0;
  const tool = (reading.configuration?.tools ?? []).find((one) => effectOf(splitName(one.name), one) === 'transfer');
  if (tool === undefined || usesBetween(reading.tools, since, Number.MAX_SAFE_INTEGER).some(isHandOver)) return null;
  return {
    turnIndex: turn.index,
    quote: turn.turn.text.slice(act.from, act.to),
    detail: `The agent says that it hands over; "${tool.name}" was not called from here on.`,
    place: placeAt(reading, turn.index),
    confidence: 0.6,
    facts: { kind: 'transfer', hasTool: true, tool: tool.name },
  };
}

/** "I can put you through if you like." */
function isConditional(turn: SpokenTurn): boolean {
  return says(turn, 'could') || says(turn, 'condition');
}

function isHandOver({ effect }: ToolUse): boolean {
  return effect === 'transfer' || effect === 'unknown' || effect === 'end';
}

function make(
  reading: CallReading,
  turn: SpokenTurn,
  act: Act,
  detail: string,
  facts: NonNullable<Detection['facts']>,
): Detection {
  return {
    turnIndex: turn.index,
    quote: turn.turn.text.slice(act.from, act.to),
    detail,
    place: placeAt(reading, turn.index),
    confidence: 0.6,
    facts,
  };
}
