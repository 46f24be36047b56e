import { does } from '../acts/act.ts';
import { type SpokenTurn, says } from '../acts/spoken-turn.ts';
import type { CallBase } from './call-base.ts';
import { claimsDone, refuses } from './outcome-refusal.ts';
import { answeredBetween } from './stretch.ts';
import { type ToolUse, worked } from './tool-uses.ts';
import { roleOfUse } from './use-roles.ts';

/** What the agent's words leave standing: it is done, it was told, it can't be, somebody will call, or it still owes something. */
export type StandingKind = 'nothing' | 'asked' | 'held' | 'told' | 'done' | 'refused' | 'later' | 'handed_over';

export interface Standing {
  kind: StandingKind;
  /** The agent's turn that left it so. */
  turn: SpokenTurn | null;
  /** What stood before a question or an offer: a caller who declines falls back on it. */
  before: Standing | null;
  /** What stood settled before the request that this answers; null where this is the first. */
  settledBefore: Standing | null;
  /** The agent offers that somebody calls or a message is left, because it can't help itself. */
  relays: boolean;
}

const NOTHING: Standing = { kind: 'nothing', turn: null, before: null, settledBefore: null, relays: false };
/** Shorter replies are courtesy, unless they hold a value. */
const WORDS_OF_A_REPLY = 5;

/** What stands in the end. */
export function readStanding(reading: CallBase): Standing {
  return reading.standings().at(-1) ?? NOTHING;
}

/** Words of giving up always do; plans for later or elsewhere only where nothing was settled, or with a complaint. */
export function givesUp(reading: CallBase, turn: SpokenTurn): boolean {
  if (says(turn, 'gives_up')) return true;
  if (!says(turn, 'goes_elsewhere')) return false;
  const stood = reading.standings().findLast((one) => (one.turn?.index ?? -1) < turn.index) ?? NOTHING;
  return !isSettled(stood) || does(turn, 'complains', 'denies', 'asks_for_person');
}

/** Turns in which the agent refuses something beside the main request, which was met before. */
export function refusedBesides(reading: CallBase): ReadonlySet<number> {
  const standings = reading.standings();
  const turns = standings.flatMap(({ kind, turn, settledBefore }, at) => {
    if (kind !== 'refused' || turn === null) return [];
    const before = standings[at - 1];
    const caller = reading.spoken[turn.order - 1];
    if (before?.kind === 'done' && (extraFailed(reading, turn) || isRemarked(caller))) return [turn.index];
    if (settledBefore === null || (!wants(caller ?? null) && !isOffered(reading, turn))) return [];
    const acts = says(caller, 'request_strong') || says(caller, 'go_ahead');
    return settledBefore.kind === 'done' || !acts ? [turn.index] : [];
  });
  return new Set(turns);
}

const WORDS_OF_A_REMARK = 3;

/** The caller remarks on something and asks for nothing; a no to a bare "thanks" would take the deed back. */
function isRemarked(caller: SpokenTurn | undefined): boolean {
  if (caller?.role !== 'caller' || caller.words.length < WORDS_OF_A_REMARK || wants(caller)) return false;
  return !does(caller, 'thanks', 'closes', 'gives', 'corrects', 'complains');
}

/** What the agent says no about is what goes with the matter: the last tool before it was such a one, and failed. */
function extraFailed(reading: CallBase, turn: SpokenTurn): boolean {
  const use = lastUseBefore(reading, turn);
  return use !== undefined && (use.ok === false || use.refusal) && roleOfUse(reading, use) === 'extra';
}

function lastUseBefore(reading: Pick<Talk, 'spoken' | 'tools'>, turn: SpokenTurn): ToolUse | undefined {
  const said = reading.spoken[turn.order - 1]?.index ?? -1;
  return answeredBetween(reading.tools, said, turn.index).at(-1);
}

/** The agent had offered it itself ("shall I text you that?"). */
function isOffered(reading: CallBase, turn: SpokenTurn): boolean {
  const offer = reading.spoken[turn.order - 2];
  return offer?.role === 'agent' && offer.asks;
}

/** What a talk is read from. */
export type Talk = Pick<CallBase, 'call' | 'spoken' | 'caller' | 'tools'>;

/** Reads what stands, turn by turn, from what each turn does; it knows no words itself. */
export function readStandings(reading: Talk): readonly Standing[] {
  const standings: Standing[] = [];
  let standing = NOTHING;
  let callerSpoke = false;
  for (const turn of reading.spoken) {
    if (turn.role === 'caller') {
      callerSpoke = true;
      if (standing.kind === 'asked' && standing.before !== null && declines(turn)) standing = standing.before;
      continue;
    }
    if (!callerSpoke && reading.call.direction === 'inbound') continue;
    standing = after(reading, standing, turn);
    standings.push(standing);
  }
  return [...standings, standing];
}

