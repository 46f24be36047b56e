// U+0000 and halves of surrogate pairs: JSON can hold them, and no text of the database can.
const UNSTORABLE = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** @returns the path to the first text, or name of a field, that cannot be stored; null where all can. */
export function unstorableAt(value: unknown, path: readonly PropertyKey[] = []): readonly PropertyKey[] | null {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  const parts = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [name, part] of parts) {
    // The name itself could not be shown, so its parent is named.
    if (typeof name === 'string' && UNSTORABLE.test(name)) return path;
    const found = unstorableAt(part, [...path, name]);
    if (found) return found;
  }
  return null;
}
