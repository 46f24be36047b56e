import type { Turn } from '../calls/call.ts';
import { readNodes } from '../calls/nodes.ts';
import { CATALOGUE } from '../signals/catalogue.ts';
import { isLineToReader, turnsToReader } from '../signals/model-address.ts';
import { otherCodeOf } from '../signals/other-code.ts';
import { PROMPT } from '../signals/places.ts';
import type { Place, Proof } from '../signals/signal.ts';
import { cutText } from '../text.ts';
import { oneLine } from './agent-text.ts';
import type {
  AnsweredFinding,
  AnsweredProof,
  CheckedReading,
  Cited,
  DroppedFinding,
  DropReason,
  ProvenFinding,
  ReaderAnswer,
} from './answer.ts';
import { type ProofContext, saidIn, toolTextOf } from './proof-context.ts';
import { PROOFS } from './proofs.ts';
import { exactQuote } from './quotes.ts';
import { READER_CODES, type ReaderCode } from './reader-codes.ts';

/** Findings of one call that are looked at; a reader that names more is out of hand. */
export const FINDINGS_AT_MOST = 40;
/** Findings of one code that one call keeps. */
const OF_A_CODE_AT_MOST = 10;
/** Quotes that are looked up for one finding. */
const PROOFS_AT_MOST = 8;
export const REQUESTS_AT_MOST = 20;
export const VOICES_AT_MOST = 20;
const SENTENCE_AT_MOST = 300;
const OTHER = 'other.';

/** A finding whose quotes stand where it says, before its proof was looked at. */
export interface QuotedFinding extends Cited {
  code: string;
  proof: Proof[];
}

/**
 * Keeps what of an answer the record bears out: exact quotes at their turns, and of each finding the proof that its code
 * asks for. What fails is dropped with its reason; nothing is corrected but the number of a turn that is off by one.
 * @param knownOthers codes outside the catalogue that the agent has by now.
 */
export function checkAnswer(
  context: ProofContext,
  answer: ReaderAnswer,
  knownOthers: readonly string[] = [],
): CheckedReading {
  const dropped: DroppedFinding[] = [];
  const findings: ProvenFinding[] = [];
  const others = [...knownOthers];
  const leftOut = Math.max(0, answer.findings.length - FINDINGS_AT_MOST);
  for (const given of answer.findings.slice(0, FINDINGS_AT_MOST)) {
    const taken = provenFinding(context, given, others);
    if (typeof taken === 'string') {
      dropped.push({ code: cutText(oneLine(given.code), 60), turn: given.turn, reason: taken });
      continue;
    }
    const same = findings.filter(({ code }) => code === taken.code);
    const isAgain = same.some(({ turn }) => turn === taken.turn);
    if (isAgain || same.length >= OF_A_CODE_AT_MOST) {
      dropped.push({ code: taken.code, turn: taken.turn, reason: isAgain ? 'found_twice' : 'too_many' });
      continue;
    }
    if (taken.code.startsWith(OTHER) && !others.includes(taken.code)) others.push(taken.code);
    findings.push(taken);
  }
  findings.sort((a, b) => a.turn - b.turn);
  return {
    requests: answer.requests.slice(0, REQUESTS_AT_MOST).flatMap((one) => {
      const found = citedAt(context, one, (turn) => (turn.role === 'caller' ? [saidIn(turn)] : []));
      return found === null ? [] : [{ ...one, ...found, sentence: sentence(one.sentence) }];
    }),
    checked: sentence(answer.checked),
    findings,
    dropped,
    ...(leftOut > 0 && { leftOut }),
    expectations: answer.expectations.flatMap((one) => {
      const found = citedAt(context, one, textsOf);
      const needsNone = one.verdict === 'not_applicable' || one.verdict === 'unknown';
      if (found === null && !needsNone) return [];
      return [{ ...one, ...(found ?? { quote: '' }), because: sentence(one.because) }];
    }),
    outcome: outcomeOf(context, answer.outcome),
    intent: sentence(answer.intent) || null,
    ...voicesOf(context, answer),
    addressed: turnsToReader(context.call).size > 0 || context.text.lines.some(isLineToReader),
  };
}

/** A voice counts where its words stand in a turn of the far side. */
function voicesOf(context: ProofContext, { answeredBy = [] }: ReaderAnswer): Pick<CheckedReading, 'answeredBy'> {
  const voices = answeredBy.slice(0, VOICES_AT_MOST).flatMap((one) => {
    const isFar = ({ role }: Turn) => role === 'caller' || role === 'other';
    const found = citedAt(context, one, (turn) => (isFar(turn) ? [saidIn(turn)] : []));
    return found === null ? [] : [{ value: one.value, ...found }];
  });
  return voices.length > 0 ? { answeredBy: voices.toSorted((a, b) => a.turn - b.turn) } : {};
}

function outcomeOf(context: ProofContext, outcome: ReaderAnswer['outcome']): ReaderAnswer['outcome'] {
  const found = outcome && citedAt(context, outcome, textsOf);
  return outcome && found ? { ...outcome, ...found, because: sentence(outcome.because) } : null;
}

