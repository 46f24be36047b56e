import type { ModelRequest } from '../model-requests.ts';
import { asidesOf, TASKS } from './asides.ts';
import { looksLikeContext } from './context-messages.ts';
import { isSameOrCut, plainWords, SAME_MOMENT_MS, type Step, stepOf, type TalkItem } from './items.ts';
import { closestRows, longestChain } from './longest-chain.ts';

/** One thing of the talk, with when it was first told of. */
export interface Told extends TalkItem {
  atMs: number;
  /** The request that answered it; null where it was given to one. */
  by: ModelRequest | null;
}

/** What is not yet told of takes its place behind what is: times that are equal keep their order. */
const NEXT_MS = 0.001;

/**
 * The talk that models were given piece by piece: each is given what was said so far, or as much of it as fits, shortened,
 * summed up or without tools, and adds its answer. What was said is told by its words, and not by how much of it there is.
 * @param requests in order of their begin
 * @param heard what was synthesised
 */
export function talkOf(requests: readonly ModelRequest[], heard: readonly string[] = []): Told[] {
  const steps = requests.map(stepOf);
  const asides = asidesOf(steps, plainWords(heard.join(' ')));
  const talk = new Talk();
  for (const step of steps) if (!asides.has(step)) talk.take(step);
  for (const step of verbatim(
    steps.filter((step) => asides.has(step)),
    talk,
  ))
    talk.takeTrigger(step);
  return talk.told();
}

/** Of requests that nobody heard the answers of, those of which the caller's words come as they were said. */
function verbatim(asides: readonly Step[], talk: Talk): Step[] {
  const isPlain = ({ trigger, request }: Step) =>
    trigger !== null && !request.judged && !TASKS.test(trigger.text) && !looksLikeContext(trigger.text);
  const known = new Set(asides.filter(({ trigger }) => trigger !== null && talk.has(trigger)).map(makerOf));
  return asides.filter((step) => isPlain(step) && known.has(makerOf(step)));
}

const makerOf = ({ request }: Step) => `${request.span.scope} ${request.span.name} ${request.system.slice(0, 120)}`;

/** Within that time one model hands over to another. */
const HANDS_OVER_MS = 2_000;

class Talk {
  #items: Told[] = [];
  readonly #placesOf = new Map<string, number[]>();
  /** Whether some model was given again what was answered before, and whether one was given nothing of it. */
  #gives = { old: false, onlyNew: false };
  #before: (Step & { found: (Told | null)[] }) | null = null;

  has({ key }: TalkItem): boolean {
    return this.#placesOf.has(key);
  }

