import { createHmac } from 'node:crypto';
import { canonicalJson } from '../../db/convert.ts';
import type { Admission } from '../admission.ts';

/**
 * A keyed SHA-256, in hexadecimal, of path, query and body as JSON with sorted keys: equal requests of an installation
 * have equal hashes, and nobody finds the arguments by trying. Of the path alone where the request was refused before its
 * arguments were read, and where they may name a caller, who would be found again by the same number.
 */
export function argsHashOf(key: Buffer, admission: Pick<Admission, 'operation' | 'request' | 'args'>): string {
  const { operation, args } = admission;
  const text = argsTextOf({ operation, request: admission.request, args: operation.namesPeople ? null : args });
  return hashOfText(key, text);
}

export const hashOfText = (key: Buffer, text: string) =>
  createHmac('sha256', key).update(`audit/1\n${text}`).digest('hex');

/** The same text for the same arguments, whatever the order of their fields. */
export function argsTextOf({ operation, request, args }: Pick<Admission, 'operation' | 'request' | 'args'>): string {
  const path = Object.fromEntries(operation.pathParams.map((name) => [name, (request.path[name] ?? '').toLowerCase()]));
  return canonicalJson({ path, query: args?.query ?? null, body: args?.body ?? null });
}
