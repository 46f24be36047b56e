export interface JsonBounds {
  depth: number;
  /** Most lists, objects, entries and fields altogether; without it as many as there are. */
  values?: number;
}

/** Measured on the bytes before anything is parsed: counts brackets and commas outside strings. Exact for valid JSON. */
export function jsonExceeds(bytes: Uint8Array, { depth: deepest, values: most = Infinity }: JsonBounds): boolean {
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x2c) values += 1;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > deepest) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    if (values > most) return true;
  }
  return false;
}

/** The same of a text of JSON, for its depth alone. */
export function nestsBeyond(text: string, deepest: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      // Brackets inside strings are words: on to the quote that ends this one.
      for (at += 1; at < text.length && text.charCodeAt(at) !== 0x22; at += 1) {
        if (text.charCodeAt(at) === 0x5c) at += 1;
      }
    } else if (char === 0x7b || char === 0x5b) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (char === 0x7d || char === 0x5d) depth -= 1;
  }
  return false;
}
