import type { SpokenTurn } from '../acts/spoken-turn.ts';
import { quotedWordings } from '../signals/quoted-orders.ts';
import { cutWords } from '../text.ts';
import type { ProofContext } from './proof-context.ts';
import {
  type AtTurn,
  anyOf,
  type FindingToProve,
  isAgents,
  isCallers,
  isPhrase,
  isToolText,
  likeness,
  type ProofCheck,
  turnsOf,
} from './proof-form.ts';
import { isPutThrough } from './prove-tools.ts';
import { lettersOf } from './quotes.ts';

/** Wishes that hold for the rest of the call; anything else is answered in the next turns or not at all. */
const LASTING: ReadonlySet<string> = new Set(['opt_out_ignored', 'language_mismatch', 'jailbreak_accepted']);
const REPLIES = 2;
/** What only fills in is no reply ("One moment, please."). */
const FILLER_LETTERS = 30;

/** The caller said it before, and the finding's turn is among the next replies. */
export const unanswered: ProofCheck = (finding, context) => {
  const before = turnsOf(finding, context).filter((one) => isCallers(one) && one.turn.index < finding.turn);
  return anyOf(
    before,
    ({ turn }) => !LASTING.has(finding.code) && repliesUntil(turn.index, finding, context) > REPLIES,
  );
};

/** Replies of the agent from a turn to the finding's, those that only fill in left out. */
function repliesUntil(since: number, { turn }: FindingToProve, { talk }: ProofContext): number {
  const between = talk().spoken.filter(({ index }) => index > since && index <= turn);
  const isFiller = (one: SpokenTurn) => one.index < turn && lettersOf(one.turn.text).length <= FILLER_LETTERS;
  const isReply = (one: SpokenTurn, at: number) => one.role === 'agent' && between[at - 1]?.role !== 'agent';
  return between.filter((one, at) => isReply(one, at) && !isFiller(one)).length;
}

/** Another turn of the agent, with other words. */
export const twoTurns: ProofCheck = (finding, context) => {
  const isLockedOut = finding.code === 'handover_locked_out';
  return anyOf(turnsOf(finding, context).filter(isAgents), ({ quote }) => {
    return isSame(quote, finding.quote) || (isLockedOut && isPutThrough(finding.turn, context));
  });
};

/** A turn of the far side came before. */
export const machine: ProofCheck = (finding, context) => {
  const far = ({ turn }: AtTurn) => (turn.role === 'caller' || turn.role === 'other') && turn.index < finding.turn;
  return turnsOf(finding, context).some(far) ? null : 'proof_missing';
};

/** An earlier turn, or a result, settled it; the same words break nothing. */
export const state: ProofCheck = (finding, context) => {
  const earlier = turnsOf(finding, context).filter(({ turn }) => turn.index < finding.turn);
  return anyOf(earlier, ({ quote }) => finding.code === 'agreed_state_changed' && isSame(quote, finding.quote));
};

/** The caller's own words, once the agent has answered what they said first: before that nothing of the call can annoy them. */
export const callerWords: ProofCheck = ({ turn }, { talk }) => {
  const { agent, caller } = talk();
  const first = caller[0]?.index ?? turn;
  return agent.some(({ index }) => index > first && index < turn) ? null : 'proof_does_not_hold';
};

/** Nearly the same letters in another turn of the agent. */
export const repeated: ProofCheck = (finding, context) => {
  const own = context.turnAt.get(finding.turn)?.text ?? '';
  return anyOf(
    turnsOf(finding, context).filter(isAgents),
    ({ turn, quote }) => likeness(quote, finding.quote) < ALIKE && likeness(turn.text, own) < ALIKE,
  );
};

const ALIKE = 0.6;

/** Another turn shows what was open, and hardly anybody spoke after the finding's. Who was put through did not leave. */
export const ending: ProofCheck = (finding, context) => {
  const { call, talk } = context;
  const after = talk().spoken.filter(({ index }) => index > finding.turn).length;
  const isOver = finding.code === 'caller_left_mid_task' && call.ending.family === 'transfer';
  return anyOf(turnsOf(finding, context), () => isOver || after > TURNS_AFTER);
};

const TURNS_AFTER = 4;

/**
 * The agent's own words, which are no line that it is told to say, and which name a tool, hold words of its text, or speak of
 * what it was told; in a language without lists, any words.
 */
export const ownWords: ProofCheck = ({ turn, quote }, context) => {
  const { configuration, text, tools, talk } = context;
  const said = lettersOf(quote);
  const toSay = [configuration?.firstMessage ?? '', ...text.lines.flatMap(quotedWordings)];
  if (toSay.some((wording) => lettersOf(wording).includes(said))) return 'proof_does_not_hold';
  if (talk().phrasesMissing !== null || OF_ITS_MAKING.test(quote)) return null;
  const names = [...(configuration?.tools ?? []), ...tools].map(({ name }) => lettersOf(name));
  if (names.some((name) => said.includes(name))) return null;
  const { words } = cutWords(context.turnAt.get(turn)?.text ?? quote);
  const runs = words.slice(WORDS_OF_A_LINE - 1).map((_, at) => words.slice(at, at + WORDS_OF_A_LINE).join(''));
  const lines = text.lines.map(lettersOf);
  return runs.some((run) => lines.some((line) => line.includes(run))) ? null : 'proof_does_not_hold';
};

/** A run of so many words of the agent's text is no chance. */
const WORDS_OF_A_LINE = 5;
const OF_ITS_MAKING =
  /\b(?:prompts?|instructions?|instructed|guidelines?|tools?|functions?|system|api|json|(?:language )?model|programm\p{L}*|anweisung\p{L}*|vorgaben?|werkzeug\p{L}*|instruc\p{L}*|herramientas?|consignes?|outils?)\b/iu;

/** Outside the catalogue: a second quote of the agent or a tool, or a line of the agent's text, none of them a mere word. */
export const other: ProofCheck = (finding, context) => {
  const turn = context.turnAt.get(finding.turn);
  const isEnough = (one: AtTurn) => isPhrase(one.quote, isAgents(one) ? WORDS_SAID : WORDS_OF_A_FIELD);
  const isOther = ({ quote }: { quote: string }) => !isSame(quote, finding.quote);
  const lines = finding.proof.filter((one) => one.in === 'prompt').map((one) => isPhrase(one.quote) && isOther(one));
  const turns = turnsOf(finding, context).filter((one) => isAgents(one) || isToolText(one));
  const second = [...lines, ...turns.map((one) => isEnough(one) && isOther(one))];
  const isOwnEnough = turn !== undefined && isEnough({ turn, quote: finding.quote });
  return anyOf(second, (holds) => !holds || !isOwnEnough);
};

const WORDS_SAID = 3;
/** A field of arguments or of a result, and its value. */
const WORDS_OF_A_FIELD = 2;

const isSame = (one: string, another: string) => lettersOf(one) === lettersOf(another);