function after(reading: Talk, standing: Standing, turn: SpokenTurn): Standing {
  const before = reading.spoken[turn.order - 1];
  const caller = before?.role === 'caller' ? before : null;
  const stood = standing.kind === 'asked' ? standing.before : standing;
  const settled = stood !== null && isSettled(stood) ? stood : null;
  const leave = (kind: StandingKind): Standing => ({
    kind,
    turn,
    before: kind === 'asked' ? stood : null,
    settledBefore:
      settled !== null && caller !== null && (wants(caller) || settled.kind === 'done')
        ? settled
        : standing.settledBefore,
    relays: settled?.kind !== 'done' && kind === 'asked' && (does(turn, 'calls_back') || standing.relays),
  });
  const offers = (turn.asks && !does(turn, 'offers_more')) || does(turn, 'asks_value', 'asks_again');
  const agreed = standing.kind === 'asked' && does(caller ?? undefined, 'confirms') ? standing.turn : null;
  const could = says(turn, 'could') || offers;
  if (standing.kind === 'handed_over' && !refuses(turn) && !isAnswered(turn, caller)) return standing;
  if ((does(turn, 'hands_over') && !could) || (agreed !== null && does(agreed, 'hands_over')))
    return leave('handed_over');
  if (does(turn, 'calls_back') || (agreed !== null && does(agreed, 'calls_back'))) {
    return leave(didMore(reading, turn, caller) ? 'done' : offers ? 'asked' : 'later');
  }
  if (relaysAgreed(standing, turn, caller)) return leave(offers ? 'asked' : 'later');
  if (refuses(turn)) return leave('refused');
  const tells = !offers || wordsBeforeQuestion(turn) >= WORDS_OF_A_DEED;
  const goesAhead =
    agreed !== null && sumsUp(agreed) && !does(turn, 'reads_back', 'asks_value') && (tells || !does(turn, 'offers'));
  const did = tells && didMore(reading, turn, caller);
  const last = lastUseBefore(reading, turn);
  if (standing.kind === 'refused' && last !== undefined && roleOfUse(reading, last) === 'extra') return standing;
  if (claimsDone(turn) || did || (goesAhead && tells)) return leave('done');
  if (offers) return isSettled(standing) && !isReply(turn) && !wants(caller) ? standing : leave('asked');
  if (does(turn, 'offers_more') && !isReply(turn)) return standing;
  if (does(turn, 'holds') && turn.values.length === 0) return leave('held');
  if (isSettled(standing)) {
    const goesOnTelling =
      standing.kind === 'told' && turn.values.length > 0 && !does(turn, 'closes') && !takesLeave(caller);
    return goesOnTelling || isAnswered(turn, caller) ? leave('told') : standing;
  }
  if (standing.kind === 'refused' || standing.kind === 'later') return goesOn(turn, caller) ? leave('told') : standing;
  return isReply(turn) || wants(caller) ? leave('told') : standing;
}

/**
 * In the place of an answer somebody was to call or a message to be left, and the caller went along: what the agent says next
 * is about that. Where something else was settled before, the call goes with it.
 */
function relaysAgreed(standing: Standing, turn: SpokenTurn, caller: SpokenTurn | null): boolean {
  if (!standing.relays || caller === null) return false;
  return !isAnswered(turn, caller) && !declines(caller);
}

/** What a yes sets going: a reading back, an offer, or a question that holds what was agreed. */
function sumsUp(turn: SpokenTurn): boolean {
  return does(turn, 'reads_back', 'offers') || turn.values.length >= VALUES_OF_A_SUM;
}

const VALUES_OF_A_SUM = 2;

/** A statement after "shall I?" and "yes" tells of the deed; fewer words are an "okay". */
const WORDS_OF_A_DEED = 4;

function isAnswered(turn: SpokenTurn, caller: SpokenTurn | null): boolean {
  return wants(caller) && isReply(turn) && !does(turn, 'closes');
}

/** After a no the talk went on: the caller asked on or told more, and got an answer of substance. */
function goesOn(turn: SpokenTurn, caller: SpokenTurn | null): boolean {
  if (isAnswered(turn, caller) && turn.values.length > 0) return true;
  const tells = caller !== null && caller.words.length >= WORDS_OF_A_REPLY && !does(caller, 'closes', 'thanks');
  const moved = turn.values.length > 0 || does(caller ?? undefined, 'confirms', 'gives');
  return tells && moved && turn.words.length >= WORDS_OF_AN_ANSWER && !does(turn, 'apologises', 'closes');
}

const WORDS_OF_AN_ANSWER = 8;

/** A tool did what was asked since the caller spoke, so that the call that is promised goes with it. */
function didMore(reading: Talk, turn: SpokenTurn, caller: SpokenTurn | null): boolean {
  const since = caller?.index ?? turn.index;
  return answeredBetween(reading.tools, since, turn.index).some(
    (use) => use.effect === 'write' && worked(use) && roleOfUse(reading, use) === 'main',
  );
}

function wordsBeforeQuestion(turn: SpokenTurn): number {
  const text = turn.turn.text;
  const question = text.lastIndexOf('?');
  const start = Math.max(...['.', '!', '?', '\n'].map((sign) => text.lastIndexOf(sign, question - 1)));
  return turn.starts.filter((at) => at < start).length;
}

export function isSettled({ kind }: Standing): boolean {
  return kind === 'done' || kind === 'told';
}

const WORDS_OF_LEAVE = 8;

/** The caller asks for something or for an answer. */
export function wants(turn: SpokenTurn | null): boolean {
  if (turn === null || (!turn.asks && !does(turn, 'requests'))) return false;
  if (turn.asks || !does(turn, 'closes', 'thanks')) return true;
  return says(turn, 'request_strong') && turn.words.length > WORDS_OF_LEAVE;
}

/** Whoever says thanks or goodbye and asks for nothing has had what was said: a reply to that tells nothing new. */
function takesLeave(caller: SpokenTurn | null): boolean {
  return caller !== null && does(caller, 'closes', 'thanks') && !wants(caller);
}

function declines(turn: SpokenTurn): boolean {
  return does(turn, 'denies', 'closes', 'thanks') && !wants(turn) && !does(turn, 'corrects', 'gives');
}

/** More than courtesy: it holds a value, or words before the offer of more. */
function isReply(turn: SpokenTurn): boolean {
  if (turn.values.length > 0) return true;
  const more = turn.hits.find((hit) => hit.list === 'offers_more');
  if (more !== undefined) return more.from > WORDS_OF_A_REPLY;
  return turn.words.length >= WORDS_OF_A_REPLY && !does(turn, 'closes');
}
