import { does } from '../acts/act.ts';
import type { SpokenTurn } from '../acts/spoken-turn.ts';
import type { PhraseHit } from '../words/phrase-shape.ts';
import { talkWords, talkWordsOf } from '../words/talk-words.ts';
import { TOOLS_OF_CLAIMS } from '../words/tools/names.ts';
import type { CallBase } from './call-base.ts';
import type { Claim } from './claim.ts';
import { quoteHit, storedText } from './quotes.ts';
import { type ToolUse, worked } from './tool-uses.ts';
import { splitName } from './tool-words.ts';
import { resultLeaves } from './use-leaves.ts';

/** A claim of the ledger with what decided its verdict. */
export interface ClaimReading extends Claim {
  /** The tool use that decides the verdict; null where there is none. */
  use: ToolUse | null;
  /** True for the name of a tool that does what is claimed. */
  does(toolName: string): boolean;
}

/**
 * The claim ledger: what the agent says it has done, tied to the tool result that backs it. Empty where the record
 * holds no tools at all, because then silence of the tools proves nothing. Conditions ("once I have booked"),
 * questions and denials are no claims, and a state that a look-up showed ("your flight has been cancelled") is backed by it.
 */
export function readClaims(reading: CallBase): ClaimReading[] {
  if (reading.tools.length === 0 && (reading.configuration?.tools.length ?? 0) === 0) return [];
  const claims: ClaimReading[] = [];
  const conditions = talkWordsOf(reading.language, 'conditions');
  const backedKinds = new Map<string, ClaimReading>();
  const texts = new Map<ToolUse, string>();
  for (const turn of reading.agent) {
    const kinds = new Set<string>();
    for (const hit of turn.hits) {
      if (!hit.list.startsWith('claim:')) continue;
      const kind = hit.list.slice('claim:'.length);
      if (kinds.has(kind) || !isAssertion(turn, hit, conditions)) continue;
      kinds.add(kind);
      const claim = judge(reading, turn, hit, kind, backedKinds, texts);
      if (claim === null) continue;
      claims.push(claim);
      if (claim.verdict === 'backed') backedKinds.set(kind, claim);
    }
  }
  return claims;
}

function judge(
  reading: CallBase,
  turn: SpokenTurn,
  hit: PhraseHit,
  kind: string,
  backedKinds: ReadonlyMap<string, ClaimReading>,
  texts: Map<ToolUse, string>,
): ClaimReading | null {
  const make = (verdict: Claim['verdict'], use: ToolUse | null): ClaimReading => ({
    turn: turn.index,
    text: quoteHit(turn, hit),
    kind,
    backedBy: use?.resultTurn ?? use?.callTurn ?? null,
    verdict,
    use,
    does: (toolName) => splitName(toolName).some((word) => TOOLS_OF_CLAIMS[kind]?.has(word) === true),
  });
  const matching = lastMatching(reading, turn, kind);
  if (matching !== null && worked(matching)) return make('backed', matching);
  const before = backedKinds.get(kind);
  if (before !== undefined) return make('backed', before.use);
  // Nobody can tell what the tool did, so nothing speaks for the claim, and nothing against it.
  if (matching?.ok === null) return null;
  if (matching !== null) return make(matching.ok ? 'contradicted' : 'after_failure', matching);
  if (isState(reading, turn, hit)) return null;
  const look = shownByLookup(reading, turn, hit, texts);
  if (look !== null) return make('backed', look);
  const other = lastOtherWrite(reading, turn);
  if (other !== null) return worked(other) ? make('backed', other) : null;
  return isOwnDeed(turn, hit) || !isReadOut(reading, turn, hit) ? make('unbacked', null) : null;
}

/** "Your claim has gone through", "your request for … has been registered", right behind a look-up: what stands there is told. */
function isState(reading: CallBase, turn: SpokenTurn, hit: PhraseHit): boolean {
  const words = turn.words.slice(hit.from, hit.to);
  if (isOwnDeed(turn, hit) || !(words.includes('through') || words.length > WORDS_OF_A_CLAIM)) return false;
  const asked = reading.spoken.slice(0, turn.order).findLast(({ role }) => role === 'caller')?.index ?? -1;
  return usesBefore(reading, turn).some((use) => use.effect === 'read' && (use.resultTurn ?? -1) > asked);
}

