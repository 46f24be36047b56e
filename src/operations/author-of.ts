import type { KeyPrincipal, PersonPrincipal } from './principal.ts';

/** Who made a resource, as the contract writes it: a user id, or `key:<api_key_id>`. */
export function authorOf(caller: KeyPrincipal | PersonPrincipal): string {
  return caller.kind === 'key' ? `key:${caller.keyId}` : caller.personId;
}
