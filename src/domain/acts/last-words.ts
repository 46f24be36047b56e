import { compare } from '../values/same-value.ts';
import type { ActValue } from '../values/value.ts';
import type { CompiledWords } from '../values/words-of.ts';
import { phraseAt } from '../words/phrase-table.ts';
import type { Correction, LastWord, TalkState } from './act.ts';
import { correctedWord } from './corrected-word.ts';
import { areNearCodes } from './replaceable.ts';
import { isAnnounced, selfRepairs } from './self-repair.ts';
import type { SpokenTurn } from './spoken-turn.ts';

/** Keeps, turn by turn, the caller's last word on each slot and what was corrected. */
export class LastWords implements TalkState {
  readonly lastWords = new Map<string, LastWord>();
  readonly corrections: Correction[] = [];
  /** The newest first. */
  readonly #earlier: SpokenTurn[] = [];
  #agent: SpokenTurn | null = null;
  #lists: CompiledWords | null = null;

  /**
   * @param lists the words of the turn's language.
   * @returns what the turn corrects.
   */
  take(turn: SpokenTurn, lists: CompiledWords): readonly Correction[] {
    this.#lists = lists;
    if (turn.role === 'agent') {
      this.#agent = turn;
      this.#remember(turn);
      return [];
    }
    const slots = turn.values.length === 0 ? NO_SLOTS : bySlot(turn.values);
    const found = this.#correctionsOf(turn, slots);
    this.#remember(turn);
    for (const one of found) this.corrections.push(one);
    for (const [slot, values] of slots) {
      const value = values.findLast((one) => !one.denied);
      if (value === undefined) continue;
      const before = this.lastWords.get(slot)?.value ?? null;
      const replaced = before !== null && compare(before, value) === 'other' ? before : null;
      this.lastWords.set(slot, { value, turn: turn.index, replaced });
    }
    return found;
  }

  #remember(turn: SpokenTurn): void {
    if (turn.values.length > 0) this.#earlier.unshift(turn);
    if (this.#earlier.length > TURNS_KEPT) this.#earlier.pop();
  }

  #correctionsOf(turn: SpokenTurn, slots: ReadonlyMap<string, ActValue[]>): Correction[] {
    const explicit = isExplicit(turn) || deniesFirst(turn, this.#lists);
    const heard = this.#agent;
    let found = this.#lists === null || slots.size === 0 ? [] : selfRepairs(turn, this.#earlier, this.#lists);
    const repaired = new Set(found.map(({ slot }) => slot));
    for (const [slot, values] of slots) {
      if (repaired.has(slot)) continue;
      const one = this.#correctionOf(turn, slot, values, heard, explicit);
      if (one !== null) found.push(one);
    }
    found = found.filter(({ old, now }) => !isAnotherDate(old, now));
    found.push(...found.flatMap((one) => this.#alsoReplaced(one)));
    const other = found.length === 0 && this.#lists !== null ? correctedWord(turn, heard, this.#lists) : null;
    return other === null ? found : [other];
  }

  /** "I have a lesson till noon, make it two": what stood before both is replaced too. */
  #alsoReplaced(repaired: Correction): Correction[] {
    const { old, now, turn, oldTurn } = repaired;
    const standing = oldTurn === turn ? this.lastWords.get(repaired.slot) : undefined;
    if (standing === undefined || [old, now].some((value) => compare(standing.value, value) !== 'other')) return [];
    return [{ ...repaired, old: standing.value, oldTurn: standing.turn }];
  }

  #correctionOf(
    turn: SpokenTurn,
    slot: string,
    values: readonly ActValue[],
    heard: SpokenTurn | null,
    explicit: boolean,
  ): Correction | null {
    if (slot === 'count') return null;
    const given = distinct(values.filter((value) => !value.denied));
    const now = given.at(-1);
    if (now === undefined) return null;
    const make = (old: ActValue, oldBy: Correction['oldBy'], oldTurn: number, sure: boolean): Correction => {
      return { turn: turn.index, slot, old, oldBy, oldTurn, now, explicit: sure };
    };
    const inReply = heard === null ? [] : heard.values.filter((value) => value.slot === slot);
    const denied = values.find((value) => value.denied && compare(value, now) === 'other');
    if (denied !== undefined) {
      // Both were offered: then one of them is chosen.
      if (inReply.length > 1 && inReply.some((value) => compare(value, now) === 'same')) return null;
      const byAgent = inReply.some((value) => compare(value, denied) === 'same');
      return make(denied, byAgent ? 'agent' : 'caller', byAgent ? (heard?.index ?? turn.index) : turn.index, true);
    }
    const [said, ...more] = inReply;
    if (given.length > 1) return null;
    if (said !== undefined && more.length === 0 && heard !== null && compare(said, now) === 'other') {
      const sure = explicit || (this.#lists !== null && isAnnounced(turn, now, this.#lists));
      return isCorrectable(slot, said, now) ? make(said, 'agent', heard.index, sure) : null;
    }
    const before = this.lastWords.get(slot);
    if (inReply.length > 0 || before === undefined || compare(before.value, now) !== 'other') return null;
    return explicit && isCorrectable(slot, before.value, now) ? make(before.value, 'caller', before.turn, true) : null;
  }
}

/** The same said twice is one value, and so are the parts of a date: "the twenty-fourth, it's a Tuesday". */
function distinct(values: readonly ActValue[]): readonly ActValue[] {
  const kept: ActValue[] = [];
  for (const value of values) {
    const at = kept.findIndex((before) => compare(before, value) !== 'other');
    const before = kept[at];
    if (before === undefined) kept.push(value);
    else if (compare(before, value) === 'unrelated') kept[at] = { ...before, forms: [...before.forms, ...value.forms] };
  }
  return kept;
}

/** "I come on Tuesday. … Well, the 10th of December 1990": who names a year where none was named tells of another date, a birthday. */
function isAnotherDate(old: ActValue, now: ActValue): boolean {
  return now.slot === 'date' && hasYear(now) && !hasYear(old);
}

const hasYear = ({ forms }: ActValue) => forms.some((form) => /^\d{4}-/.test(form));

/** A count without its noun may count anything. */
function isCorrectable(slot: string, old: ActValue, now: ActValue): boolean {
  if (slot === 'count' || slot === 'money') return false;
  return slot !== 'code' || areNearCodes(old, now);
}

/** "Not B, P": the turn begins with a denial. */
function deniesFirst(turn: SpokenTurn, lists: CompiledWords | null): boolean {
  return lists !== null && phraseAt(lists.denials, (place) => turn.words[place] ?? '', 0) !== null;
}

/** "No", "not that", "I said": words that put something right. */
export function isExplicit(turn: SpokenTurn): boolean {
  return turn.hits.some((hit) => hit.list === 'corrects' || (hit.list === 'no' && hit.from < NO_WITHIN));
}

const NO_WITHIN = 4;

/** Further back a value stands in no one's mind. */
const TURNS_KEPT = 6;

const NO_SLOTS: ReadonlyMap<string, ActValue[]> = new Map();

function bySlot(values: readonly ActValue[]): ReadonlyMap<string, ActValue[]> {
  const slots = new Map<string, ActValue[]>();
  for (const value of values) {
    const known = slots.get(value.slot);
    if (known === undefined) slots.set(value.slot, [value]);
    else known.push(value);
  }
  return slots;
}