  told(): Told[] {
    let lastMs = Number.NEGATIVE_INFINITY;
    return this.#items.map((item) => {
      lastMs = Math.max(item.atMs, lastMs + NEXT_MS);
      return { ...item, atMs: lastMs };
    });
  }

  take(step: Step): void {
    const { request, input, output } = step;
    const found = this.#find(step);
    const answered = this.#items.findLastIndex(({ kind }) => kind === 'agent');
    const isOld = found.some((item) => item !== null && item.text !== '' && this.#placeOf(item) <= answered);
    if (isOld) this.#gives.old = true;
    else if (answered >= 0) this.#gives.onlyNew = true;
    this.#renew(input, found);
    this.#add(step, found);
    for (const item of output) this.#push({ ...item, atMs: request.span.endMs, by: request });
    this.#before = { ...step, found };
  }

  /** Takes what only a request knows whose answer was heard by nobody. */
  takeTrigger({ trigger, request }: Step): void {
    if (trigger === null || this.has(trigger)) return;
    const told = { ...trigger, atMs: request.span.startMs, by: null };
    const after = this.#items.findIndex(({ atMs }) => atMs > told.atMs);
    this.#insert(after < 0 ? this.#items.length : after, told);
  }

  /** Which of the things that a model was given are told of already. */
  #find(step: Step): (Told | null)[] {
    const { input } = step;
    const found: (Told | null)[] = new Array(input.length).fill(null);
    const same = this.#sameAsBefore(step);
    for (let at = 0; at < same; at += 1) found[at] = this.#before?.found[at] ?? null;
    const from = this.#placeAfter(found, same);
    const anchor = this.#anchor(input, same, from);
    if (anchor === null) this.#align(input, found, { from: same, to: input.length }, { from, to: this.#items.length });
    else {
      found[anchor.at] = this.#items[anchor.place] ?? null;
      this.#align(input, found, { from: same, to: anchor.at }, { from, to: anchor.place });
      this.#align(
        input,
        found,
        { from: anchor.at + 1, to: input.length },
        { from: anchor.place + 1, to: this.#items.length },
      );
    }
    const last = anchor?.at ?? found.findLastIndex((item) => item !== null);
    this.#findChanged(input, found, { from: same, to: last }, from);
    this.#findMoved(input, found, last);
    if (anchor === null) this.#loseRepeated(step, found);
    return found;
  }

  /** How many things a model was given before all others just as the one before it was, whose answer follows. */
  #sameAsBefore({ input, request }: Step): number {
    const before = this.#before;
    if (before === null || before.input.some(({ key }, at) => input[at]?.key !== key)) return 0;
    // A window may look as it did before, once what moved through it was said again.
    const isAll = input.length === before.input.length;
    const isSoon = request.span.startMs - before.request.span.endMs <= SAME_MOMENT_MS;
    const [answer] = before.output;
    const next = input[before.input.length];
    if (isAll ? !isSoon : answer !== undefined && next?.key !== answer.key) return 0;
    let same = isAll ? input.length - 1 : before.input.length;
    while (same > 0 && before.found[same - 1] === null) same -= 1;
    return Math.max(0, same);
  }

  #placeAfter(found: readonly (Told | null)[], same: number): number {
    for (let at = same - 1; at >= 0; at -= 1) {
      const item = found[at];
      if (item) return this.#placeOf(item) + 1;
    }
    return 0;
  }

  #placeOf(item: Told): number {
    return (
      (this.#placesOf.get(item.key) ?? []).find((place) => this.#items[place] === item) ?? this.#items.indexOf(item)
    );
  }

  /** The last answer is where what is new begins; calls of tools after it are often left out of what a model is given. */
  #anchor(input: readonly TalkItem[], from: number, least: number): { at: number; place: number } | null {
    for (let place = this.#items.length - 1; place >= least; place -= 1) {
      const answer = this.#items[place];
      if (!answer || answer.by === null) continue;
      const at = input.findLastIndex((item, index) => index >= from && isAnswer(item, answer));
      if (at >= 0) return { at, place };
      if (answer.kind === 'agent') return null;
    }
    return null;
  }

  #align(input: readonly TalkItem[], found: (Told | null)[], rows: Range, places: Range): void {
    const chain = longestChain(Math.max(0, rows.to - rows.from), (nth) =>
      (this.#placesOf.get(input[rows.from + nth]?.key ?? '') ?? [])
        .filter((place) => place >= places.from && place < places.to)
        .map((place) => place - places.from),
    );
    for (const [nth, place] of chain.entries()) {
      if (place >= 0) found[rows.from + nth] = this.#items[places.from + place] ?? null;
    }
  }

  /** What was shortened or blackened stands where it stood, among as many others as there were. */
  #findChanged(input: readonly TalkItem[], found: (Told | null)[], rows: Range, from: number): void {
    const end = found[rows.to];
    if (!end || !found.slice(rows.from, rows.to).includes(null)) return;
    const counts = { first: rows.to - rows.from, second: Math.max(0, this.#placeOf(end) - from) };
    const places = closestRows(counts, (at, place) => {
      const [given, told] = [input[rows.from + at], this.#items[from + place]];
      if (given === undefined || given.kind !== told?.kind) return 'none';
      return given.key === told.key ? 'same' : given.text === '' ? 'none' : 'kind';
    });
    for (const [at, place] of places?.entries() ?? []) {
      found[rows.from + at] = place < 0 ? null : (this.#items[from + place] ?? null);
    }
  }

  /** What is told of already, and stands in another order. */
  #findMoved(input: readonly TalkItem[], found: (Told | null)[], until: number): void {
    const taken = new Set(found);
    for (let at = 0; at < until; at += 1) {
      if (found[at] !== null) continue;
      const places = this.#placesOf.get(input[at]?.key ?? '') ?? [];
      const free = places.map((place) => this.#items[place]).findLast((item) => item !== undefined && !taken.has(item));
      if (!free) continue;
      found[at] = free;
      taken.add(free);
    }
  }

  /**
   * The same words as before are said again where they were answered, and nothing shows that the model is only asked
   * again: it was not given the answer before them, or other things than the last time.
   */
  #loseRepeated({ input, request, trigger }: Step, found: (Told | null)[]): void {
    if (input.at(-1) !== trigger || this.#isAskedAgain(request)) return;
    for (let at = input.length - 1; input[at]?.kind === 'caller'; at -= 1) {
      // A sender that never gives what was said before gives only what is new.
      if ((this.#gives.old || !this.#gives.onlyNew) && at < input.length - 1) return;
      const item = found[at];
      const place = item ? this.#placeOf(item) : -1;
      const wasAnswered = place >= 0 && this.#items.slice(place).some(({ kind }) => kind === 'agent');
      if (wasAnswered && !this.#follows(place, found, at)) found[at] = null;
    }
  }

  #isAskedAgain({ span, system }: ModelRequest): boolean {
    const before = this.#before?.request;
    if (!before) return false;
    if (span.startMs < before.span.endMs) return true;
    const isOther = before.system !== system || before.span.name !== span.name;
    return isOther && span.startMs - before.span.endMs < HANDS_OVER_MS;
  }

  /** Whether a thing stands right behind the answer that it stood behind the last time. */
  #follows(place: number, found: readonly (Told | null)[], at: number): boolean {
    const before = this.#items.slice(0, place).findLast(({ kind }) => kind === 'agent');
    const given = found.slice(0, at).findLast((item) => item !== null && item.kind === 'agent');
    return before !== undefined && before === given;
  }

  /** Of a tool the last result counts: the first may only say that it runs. */
  #renew(input: readonly TalkItem[], found: readonly (Told | null)[]): void {
    for (const [at, item] of found.entries()) {
      const given = input[at];
      if (item?.kind !== 'result' || !given?.result || isPlaceholder(given.result.body)) continue;
      item.result = given.result;
    }
  }

  #add(step: Step, found: (Told | null)[]): void {
    const { input } = step;
    let at = 0;
    while (at < input.length) {
      if (found[at] !== null) {
        at += 1;
        continue;
      }
      let to = at;
      while (to < input.length && found[to] === null) to += 1;
      this.#addRow(step, found, { from: at, to });
      at = to;
    }
  }

  /** Things in a row of which none is told of: changed ones take the place of those that stood there, others are new. */
  #addRow(step: Step, found: (Told | null)[], row: Range): void {
    const { input, request } = step;
    const before = row.from === 0 ? null : (found[row.from - 1] ?? null);
    const behind = found[row.to] ?? null;
    const taken = new Set(found);
    const from = before === null ? 0 : this.#placeOf(before) + 1;
    const to = behind === null ? this.#items.length : this.#placeOf(behind);
    const standing = this.#items.slice(from, Math.max(from, to)).filter((item) => !taken.has(item));
    // What comes behind the last answer is new, however it reads; before that a changed thing stands where it stood.
    const isNewFrom = behind === null ? lastAnswer(input, row) + 1 : row.to;
    let place = Math.max(from, to);
    for (let at = row.from; at < row.to; at += 1) {
      const item = input[at];
      if (!item) continue;
      const changed = at < isNewFrom ? takeLike(standing, item) : takeSame(standing, item, before !== null);
      if (changed) {
        found[at] = changed;
        if (isLonger(item, changed)) this.#reword(changed, item, standing);
        continue;
      }
      if (at < isNewFrom && this.#isCutForm(item)) continue;
      if (item !== step.trigger && item.text !== '' && looksLikeContext(item.text)) continue;
      const told: Told = { ...item, atMs: behind?.atMs ?? this.#beginOf(item, request), by: null };
      found[at] = told;
      this.#insert(Math.min(place, this.#items.length), told);
      place += 1;
    }
  }

  /** Whether a thing is the beginning of what is told of, as contexts are shortened. */
  #isCutForm({ kind, key, text }: TalkItem): boolean {
    return (
      text !== '' && this.#items.some((told) => told.kind === kind && told.key !== key && isSameOrCut(told.text, text))
    );
  }

  /** What the caller said came before all that the agent did about it; a tool was called at the end of an answer. */
  #beginOf({ kind }: TalkItem, { beganMs, span }: ModelRequest): number {
    if (kind === 'call') return Math.min(this.#before?.request.span.endMs ?? span.startMs, span.startMs);
    return kind === 'caller' ? beganMs : span.startMs;
  }

  /** The recogniser went on. What was answered to the beginning was thrown away: the model was not given it again. */
  #reword(item: Told, { text, key }: TalkItem, standing: readonly Told[]): void {
    const lost = new Set(standing.filter(({ kind, by }) => kind === 'agent' && by !== null));
    item.text = text;
    item.key = key;
    this.#items = this.#items.filter((other) => !lost.has(other));
    this.#index();
  }

  #push(item: Told): void {
    this.#insert(this.#items.length, item);
  }

  #insert(place: number, item: Told): void {
    this.#items.splice(place, 0, item);
    if (place === this.#items.length - 1) {
      const places = this.#placesOf.get(item.key);
      if (places) places.push(place);
      else this.#placesOf.set(item.key, [place]);
      return;
    }
    this.#index();
  }

  #index(): void {
    this.#placesOf.clear();
    for (const [at, { key }] of this.#items.entries()) {
      const places = this.#placesOf.get(key);
      if (places) places.push(at);
      else this.#placesOf.set(key, [at]);
    }
  }
}

