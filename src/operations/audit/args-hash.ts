import { createHash } from 'node:crypto';
import { canonicalJson } from '../../db/convert.ts';
import type { Admission } from '../perform.ts';

/**
 * SHA-256, in hexadecimal, of path, query and body as JSON with sorted keys: equal requests have equal hashes, and nobody
 * reads the arguments back. Of the path alone where the request was refused before its arguments were read.
 */
export function argsHashOf(admission: Admission): string {
  return createHash('sha256').update(argsTextOf(admission)).digest('hex');
}

/** The same text for the same arguments, whatever the order of their fields. */
export function argsTextOf({ operation, request, args }: Admission): string {
  const path = Object.fromEntries(operation.pathParams.map((name) => [name, (request.path[name] ?? '').toLowerCase()]));
  return canonicalJson({ path, query: args?.query ?? null, body: args?.body ?? null });
}
