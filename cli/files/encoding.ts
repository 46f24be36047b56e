import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';

const HEAD_BYTES = 8192;

export async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** How a text file is written, by the mark of its byte order, else by whether it is valid UTF-8, else as Windows does. */
export async function encodingOf(file: string): Promise<'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'> {
  const head = await readHead(file);
  const marked = markedEncoding(head);
  if (marked !== null) return marked;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(file)) decoder.decode(chunk as Buffer, { stream: true });
    decoder.decode();
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** By the mark of the byte order, or by the zeros that only two bytes a letter have; null where nothing shows it. */
export function markedEncoding(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  const [a, b, c] = head;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  const zeros = (from: number) => head.filter((byte, at) => at % 2 === from && byte === 0).length;
  const half = head.length / 2;
  if (head.length >= 8 && zeros(1) > half * 0.6 && zeros(0) < half * 0.1) return 'utf-16le';
  if (head.length >= 8 && zeros(0) > half * 0.6 && zeros(1) < half * 0.1) return 'utf-16be';
  return null;
}

/** Bytes in, text in UTF-8 out. */
export function decoding(encoding: string): Transform {
  const decoder = new TextDecoder(encoding);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      done(null, Buffer.from(decoder.decode(chunk, { stream: true })));
    },
    flush(done) {
      done(null, Buffer.from(decoder.decode()));
    },
  });
}
