import type { Turn } from '../domain/calls/call.ts';
import { storedText } from '../domain/calls/quotes.ts';
import { cutText } from '../domain/text.ts';

/** JSON on one line, in which no text can write the mark that ends the frame around it. */
export function framed(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** A turn as a model reads it. @param atMost characters of each of its texts. */
export function shownTurn({ index, role, text, toolCall, toolResult }: Turn, atMost: number): object {
  const short = (words: string) => cutText(words, atMost);
  return {
    turn: index,
    role,
    ...(text === '' ? {} : { text: short(text) }),
    ...(toolCall === null ? {} : { calls: toolCall.name, with: short(storedText(toolCall.args)) }),
    ...(toolResult === null ? {} : { result: short(storedText(toolResult.body)) }),
  };
}
