/** Why the operator's mail server does not write to an address. */
export const NO_MAIL_THERE =
  'No member has proved to own this address by signing in at the provider, and the operator has not named its domain in EARSHOT_MAIL_DOMAINS.';

/** What the messages of a channel wait for. */
export const WAITS_FOR_OWNER =
  'Whoever reads this address has to agree first, by the link in a message that was sent there. A test sends the link again.';

/** Whether the operator lets everybody write to the domain of an address. @param domains in lower case; `*` is any. */
export function isAllowedDomain(domains: readonly string[], address: string): boolean {
  return domains.includes('*') || domains.includes(address.slice(address.lastIndexOf('@') + 1).toLowerCase());
}
