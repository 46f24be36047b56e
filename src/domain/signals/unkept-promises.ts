import { does } from '../acts/act.ts';
import type { PhraseHit } from '../acts/lists/phrase-shape.ts';
import { sentenceTextAt } from '../acts/sentences.ts';
import { isDone } from '../calls/ledger/record.ts';
import { type SpokenTurn, says } from '../calls/spoken-turn.ts';
import { usesBetween } from '../calls/stretch.ts';
import { effectOf, type ToolUse } from '../calls/tool-uses.ts';
import { splitName } from '../calls/tool-words.ts';
import type { ToolDefinition } from '../versions/configuration.ts';
import { placeAt } from './places.ts';
import type { CallReading } from './reading.ts';
import type { Detection } from './signal.ts';

/** What is promised, by its list, and the words of the tools that do it. */
const DOES: Readonly<Record<string, ReadonlySet<string>>> = {
  promises_message: new Set(['send', 'text', 'sms', 'email', 'mail', 'message', 'whatsapp']),
  promises_report: new Set(['report', 'ticket', 'complaint', 'case', 'claim', 'incident']),
};
/** A tool's word and those by which agents speak of it. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  text: ['sms', 'message', 'nachricht', 'mensaje'],
  sms: ['text', 'message', 'nachricht', 'mensaje'],
  message: ['text', 'sms', 'nachricht', 'mensaje'],
  email: ['e-mail', 'mail', 'correo', 'courriel'],
  mail: ['e-mail', 'email', 'correo', 'courriel'],
  complaint: ['beschwerde', 'queja', 'reclamo', 'réclamation'],
  report: ['meldung', 'reporte', 'signalement'],
};
const WORD_AT_LEAST = 3;

/** "I'll text you the schedule", "I'm filing a report right now": the agent has a tool for it, which was never called. */
export function unkeptPromises(reading: CallReading): Detection[] {
  const tools = (reading.configuration?.tools ?? []).filter((tool) => effectOf(splitName(tool.name), tool) !== 'read');
  if (tools.length === 0 || reading.outcome().outcome === 'transferred') return [];
  return reading.agent.flatMap((turn) => {
    for (const hit of turn.hits) {
      const does = hit.list === 'promises_deed' ? NONE : DOES[hit.list];
      if (does === undefined || !isPromise(reading, turn, hit)) continue;
      const tool = does === NONE ? toolNamed(turn, hit, tools) : toolFor(reading, turn, hit, does, tools);
      if (tool === undefined) continue;
      const isDoneElsewhere = ({ name, nameWords }: ToolUse) =>
        name === tool.name || nameWords.some((word) => does.has(word));
      return reading.tools.some(isDoneElsewhere) ? [] : [made(reading, turn, hit, tool)];
    }
    return [];
  });
}

/** No condition stands with it, and the caller does not turn it down. */
function isPromise(reading: CallReading, turn: SpokenTurn, hit: PhraseHit): boolean {
  const sentence = sentenceOf(turn, hit);
  if (sentence.endsWith('?') || CONDITION.test(sentence) || does(turn, 'calls_back', 'cannot')) return false;
  const [before, next] = [reading.spoken[turn.order - 1], reading.spoken[turn.order + 1]];
  // What was done with the promise may have sent it.
  const uses = usesBetween(reading.tools, before?.index ?? -1, next?.index ?? Number.MAX_SAFE_INTEGER);
  return !uses.some(isDone) && (next?.role !== 'caller' || !says(next, 'no'));
}

const CONDITION = /\b(?:if|unless|once|wenn|falls|sobald|si|quand|dès)\b/i;

function sentenceOf(turn: SpokenTurn, hit: PhraseHit): string {
  return sentenceTextAt(turn, turn.starts[hit.from] ?? 0).toLowerCase();
}

/** "I'll log it as a breakdown" names all that `log_breakdown` does; a promise that goes on with a question waits for the answer. */
function toolNamed(turn: SpokenTurn, hit: PhraseHit, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  if (turn.asks || says(turn, 'could') || says(turn, 'condition')) return undefined;
  const next = turn.words.slice(hit.to, hit.to + WORDS_TO_THE_VERB);
  const said = sentenceOf(turn, hit).split(/[^\p{L}-]+/u);
  return tools.find((tool) => {
    const words = splitName(tool.name).filter(({ length }) => length >= WORD_AT_LEAST);
    return (
      words.length >= WORDS_OF_A_DEED &&
      effectOf(words, tool) === 'write' &&
      next.some((word) => isFormOf(word, words[0] ?? '')) &&
      words.every((word) => said.some((one) => isFormOf(one, word)))
    );
  });
}

/** "Logging" and "log", "complaints" and "complaint". */
function isFormOf(said: string, word: string): boolean {
  return said.startsWith(word.slice(0, Math.max(WORD_AT_LEAST, word.length - 1)));
}

const WORDS_TO_THE_VERB = 2;
const NONE: ReadonlySet<string> = new Set();
const WORDS_OF_A_DEED = 2;

/** The tool whose thing is named with the promise: `send_text` where a text is promised, and not `send_payment_link`. */
function toolFor(
  reading: CallReading,
  turn: SpokenTurn,
  hit: PhraseHit,
  does: ReadonlySet<string>,
  tools: readonly ToolDefinition[],
): ToolDefinition | undefined {
  const asked = reading.spoken.slice(Math.max(0, turn.order - 2), turn.order).map((one) => one.turn.text.toLowerCase());
  const said = new Set([...asked, sentenceOf(turn, hit)].flatMap((text) => text.split(/[^\p{L}-]+/u)));
  const isSaid = (word: string) =>
    said.has(word) || said.has(`${word}s`) || (ALSO[word] ?? []).some((one) => said.has(one));
  return tools.find((tool) => {
    const words = splitName(tool.name);
    if (!words.some((word) => does.has(word))) return false;
    return words.some((word) => word !== 'send' && word.length >= WORD_AT_LEAST && isSaid(word));
  });
}

function made(reading: CallReading, turn: SpokenTurn, hit: PhraseHit, tool: ToolDefinition): Detection {
  return {
    turnIndex: turn.index,
    quote: turn.turn.text.slice(turn.starts[hit.from] ?? 0, turn.ends[hit.to - 1] ?? 0),
    detail: `The agent says that it does this; "${tool.name}", its tool for it, was never called on this call.`,
    place: placeAt(reading, turn.index),
    confidence: 0.6,
    facts: { rule: 'promise_unkept', tool: tool.name },
  };
}
