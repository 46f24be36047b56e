import type { Json } from '../../domain/json.ts';
import { cutIntoCalls } from './cut.ts';
import { recognize } from './registry.ts';

const LONGEST = 8 * 1024 * 1024;

/** What JSON that does not parse looks like the beginning of, in a sentence; null where that can't be told. */
export function brokenOff(text: string): string | null {
  const end = lastComma(text);
  if (end === null) return null;
  const value = completed(text, end);
  const [first] = value === undefined ? [] : cutIntoCalls(value);
  const format = first === undefined ? null : recognize(contentOf(first));
  const what = format === null ? '' : ` It looks like the beginning of: ${format.name}.`;
  return value === undefined
    ? null
    : `It breaks off, or is damaged, after ${end.at} characters.${what} Export it again, whole.`;
}

const contentOf = (call: Json): Json =>
  typeof call === 'object' && call !== null && !Array.isArray(call) && call.object === 'earshot.call'
    ? (call.content ?? null)
    : call;

interface End {
  at: number;
  open: string[];
}

/** The last comma outside of strings, and what is open there. */
function lastComma(text: string): End | null {
  if (text.length > LONGEST) return null;
  const open: string[] = [];
  let last: End | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
    } else if (sign === '{') open.push('}');
    else if (sign === '[') open.push(']');
    else if (sign === '}' || sign === ']') {
      if (open.pop() !== sign) return last;
    } else if (sign === ',' && open.length > 0 && open.length < 64) last = { at, open: [...open] };
  }
  return last;
}

function completed(text: string, { at, open }: End): Json | undefined {
  try {
    return JSON.parse(text.slice(0, at) + open.toReversed().join(''));
  } catch {
    return undefined;
  }
}
