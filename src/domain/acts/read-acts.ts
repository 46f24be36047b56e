import type { Act, ActKind, Correction } from './act.ts';
import { AGENT_ACTS, CALLER_ACTS, CALLER_ANSWERS, CALLER_BEGINNINGS, CALLER_WORDS } from './act-kinds.ts';
import { sentenceAround } from './sentences.ts';
import type { SpokenTurn } from './spoken-turn.ts';

/** An answer begins a turn: "um yes", "oh no". */
const ANSWER_WITHIN = 3;
const BY_PHRASE = 0.6;
const BY_FORM = 0.8;

/** What one turn does, from the phrases and values that were found in it. */
export function readActs(turn: SpokenTurn, corrections: readonly Correction[]): Act[] {
  const acts = turn.role === 'caller' ? callerActs(turn) : agentActs(turn);
  if (turn.asks) acts.push(whole(turn, 'asks'));
  if (turn.role === 'caller') {
    const given = turn.values.filter((value) => !value.denied);
    if (given.length > 0) acts.push({ ...whole(turn, 'gives'), slot: slotOf(given), values: given });
    for (const { slot, old, now } of corrections)
      acts.push({ ...whole(turn, 'corrects'), from: now.from, to: now.to, slot, values: [now, old] });
  } else if (turn.values.length > 0 && !turn.asks) {
    acts.push({ ...whole(turn, 'informs'), slot: slotOf(turn.values), values: turn.values });
  }
  return acts;
}

function callerActs(turn: SpokenTurn): Act[] {
  const acts: Act[] = [];
  for (const { list, from, to } of turn.hits) {
    const kind =
      CALLER_ACTS[list] ??
      (from < ANSWER_WITHIN ? CALLER_ANSWERS[list] : undefined) ??
      (from === 0 ? CALLER_BEGINNINGS[list] : undefined) ??
      alone(turn, list);
    if (kind !== undefined) acts.push(phrase(turn, kind, from, to));
  }
  return acts;
}

/** "Operator", and no more than a "please" or a "no" with it. */
function alone(turn: SpokenTurn, list: string): ActKind | undefined {
  return turn.words.length <= WORDS_ALONE && !turn.asks ? CALLER_WORDS[list] : undefined;
}

const WORDS_ALONE = 3;

function agentActs(turn: SpokenTurn): Act[] {
  const acts: Act[] = [];
  for (const { list, from, to } of turn.hits) {
    if (list.startsWith(SLOT)) {
      if (isAskedFor(turn, from, to))
        acts.push({ ...phrase(turn, 'asks_value', from, to), slot: list.slice(SLOT.length) });
      continue;
    }
    const kind = AGENT_ACTS[list] ?? (list.startsWith('claim:') ? 'claims_done' : undefined);
    if (kind === undefined || (kind === 'claims_done' && isSupposed(turn, from, to))) continue;
    if (kind === 'reads_back' && to - from === 1 && !mayEndInQuestion(turn, from)) continue;
    acts.push(phrase(turn, kind, from, to));
  }
  return acts;
}

/** "Once I have booked it", "shall I put it on hold?": the deed is still to come. */
function isSupposed(turn: SpokenTurn, from: number, to: number): boolean {
  // "I put" within "shall I put"; in "can I just say I have booked it" the deed stands apart from what is asked for.
  if (turn.hits.some((hit) => hit.list === 'asks_leave' && hit.from < from && hit.to > from)) return true;
  if (!turn.hits.some((hit) => hit.list === 'supposes' && hit.from < from)) return false;
  const sentence = sentenceAround(turn, from, to);
  return turn.hits.some((hit) => hit.list === 'supposes' && hit.from >= sentence.from && hit.from < from);
}

/** "At nine, right?"; in "That's all right. Which day?" nothing was read back. */
function mayEndInQuestion(turn: SpokenTurn, word: number): boolean {
  const behind = turn.turn.text.slice(turn.ends[word] ?? 0, turn.starts[word + 1]);
  return !/[.!,;]/.test(behind);
}

/** Lists of the words by which a value is asked for. */
const SLOT = 'slot:';

/** The sentence around the words asks: it ends in a question mark or holds a phrase of asking, and tells no value itself. */
function isAskedFor(turn: SpokenTurn, from: number, to: number): boolean {
  const text = turn.turn.text;
  const { from: first, to: last } = sentenceAround(turn, from, to);
  const [start, end] = [turn.starts[first] ?? 0, turn.ends[last - 1] ?? text.length];
  if (turn.values.some((value) => value.from >= start && value.to <= end)) return false;
  if (turn.hits.some((hit) => hit.list === 'reads_back' && hit.from >= first && hit.to <= last)) return false;
  if (text.slice(end, end + 3).includes('?')) return true;
  return turn.hits.some((hit) => hit.list === 'asks_for' && hit.from >= first && hit.to <= last);
}

function phrase(turn: SpokenTurn, kind: ActKind, from: number, to: number): Act {
  const [start, end] = [turn.starts[from] ?? 0, turn.ends[to - 1] ?? 0];
  return { kind, turn: turn.index, from: start, to: end, confidence: BY_PHRASE, slot: null, values: [] };
}

function whole(turn: SpokenTurn, kind: ActKind): Act {
  const [start, end] = [turn.starts[0] ?? 0, turn.ends.at(-1) ?? 0];
  return { kind, turn: turn.index, from: start, to: end, confidence: BY_FORM, slot: null, values: [] };
}

function slotOf(values: readonly { slot: string }[]): string | null {
  const [first] = values;
  return first !== undefined && values.every((value) => value.slot === first.slot) ? first.slot : null;
}