function provenFinding(
  context: ProofContext,
  given: AnsweredFinding,
  others: readonly string[],
): ProvenFinding | DropReason {
  const code = codeOf(given.code, others);
  if (code === null) return 'unknown_code';
  const rule = READER_CODES[code] ?? OTHER_CODE;
  const found = citedAt(context, given, (turn) => textsOfSpeaker(turn, rule.at));
  if (found === null) return citedAt(context, given, textsOf) === null ? 'quote_not_in_turn' : 'wrong_speaker';
  const proof = given.proof.slice(0, PROOFS_AT_MOST).flatMap((one) => proofAt(context, one) ?? []);
  if (proof.length === 0 && given.proof.length > 0 && PROOFS[rule.form].needsProof) return 'proof_not_found';
  if (proof.length === 0 && PROOFS[rule.form].needsProof) return 'proof_missing';
  const quoted = { code, ...found, proof };
  const reason = PROOFS[rule.form].check(quoted, context);
  if (reason !== null) return reason;
  return { ...quoted, because: sentence(given.because), place: placeOf(context, quoted) };
}

const OTHER_CODE = { at: 'agent_or_tool', form: 'other' } as const;

function codeOf(code: string, others: readonly string[]): string | null {
  if (Object.hasOwn(READER_CODES, code)) return code;
  if (!code.startsWith(OTHER)) return null;
  return otherCodeOf(code.slice(OTHER.length), others, (slug) => CATALOGUE.has(slug));
}

/** Where a quote stands: at the turn that is named, else one before or after it. Null where it is in none of them. */
function citedAt(
  context: ProofContext,
  { turn, quote }: Cited,
  texts: (turn: Turn) => readonly string[],
): Cited | null {
  for (const index of [turn, turn - 1, turn + 1]) {
    const cited = context.turnAt.get(index);
    if (cited === undefined) continue;
    for (const text of texts(cited)) {
      const exact = exactQuote(text, quote);
      if (exact !== null) return { turn: index, quote: exact };
    }
  }
  return null;
}

/** What of a turn a finding of a code can be quoted from; nothing where it is not that side's. */
function textsOfSpeaker(turn: Turn, at: ReaderCode['at']): string[] {
  switch (at) {
    case 'caller':
    case 'agent':
      return turn.role === at ? [saidIn(turn)] : [];
    case 'agent_or_tool':
      return turn.role === 'agent' || turn.role === 'tool' ? textsOf(turn) : [];
    case 'tool':
      return turn.toolCall === null ? [] : toolTextOf(turn);
    default:
      return at satisfies never;
  }
}

const textsOf = (turn: Turn): string[] => [saidIn(turn), ...toolTextOf(turn)];

function proofAt(context: ProofContext, { in: source, index, quote }: AnsweredProof): Proof | null {
  if (source === 'prompt') return promptProof(context, index, quote);
  if (source === 'tool' && (index === null || !context.turnAt.has(index))) return toolNamed(context, quote);
  if (index === null) return null;
  const found = citedAt(context, { turn: index, quote }, source === 'turn' ? textsOf : toolTextOf);
  if (found !== null) return { in: source, index: found.turn, quote: found.quote };
  return source === 'tool' ? toolNamed(context, quote) : null;
}

function promptProof({ text, inText }: ProofContext, index: number | null, quote: string): Proof | null {
  const near = index === null ? [] : [index, index - 1, index + 1];
  for (const line of near) {
    const exact = exactQuote(text.lines[line - 1] ?? '', quote);
    if (exact !== null) return { in: 'prompt', index: line, quote: exact };
  }
  const found = inText(quote);
  return found && { in: 'prompt', index: lineAt(text.lines, found.at), quote: found.quote };
}

/** The line that holds a place of all lines, one below the other. */
function lineAt(lines: readonly string[], at: number): number {
  let end = 0;
  return 1 + lines.findIndex((line) => (end += line.length + 1) > at);
}

/** A tool of the agent, or one that the record shows, by its name. */
function toolNamed({ configuration, tools }: ProofContext, quote: string): Proof | null {
  const name = quote.trim();
  const isKnown = configuration?.tools.some((tool) => tool.name === name) || tools.some((use) => use.name === name);
  return isKnown ? { in: 'tool', index: null, quote: name } : null;
}

/** The smallest thing that a person can change: the tool or the line that the proof names, else the step, else the prompt. */
function placeOf({ call, configuration, turnAt, text }: ProofContext, { turn, proof }: QuotedFinding): Place {
  const tool = proof.find((one) => one.in === 'tool');
  if (tool) {
    const at = tool.index === null ? undefined : turnAt.get(tool.index);
    const name = tool.index === null ? tool.quote : (at?.toolResult?.name ?? at?.toolCall?.name ?? null);
    const definition = configuration?.tools.find((one) => one.name === name || one.id === name);
    if (name !== null) return { kind: 'tool', id: definition?.id ?? name, label: definition?.name ?? name };
  }
  const line = proof.find((one) => one.in === 'prompt');
  if (line) {
    const words = text.lines[(line.index ?? 1) - 1] ?? line.quote;
    return { kind: 'prompt', id: `line:${lineId(words)}`, label: cutText(words, 80) };
  }
  const node = readNodes(call, configuration).findLast((entry) => entry.turn <= turn);
  return node ? { kind: 'node', id: node.nodeId, label: node.label } : PROMPT;
}

/** A short name for a line that stays while its words do (FNV-1a, 32 bits). */
function lineId(line: string): string {
  let hash = 0x811c9dc5;
  for (const char of line
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}

/** One line of plain text, whatever was written: controls and marks of direction are taken out. */
function sentence(text: string): string {
  return cutText(text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\s]+/gu, ' ').trim(), SENTENCE_AT_MOST);
}
