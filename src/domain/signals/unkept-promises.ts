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
      const deeds = hit.list === 'promises_deed' ? NONE : DOES[hit.list];
      if (deeds === undefined || !isPromise(reading, turn, hit)) continue;
      const tool = deeds === NONE ? toolNamed(turn, hit, tools) : toolFor(reading, turn, hit, deeds, tools);
      if (tool === undefined) continue;
      const isDoneElsewhere = ({ name, nameWords }: ToolUse) =>
        name === tool.name || nameWords.some((word) => deeds.has(word));
      return reading.tools.some(isDoneElsewhere) ? [] : [made(reading, turn, hit, tool)];
    }
    return [];
  });
}

/**
 * Nothing stands with it that it waits for, the caller takes it, and nothing that the agent did or said afterwards makes it
 * needless.
 */
function isPromise(reading: CallReading, turn: SpokenTurn, hit: PhraseHit): boolean {
  if (CONDITION.test(sentenceOf(turn, hit)) || turn.asks || does(turn, 'calls_back', 'cannot', 'asks_value'))
    return false;
  const [before, next] = [reading.spoken[turn.order - 1], reading.spoken[turn.order + 1]];
  if (next !== undefined && (next.role !== 'caller' || !isTaken(next))) return false;
  if (reading.agent.some((one) => one.order > turn.order && does(one, 'cannot'))) return false;
  // What was done with the promise, or after it, may have sent it.
  return !usesBetween(reading.tools, before?.index ?? -1, Number.MAX_SAFE_INTEGER).some(isDone);
}

/** A yes, a thanks, a goodbye, or little more than a word that asks for nothing and turns nothing down. */
function isTaken(turn: SpokenTurn): boolean {
  if (does(turn, 'confirms', 'thanks', 'closes')) return true;
  return turn.words.length <= WORDS_OF_A_TAKING && !turn.asks && !does(turn, 'requests', 'denies', 'corrects', 'gives');
}

const WORDS_OF_A_TAKING = 5;

/** What it hangs on, what comes by itself, and what is done as a rule. */
const CONDITION =
  /\b(?:if|unless|once|when|after|before|every|always|automatically|tell me|as soon as (?!we hang up)|the day|wenn|falls|sobald|immer|nachdem|si|cuando|en cuanto|siempre|quand|lorsque|dès|toujours)\b/i;

function sentenceOf(turn: SpokenTurn, hit: PhraseHit): string {
  return sentenceTextAt(turn, turn.starts[hit.from] ?? 0).toLowerCase();
}

/** "I'll log it as a breakdown" names all that `log_breakdown` does: its verb at once, and soon behind it the thing. */
function toolNamed(turn: SpokenTurn, hit: PhraseHit, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  if (says(turn, 'could') || says(turn, 'condition')) return undefined;
  const [verb = '', ...behind] = turn.words.slice(hit.to).filter((word) => !ADVERBS.has(word));
  return tools.find((tool) => {
    const [does = '', ...things] = splitName(tool.name);
    if (things.length === 0 || SAYS_ONLY.has(does) || effectOf([does, ...things], tool) !== 'write') return false;
    const near = behind.slice(0, things.length + WORDS_TO_THE_THING);
    return isFormOf(verb, does) && things.every((thing) => near.some((word) => isFormOf(word, thing)));
  });
}

/** "Log", "logged", "logging"; "complaint" and "complaints". */
function isFormOf(said: string, word: string): boolean {
  return [word, `${word}s`, `${word}ed`, `${word}ing`, `${word}${word.at(-1) ?? ''}ing`].includes(said);
}

const ADVERBS = new Set(['just', 'now', 'also', 'quickly', 'go', 'ahead', 'and', 'be']);
/** "I'll confirm your appointment: it is at nine" tells it. */
const SAYS_ONLY = new Set(['confirm', 'update', 'check', 'verify']);
const WORDS_TO_THE_THING = 3;
const NONE: ReadonlySet<string> = new Set();

/** The tool whose thing is named with the promise: `send_text` where a text is promised, and not `send_payment_link`. */
function toolFor(
  reading: CallReading,
  turn: SpokenTurn,
  hit: PhraseHit,
  deeds: ReadonlySet<string>,
  tools: readonly ToolDefinition[],
): ToolDefinition | undefined {
  const asked = reading.spoken.slice(Math.max(0, turn.order - 2), turn.order).map((one) => one.turn.text.toLowerCase());
  const said = new Set([...asked, sentenceOf(turn, hit)].flatMap((text) => text.split(/[^\p{L}-]+/u)));
  const isSaid = (word: string) =>
    said.has(word) || said.has(`${word}s`) || (ALSO[word] ?? []).some((one) => said.has(one));
  return tools.find((tool) => {
    const words = splitName(tool.name);
    if (!words.some((word) => deeds.has(word))) return false;
    return words.some((word) => word !== 'send' && word.length >= WORD_AT_LEAST && isSaid(word));
  });
}

function made(reading: CallReading, turn: SpokenTurn, hit: PhraseHit, tool: ToolDefinition): Detection {
  return {
    turnIndex: turn.index,
    quote: sentenceTextAt(turn, turn.starts[hit.from] ?? 0),
    detail: `The agent says that it does this; "${tool.name}", its tool for it, was never called on this call.`,
    place: placeAt(reading, turn.index),
    confidence: 0.6,
    facts: { rule: 'promise_unkept', tool: tool.name },
  };
}
