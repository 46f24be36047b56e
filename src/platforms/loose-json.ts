import type { Json } from '../domain/json.ts';
import { parseJson } from '../domain/parse-json.ts';

/** What a tool was given or answered: JSON where it is some, else the text. */
export function looseJson(value: Json | undefined): Json {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return value;
  if (!/^\s*[[{"]/.test(value)) return value;
  const parsed = parseJson(value);
  if (parsed !== undefined) return parsed;
  return parseJson(fromPython(value)) ?? value;
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/**
 * LiveKit writes what a tool returned as Python prints it: `{'ok': True}`. A quote that nothing closes reaches to the
 * end, so that no character is looked at twice.
 */
function fromPython(text: string): string {
  return text.replace(
    /'([^'\\]*(?:\\[\s\S]?[^'\\]*)*)('|$)|"[^"\\]*(?:\\[\s\S]?[^"\\]*)*(?:"|$)|\b(?:True|False|None)\b/g,
    (token: string, quoted: string | undefined, close: string | undefined) =>
      quoted === undefined || close === ''
        ? (PYTHON_WORDS[token] ?? token)
        : JSON.stringify(quoted.replaceAll("\\'", "'")),
  );
}
