/** Levels of objects and lists that are kept: an answer, its list, and the fields of an item. */
const DEEPEST = 3;
/** A longer text is left empty: ids, times and bookmarks are short. */
const LONGEST_TEXT = 4_096;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Reduces JSON while it comes to its first levels, so that a list of whole calls takes the memory of a list of ids. */
export interface Outline {
  push(bytes: Buffer): void;
  /** UTF-8 bytes that are kept so far. */
  bytes(): number;
  /** What lies deeper reads as null. Of what is no JSON, or was cut, something comes back that is no JSON either. */
  text(): string;
}

export function createOutline(): Outline {
  // One character a byte until the end, so that a text may be cut anywhere between two parts of the answer.
  let kept = '';
  let depth = 0;
  let text: string | null = null;
  let isEscaped = false;

  /** @returns the place behind the part of a text that this piece of the answer holds. */
  function readText(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length) {
      const byte = bytes[at];
      at += 1;
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) {
        add(bytes, from, at - 1);
        if (depth <= DEEPEST) kept += `"${(text ?? '').length > LONGEST_TEXT ? '' : text}"`;
        text = null;
        return at;
      }
    }
    add(bytes, from, at);
    return at;
  }

  function add(bytes: Buffer, from: number, to: number): void {
    const isKept = depth <= DEEPEST && text !== null && text.length <= LONGEST_TEXT;
    if (isKept) text += bytes.toString('latin1', from, Math.min(to, from + LONGEST_TEXT + 1));
  }

  return {
    push(bytes) {
      let at = text === null ? 0 : readText(bytes, 0);
      while (at < bytes.length) {
        const byte = bytes[at] ?? 0;
        at += 1;
        if (byte === QUOTE) {
          text = '';
          at = readText(bytes, at);
        } else if (OPENING.has(byte)) {
          depth += 1;
          if (depth <= DEEPEST) kept += String.fromCharCode(byte);
          else if (depth === DEEPEST + 1) kept += 'null';
        } else if (CLOSING.has(byte)) {
          if (depth <= DEEPEST) kept += String.fromCharCode(byte);
          depth -= 1;
        } else if (depth <= DEEPEST) kept += String.fromCharCode(byte);
      }
    },
    bytes: () => kept.length,
    text: () => new TextDecoder().decode(Buffer.from(kept, 'latin1')),
  };
}
