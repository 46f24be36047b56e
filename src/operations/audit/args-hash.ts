import { createHash } from 'node:crypto';
import { canonicalJson } from '../../db/convert.ts';
import type { Admission } from '../admission.ts';

/**
 * SHA-256, in hexadecimal, of path, query and body as JSON with sorted keys: equal requests have equal hashes, and nobody
 * reads the arguments back. Of the path alone where the request was refused before its arguments were read, and where
 * they may name a caller: a digest of a number is found by trying numbers.
 */
export function argsHashOf(admission: Admission): string {
  const { operation, args } = admission;
  const text = argsTextOf({ operation, request: admission.request, args: operation.namesPeople ? null : args });
  return createHash('sha256').update(text).digest('hex');
}

/** The same text for the same arguments, whatever the order of their fields. */
export function argsTextOf({ operation, request, args }: Pick<Admission, 'operation' | 'request' | 'args'>): string {
  const path = Object.fromEntries(operation.pathParams.map((name) => [name, (request.path[name] ?? '').toLowerCase()]));
  return canonicalJson({ path, query: args?.query ?? null, body: args?.body ?? null });
}