const WORDS_OF_A_CLAIM = 8;

/** A state in the passive that nobody asked for, or that is the reason for a no, is read from somewhere and not done. */
function isReadOut(reading: CallBase, turn: SpokenTurn, hit: PhraseHit): boolean {
  return !answersRequest(reading, turn) || does(turn, 'cannot') || tellsOfNumber(reading, turn, hit);
}

/** The last use that does this kind of thing: before the claim, or begun in the same breath, before the caller speaks again. */
function lastMatching(reading: CallBase, turn: SpokenTurn, kind: string): ToolUse | null {
  const does = TOOLS_OF_CLAIMS[kind];
  if (does === undefined) return null;
  const fits = (use: ToolUse) => isDeed(use) && use.nameWords.some((word) => does.has(word));
  const after = usesInSameBreath(reading, turn).find(fits) ?? null;
  const before = usesBefore(reading, turn).find(fits) ?? null;
  return after?.ok === true && (before === null || before.ok === false) ? after : before;
}

function lastOtherWrite(reading: CallBase, turn: SpokenTurn): ToolUse | null {
  const fits = (use: ToolUse) => isDeed(use) && use.ok !== false && !use.refusal;
  return usesBefore(reading, turn).find(fits) ?? usesInSameBreath(reading, turn).find(fits) ?? null;
}

/** A result before the claim that already holds the claimed state: the agent reads out, it does not claim a deed. */
function shownByLookup(
  reading: CallBase,
  turn: SpokenTurn,
  hit: PhraseHit,
  texts: Map<ToolUse, string>,
): ToolUse | null {
  const verb = turn.words[hit.to - 1] ?? '';
  const states = hit.list === 'claim:book' && !isOwnDeed(turn, hit) ? BOOKED_STATES : [verb];
  for (const use of usesBefore(reading, turn).slice(0, LOOKUPS_READ)) {
    if (use.resultTurn === null || use.ok === false) continue;
    const text = texts.get(use) ?? storedText(use.body).toLowerCase();
    texts.set(use, text);
    if (states.some((state) => state.length >= LETTERS_OF_A_STATE && text.includes(state))) return use;
  }
  return null;
}

/** "Four families are on the list": a state of so many as a look-up gave and the caller never named. */
function tellsOfNumber(reading: CallBase, turn: SpokenTurn, hit: PhraseHit): boolean {
  const numbers = numberAtHead(turn, hit);
  if (numbers.length === 0 || reading.caller.some((one) => one.index < turn.index && names(one, numbers))) return false;
  const results = usesBefore(reading, turn).slice(0, LOOKUPS_READ);
  return results.some((use) => resultLeaves(use).some(({ value }) => numbers.includes(String(value))));
}

/** The number with which the clause of the claim begins, in its forms. */
function numberAtHead(turn: SpokenTurn, hit: PhraseHit): readonly string[] {
  const { text } = turn.turn;
  const end = turn.starts[hit.from] ?? 0;
  const start = Math.max(...[...'.!?,;:\n'].map((sign) => text.lastIndexOf(sign, end - 1))) + 1;
  const first = turn.values.find(({ from, to }) => from >= start && to <= end);
  return first?.kind === 'number' && text.slice(start, first.from).trim() === '' ? first.forms : [];
}

function names(turn: SpokenTurn, numbers: readonly string[]): boolean {
  return turn.values.some(({ forms }) => forms.some((form) => numbers.includes(form)));
}

function isDeed(use: ToolUse): boolean {
  return use.effect === 'write' || use.effect === 'unknown';
}

/** How far back a claim looks, so that a long call costs no more a claim than a short one. */
const USES_READ = 40;
/** Words by which a record shows that something is booked. */
const BOOKED_STATES = [...talkWords('booked')];
const LOOKUPS_READ = 6;
/** "On" stands in nearly every text. */
const LETTERS_OF_A_STATE = 4;

