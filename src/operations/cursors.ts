import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../secrets.ts';

const MAC_BYTES = 16;

/** What a cursor is good for: this list of this agent, seen by this workspace, with these filters. */
export interface CursorScope {
  operation: string;
  workspaceId: string;
  /** Ids of the path. */
  path: Record<string, string>;
  /** Every filter that was given, without `limit` and `cursor`. */
  filters: Record<string, unknown>;
}

export interface Cursors {
  seal(scope: CursorScope, position: unknown): string;
  /** @returns the position as JSON text, or null when the cursor was altered or belongs to another list. */
  open(scope: CursorScope, cursor: string): string | null;
}

/** Cursors are positions with a digest under a key of ours: they cannot be made up, changed or carried to another list. */
export function createCursors(vault: Vault): Cursors {
  // Bytes would be made into a key for each cursor, which takes four times as long as the digest.
  const key = createSecretKey(vault.derive('cursor/1'));
  const digest = (scope: CursorScope, position: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([scope.operation, scope.workspaceId, sorted(scope.path), sorted(scope.filters), position]))
      .digest()
      .subarray(0, MAC_BYTES);

  return {
    seal(scope, position) {
      const text = JSON.stringify(position);
      return Buffer.concat([digest(scope, text), Buffer.from(text)]).toString('base64url');
    },
    open(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Decoding is lenient: without this, several spellings would name one cursor.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return null;
      const text = bytes.subarray(MAC_BYTES).toString('utf8');
      return timingSafeEqual(bytes.subarray(0, MAC_BYTES), digest(scope, text)) ? text : null;
    },
  };
}

function sorted(values: Record<string, unknown>): [string, unknown][] {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]): [string, unknown] => [name, Array.isArray(value) ? value.toSorted() : value])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
