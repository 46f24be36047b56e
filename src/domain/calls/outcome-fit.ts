import { type ActValue, type Correction, does } from '../acts/act.ts';
import { compare } from '../acts/same-value.ts';
import type { CallBase } from './call-base.ts';
import { refuses } from './outcome-refusal.ts';
import type { SpokenTurn } from './spoken-turn.ts';
import { effectOf, type ToolUse } from './tool-uses.ts';
import { splitName } from './tool-words.ts';
import { resultLeaves } from './use-leaves.ts';
import { roleOfUse } from './use-roles.ts';
import { readLeaves } from './values/json-values.ts';
import { readValues } from './values/read-values.ts';

/** Where what was done is not what was asked. */
export interface Misfit {
  rule: 'done_otherwise' | 'part_not_done' | 'done_twice' | 'told_otherwise';
  turns: (number | null)[];
  text: string;
}

/** What the caller put right and the deed does not hold; what was told of a result that says otherwise. */
export function findMisfit(reading: CallBase): Misfit | null {
  for (const correction of lastOfSlot(reading.talk.corrections)) {
    const misfit = inDeed(reading, correction) ?? inWords(reading, correction);
    if (misfit !== null) return misfit;
  }
  return otherThanSaid(reading) ?? partNotDone(reading) ?? doneTwice(reading) ?? toldOtherwise(reading);
}

function lastOfSlot(corrections: readonly Correction[]): Correction[] {
  return [...new Map(corrections.filter((one) => one.explicit).map((one) => [one.slot, one])).values()];
}

/** The last write after the correction was called with the old value. */
function inDeed(reading: CallBase, { turn, old, now }: Correction): Misfit | null {
  const write = reading.tools.findLast(
    (use) => use.effect === 'write' && use.ok !== false && !use.refusal && (use.callTurn ?? -1) > turn,
  );
  if (write === undefined) return null;
  const texts = readLeaves(write.args).map((leaf) => String(leaf.value));
  if (!texts.some((text) => holds(text, old)) || texts.some((text) => holds(text, now))) return null;
  return {
    rule: 'done_otherwise',
    turns: [turn, write.callTurn],
    text: `The caller had put "${old.text}" right to "${now.text}", and "${write.name}" was called with the former.`,
  };
}

/** A size, a number of people: the caller named one all along, and the deed holds another. */
function otherThanSaid(reading: CallBase): Misfit | null {
  const write = mainWrites(reading).at(-1);
  if (write === undefined) return null;
  const leaves = readLeaves(write.args);
  for (const [slot, { value, turn }] of reading.talk.lastWords) {
    const given = leaves.filter((leaf) => leaf.value !== null && isOfSlot(leaf.name, slot));
    const [only] = new Set(given.map((leaf) => String(leaf.value).toLowerCase()));
    if (only === undefined || new Set(given.map((leaf) => leaf.value)).size > 1 || turn > (write.callTurn ?? 0))
      continue;
    const said = reading.caller.flatMap((one) => one.values.filter((other) => other.slot === slot && !other.denied));
    const isOnly = (one: ActValue) => one.forms.some((form) => isIn(only, form));
    const thoughtAgain = does(reading.spokenAt.get(turn), 'corrects');
    if (isOnly(value) || (said.some(isOnly) && !thoughtAgain)) continue;
    if (new Set(said.map((one) => one.forms.at(-1))).size > (thoughtAgain ? 2 : 1)) continue;
    return {
      rule: 'done_otherwise',
      turns: [turn, write.callTurn],
      text: `The caller said "${value.text}", and "${write.name}" was called with "${only}".`,
    };
  }
  return null;
}

/** "Large" stands in "size_large"; a 2 is none in 12. */
function isIn(text: string, form: string): boolean {
  return /^\d+$/.test(form) ? text.match(/\d+/g)?.includes(form) === true : text.includes(form);
}

const PEOPLE = /^(?:guests?|people|persons?|party(?:_size)?|passengers?|adults?|covers|travell?ers?)$/i;

/** Arguments are named after what they hold: `size`, `nights`, `guests`. */
function isOfSlot(name: string, slot: string): boolean {
  if (slot === 'size') return /^(?:size|.*_size)$/i.test(name) && !PEOPLE.test(name);
  if (slot === 'count:people') return PEOPLE.test(name);
  return slot.startsWith('count:') && name.toLowerCase() === slot.slice('count:'.length);
}

/** The caller named a thing that one tool alone works on, the agent said yes to it, and no tool ever touched it. */
function partNotDone(reading: CallBase): Misfit | null {
  if (mainWrites(reading).length === 0) return null;
  for (const { word, tool } of ownThings(reading)) {
    const asked = reading.caller.find((turn) => turn.words.some((one) => isWord(one, word)) && !does(turn, 'denies'));
    if (asked === undefined || isTouched(reading, word)) continue;
    const later = reading.agent.filter((turn) => turn.index > asked.index);
    const said = later.find(
      (turn) => turn.words.some((one) => isWord(one, word)) && (!turn.asks || turn.values.length > 0),
    );
    if (said === undefined || later.some(refuses)) continue;
    return {
      rule: 'part_not_done',
      turns: [asked.index, said.index],
      text: `The caller asked for the ${word}, the agent speaks as if it were done, and "${tool}" was never called.`,
    };
  }
  return null;
}