interface Range {
  from: number;
  to: number;
}

const isAnswer = (item: TalkItem, { kind, key, text }: Told) =>
  item.kind === kind && (item.key === key || (kind === 'agent' && isSameOrCut(item.text, text)));

const lastAnswer = (input: readonly TalkItem[], { from, to }: Range) => {
  for (let at = to - 1; at >= from; at -= 1) if (input[at]?.kind === 'agent') return at;
  return from - 1;
};

/** Takes the first of the things that stand there of the same kind. */
function takeLike(standing: Told[], item: TalkItem): Told | null {
  const at = standing.findIndex(({ kind }) => kind === item.kind);
  return at < 0 ? null : (standing.splice(at, 1)[0] ?? null);
}

/** Takes the one that says the same, or that is its beginning: any, where what stood before them is the same. */
function takeSame(standing: Told[], item: TalkItem, isThere: boolean): Told | null {
  if (item.text === '') return null;
  const isBeginning = ({ kind, text }: Told) => isThere && kind === 'caller' && goesOn(text, item.text);
  const at = standing.findIndex(
    (told) => isOtherForm(told, item) && (isSameOrCut(told.text, item.text) || isBeginning(told)),
  );
  return at < 0 ? null : (standing.splice(at, 1)[0] ?? null);
}

/** What is told of in the same form was laid upon it already, or is said again. */
const isOtherForm = (told: Told, { kind, key }: TalkItem) => told.kind === kind && told.key !== key;

const goesOn = (text: string, longer: string) => plainWords(longer).startsWith(`${bareWords(text)} `);
const bareWords = (text: string) => plainWords(text).replace(/[\s.,!?…]{1,20}$/, '');

const isLonger = (item: TalkItem, told: Told) =>
  item.kind === 'caller' && told.kind === 'caller' && goesOn(told.text, item.text);

const PLACEHOLDERS = new Set(['IN_PROGRESS', 'COMPLETED', 'CANCELLED']);

export const isPlaceholder = (body: unknown) => typeof body === 'string' && PLACEHOLDERS.has(body);
