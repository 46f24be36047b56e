import type { Json } from '../../../domain/json.ts';
import type { Message } from '../messages.ts';
import type { ModelRequest } from '../model-requests.ts';

/** One thing of a talk as models are given it again and again: what was said, a call of a tool, or its result. */
export interface TalkItem {
  kind: 'caller' | 'agent' | 'call' | 'result';
  text: string;
  /** Equal for the same thing, wherever it is given. */
  key: string;
  call: { id: string | null; name: string; args: Json } | null;
  result: { id: string | null; name: string | null; body: Json } | null;
}

/** A request to a model with what it was given and answered, as items of the talk. */
export interface Step {
  request: ModelRequest;
  input: TalkItem[];
  output: TalkItem[];
  /** The last thing that the caller said before it. */
  trigger: TalkItem | null;
}

export function stepOf(request: ModelRequest): Step {
  const input = request.input.flatMap(itemsOf);
  const trigger = input.findLast(({ kind }) => kind === 'caller') ?? null;
  return { request, input, output: request.output.flatMap(itemsOf), trigger };
}

function itemsOf({ role, text, calls, results }: Message): TalkItem[] {
  const items: TalkItem[] = results.map((result) => ({
    kind: 'result',
    text: '',
    key: result.id === null ? `result ${result.name ?? ''} ${JSON.stringify(result.body)}` : `result #${result.id}`,
    call: null,
    result,
  }));
  if (text !== '' && role === 'user') items.push(spoken('caller', text));
  if (text !== '' && role === 'assistant') items.push(spoken('agent', text));
  for (const call of calls) {
    const key = call.id === null ? `call ${call.name} ${JSON.stringify(call.args)}` : `call #${call.id}`;
    items.push({ kind: 'call', text: '', key, call, result: null });
  }
  return items;
}

export const spoken = (kind: 'caller' | 'agent', text: string): TalkItem => ({
  kind,
  text,
  key: `${kind} ${plainWords(text)}`,
  call: null,
  result: null,
});

/** Words as they are compared: without differences of case and spaces, which libraries change on the way. */
export const plainWords = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** Characters from which on a beginning says which answer was cut. */
const CUT_AT_LEAST = 12;

/** Whether one of two texts is the other, or its beginning: answers are cut where the caller came in. */
export function isSameOrCut(a: string, b: string): boolean {
  const [short, long] = [plainWords(a), plainWords(b)].sort((x, y) => x.length - y.length);
  if (short === undefined || long === undefined) return false;
  const bare = short.replace(/[\s.…—-]{1,20}$/, '');
  return short === long || (bare.length >= CUT_AT_LEAST && long.startsWith(bare));
}

/** Within that time nobody hears an answer and says the same again. */
export const SAME_MOMENT_MS = 3_000;