function isTouched(reading: CallBase, word: string): boolean {
  return reading.tools.some(
    (use) =>
      use.ok !== false &&
      !use.refusal &&
      (use.nameWords.includes(word) ||
        readLeaves(use.args).some((leaf) => leaf.path.includes(word) && leaf.value !== null)),
  );
}

/** Things that only one writing tool of the agent is named after. */
function ownThings(reading: CallBase): { word: string; tool: string }[] {
  const names = reading.configuration?.tools.map((tool) => tool.name) ?? [];
  const words = names.map((name) => ({ name, words: splitName(name) }));
  return words.flatMap(({ name, words: own }) => {
    const thing = own.at(-1) ?? '';
    if (own.length < 2 || thing.length < LETTERS_AT_LEAST || effectOf(own, null) !== 'write') return [];
    return words.filter((other) => other.words.includes(thing)).length > 1 ? [] : [{ word: thing, tool: name }];
  });
}

const LETTERS_AT_LEAST = 4;

function isWord(spoken: string, word: string): boolean {
  return spoken === word || spoken === `${word}s`;
}

/** The same thing done twice with one request: two records where one was wanted. */
function doneTwice(reading: CallBase): Misfit | null {
  const writes = mainWrites(reading).filter((use) => use.nameWords.some((word) => ONCE.has(word)));
  for (const [at, use] of writes.entries()) {
    const before = writes.slice(0, at).find((one) => one.name === use.name && one.argsKey === use.argsKey);
    if (before === undefined) continue;
    const [first, second] = [keyOf(before), keyOf(use)];
    if (first === null || second === null || first === second) continue;
    return {
      rule: 'done_twice',
      turns: [before.resultTurn, use.resultTurn],
      text: `The tool "${use.name}" did the same thing twice, with two results.`,
    };
  }
  return null;
}

/** What takes up a place or money each time. */
const ONCE = new Set('order book reserve pay charge purchase buy'.split(' '));

/** The code of a result's record: letters and digits in one word. */
function keyOf(use: ToolUse): string | null {
  const leaf = resultLeaves(use).find((one) => /^[A-Z]+[-_]?\d{2,}$/.test(String(one.value)));
  return leaf === undefined ? null : String(leaf.value);
}

function mainWrites(reading: CallBase): ToolUse[] {
  return reading.tools.filter(
    (use) =>
      use.effect === 'write' &&
      use.ok !== false &&
      !use.refusal &&
      use.resultTurn !== null &&
      roleOfUse(reading, use) === 'main',
  );
}

/** Without a deed on record, the agent's last word on the value stands for it. */
function inWords(reading: CallBase, { turn, slot, old, now }: Correction): Misfit | null {
  if (reading.tools.some((use) => use.effect === 'write' && (use.callTurn ?? -1) > turn)) return null;
  const said = reading.agent.flatMap((one) =>
    one.index <= turn
      ? []
      : one.values.filter((value) => !value.denied && value.slot === slot).map((value) => ({ one, value })),
  );
  const last = said.at(-1);
  if (last === undefined || compare(last.value, old) !== 'same' || compare(last.value, now) === 'same') return null;
  return {
    rule: 'done_otherwise',
    turns: [turn, last.one.index],
    text: `The caller had put "${old.text}" right to "${now.text}", and the agent goes on with the former.`,
  };
}

function holds(text: string, value: ActValue): boolean {
  const lower = text.toLowerCase();
  if (value.kind === 'choice' || value.kind === 'spelling') return value.forms.some((form) => lower.includes(form));
  return readValues(text.replace(/(?<=\d)T\d.*/, '')).some(
    (one) => compare({ ...one, slot: value.slot }, value) === 'same',
  );
}

/** A day that the agent tells right after a result, and that is none of the result's. */
function toldOtherwise(reading: CallBase): Misfit | null {
  for (const use of reading.tools) {
    if (use.resultTurn === null || use.ok === false) continue;
    const told = nextInBreath(reading, use);
    const dates = told?.values.filter((value) => value.kind === 'date' && !value.denied) ?? [];
    const [date] = dates;
    if (told === null || date === undefined || told.asks) continue;
    const held = datesOf(use);
    if (held.length === 0 || held.length > DATES_AT_MOST) continue;
    const verdicts = dates.flatMap((one) => held.map((other) => compare(one, other)));
    if (verdicts.some((verdict) => verdict !== 'other')) continue;
    return {
      rule: 'told_otherwise',
      turns: [told.index, use.resultTurn],
      text: `The agent says "${date.text}", and the result of "${use.name}" holds another day.`,
    };
  }
  return null;
}

/** A result of many days is a list to choose from. */
const DATES_AT_MOST = 2;

function datesOf(use: ToolUse): { kind: 'date'; slot: string; forms: readonly string[] }[] {
  return resultLeaves(use).flatMap((leaf) => {
    const iso = /^\d{4}-\d{2}-\d{2}/.exec(String(leaf.value))?.[0];
    return iso === undefined ? [] : [{ kind: 'date' as const, slot: 'date', forms: [iso] }];
  });
}

/** The agent's next words, before the caller speaks and before another tool. */
function nextInBreath(reading: CallBase, use: ToolUse): SpokenTurn | null {
  const next = reading.spoken.find((turn) => turn.index > (use.resultTurn ?? 0));
  const other = reading.tools.some(
    (one) => one !== use && (one.callTurn ?? -1) > (use.resultTurn ?? 0) && (one.callTurn ?? 0) < (next?.index ?? 0),
  );
  return next?.role === 'agent' && !other ? next : null;
}
