import { jsonExceeds } from '../domain/json-shape.ts';
import { Failure } from './failure.ts';

export const BODY_LIMIT_BYTES = 256 * 1024;
export const DEPTH_LIMIT = 32;

/** A body as a surface hands it over: bytes with what was said about them, or a value that is parsed already. */
export type RawBody =
  | { kind: 'none' }
  | { kind: 'parsed'; value: unknown }
  | {
      kind: 'bytes';
      contentType: string | null;
      contentEncoding: string | null;
      declaredBytes: number | null;
      chunks: AsyncIterable<Uint8Array>;
    };

/**
 * Reads a JSON body. Size and depth are measured on the bytes before anything is parsed: a deeply nested document
 * would hold up the event loop and break recursive readers.
 * @returns undefined when there is no body.
 * @throws Failure `invalid_body`.
 */
export async function readJsonBody(raw: RawBody): Promise<unknown> {
  if (raw.kind === 'none') return undefined;
  if (raw.kind === 'parsed') return raw.value;
  if ((raw.declaredBytes ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();
  const bytes = await collect(raw.chunks);
  if (bytes.length === 0) return undefined;
  if (raw.contentEncoding && raw.contentEncoding.toLowerCase() !== 'identity') {
    throw new Failure('invalid_body', 'The body must not be compressed.');
  }
  if (!isJson(raw.contentType)) {
    throw new Failure('invalid_body', 'The body must be JSON in UTF-8, sent with content-type application/json.');
  }
  if (deeperThan(bytes, DEPTH_LIMIT)) {
    throw new Failure('invalid_body', `The body nests deeper than ${DEPTH_LIMIT} levels.`);
  }
  return parseJson(bytes);
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) throw tooLarge();
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

const tooLarge = () =>
  new Failure('invalid_body', `The body is larger than ${BODY_LIMIT_BYTES / 1024} KiB (${BODY_LIMIT_BYTES} bytes).`);

function isJson(contentType: string | null): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  return (
    type.trim() === 'application/json' &&
    parameters.every((parameter) => ['', 'charset=utf-8', 'charset="utf-8"'].includes(parameter.trim()))
  );
}

export const deeperThan = (bytes: Uint8Array, limit: number): boolean => jsonExceeds(bytes, { depth: limit });

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure('invalid_body', 'The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Failure('invalid_body', 'The body is not valid JSON.');
  }
  const repeated = firstRepeatedKey(text);
  if (repeated !== null) {
    throw new Failure('invalid_body', `The body names the field ${JSON.stringify(repeated)} twice.`, {
      param: repeated,
    });
  }
  return value;
}

/** Which of two equal keys counts differs between parsers, so neither does. `__proto__` is treated the same. Expects valid JSON. */
function firstRepeatedKey(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"(\s*:)?|\\?$)|[{}[\]]/g;
  for (const match of text.matchAll(tokens)) {
    const token = match[0];
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (match[1] !== undefined) {
      const key: string = JSON.parse(token.slice(0, token.length - match[1].length));
      const keys = open.at(-1);
      if (keys?.has(key) || key === '__proto__') return key;
      keys?.add(key);
    }
  }
  return null;
}