/** Uses begun up to the turn, newest first. */
function usesBefore(reading: CallBase, turn: SpokenTurn): ToolUse[] {
  const end = firstUseAfter(reading.tools, turn.index);
  return reading.tools.slice(Math.max(0, end - USES_READ), end).reverse();
}

function usesInSameBreath(reading: CallBase, turn: SpokenTurn): ToolUse[] {
  let until = Number.MAX_SAFE_INTEGER;
  for (let order = turn.order + 1; order < reading.spoken.length; order += 1) {
    const one = reading.spoken[order];
    if (one?.role !== 'caller') continue;
    until = one.index;
    break;
  }
  const start = firstUseAfter(reading.tools, turn.index);
  return reading.tools.slice(start, start + USES_READ).filter((use) => turnOf(use) < until);
}

/** Uses stand in the order of their turns, so the border is found by halving. */
function firstUseAfter(tools: readonly ToolUse[], turn: number): number {
  let low = 0;
  let high = tools.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const use = tools[middle];
    if (use !== undefined && turnOf(use) <= turn) low = middle + 1;
    else high = middle;
  }
  return low;
}

function turnOf(use: ToolUse): number {
  return use.callTurn ?? use.resultTurn ?? 0;
}

function isAssertion(turn: SpokenTurn, hit: PhraseHit, conditions: ReadonlySet<string>): boolean {
  const text = turn.turn.text;
  for (let at = hit.from - 1; at >= 0 && at >= hit.from - 8; at -= 1) {
    const between = text.slice(turn.ends[at] ?? 0, turn.starts[at + 1] ?? 0);
    if (/[.!?,;:\n]/.test(between)) break;
    if (conditions.has(turn.words[at] ?? '')) return false;
  }
  for (let at = hit.from; at < hit.to; at += 1)
    if (conditions.has(turn.words[at] ?? '') && turn.words[at] !== 'will' && !isObject(turn, at)) return false;
  // "Cancelled by the airline" tells of somebody else's deed, "listed as" of a state, "scheduled to depart" of a plan.
  if (
    AFTERWORDS.has(turn.words[hit.to] ?? '') &&
    !(turn.words[hit.to] === 'to' && !PLANNED.has(turn.words[hit.to - 1] ?? ''))
  )
    return false;
  const end = turn.ends[hit.to - 1] ?? 0;
  // "Is now on" tells a deed where a day or a time follows.
  if (ENDS_OPEN.has(turn.words[hit.to - 1] ?? '') && !isMomentBehind(turn, end)) return false;
  const stop = /[.!?\n]/.exec(text.slice(end, end + 300))?.[0];
  return stop !== '?' && turn.order > 0;
}

const ENDS_OPEN = words('on at');

function isMomentBehind(turn: SpokenTurn, end: number): boolean {
  return turn.values.some(({ kind, from }) => (kind === 'date' || kind === 'time') && from >= end && from <= end + 2);
}

/** "I've put all of that on the card": the thing that was said, and no clause. */
function isObject(turn: SpokenTurn, at: number): boolean {
  return turn.words[at] === 'that' && BEFORE_OBJECT.has(turn.words[at - 1] ?? '');
}

const BEFORE_OBJECT = words('of put noted written');
const AFTERWORDS = words('by as to');
const PLANNED = words('scheduled booked due set');
const OWN = talkWords('own');

function isOwnDeed(turn: SpokenTurn, hit: PhraseHit): boolean {
  for (let at = hit.from; at < hit.to; at += 1) if (OWN.has(turn.words[at] ?? '')) return true;
  return false;
}

/** True where the caller has lately asked for something or agreed to something. */
function answersRequest(reading: CallBase, turn: SpokenTurn): boolean {
  let callerTurns = 0;
  for (let order = turn.order - 1; order >= 0 && callerTurns < CALLER_TURNS_READ; order -= 1) {
    const before = reading.spoken[order];
    if (before?.role !== 'caller') continue;
    callerTurns += 1;
    if (before.hits.some((hit) => hit.list === 'yes' || hit.list === 'request' || hit.list === 'request_strong'))
      return true;
  }
  return false;
}

const CALLER_TURNS_READ = 3;

function words(row: string): ReadonlySet<string> {
  return new Set(row.split(' '));
}
