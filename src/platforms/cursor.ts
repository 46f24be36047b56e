import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { parseJson } from '../domain/parse-json.ts';
import { PlatformError } from './port.ts';

/** Our own bookmark in a platform's list, opaque to everyone else. */
export function sealCursor(cursor: object): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

export function openCursor<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> {
  const parsed = shape.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!parsed.success) throw new PlatformError('rejected', 'The bookmark in the list of calls is not one of ours.');
  return parsed.data;
}

const REMEMBERED_PAGES = 40;
export const MARKS_AT_MOST = 2 * REMEMBERED_PAGES;

/**
 * Digests of a page and of the key to the next one. A platform that goes round in circles repeats one of them, and the
 * walk stops there instead of never.
 */
export function marksOf(ids: readonly string[], nextKey: string | null): string[] {
  return [digest(ids.join('\n')), ...(nextKey === null ? [] : [digest(nextKey)])];
}

export function rememberMarks(seen: readonly string[], marks: readonly string[]): string[] {
  return [...seen, ...marks].slice(-MARKS_AT_MOST);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
