import type { Vault } from '../../secrets.ts';

/** What platforms send instead of a number that is withheld, and what redaction leaves of one. */
const WITHHELD =
  /^(anonymous|unknown|restricted|private|unavailable|blocked|withheld|no caller id|\[[a-z ]{1,40}\]|\+?266696687)$/i;

/** @returns the keyed hash by which a repeat caller is recognised, or null where nobody knows who called. */
export function callerKeyOf(
  vault: Pick<Vault, 'keyedHash'>,
  workspaceId: string,
  callerNumber: string | null,
): string | null {
  const given = callerNumber?.trim() ?? '';
  if (given === '' || WITHHELD.test(given)) return null;
  const digits = given.replace(/\D/g, '');
  // A number reads the same with and without spaces, brackets or a plus; anything else is an identity of its own.
  const isNumber = digits.length >= 5 && /^[\d\s().+\-/]+$/.test(given);
  return vault.keyedHash(workspaceId, isNumber ? digits : given.toLowerCase());
}
