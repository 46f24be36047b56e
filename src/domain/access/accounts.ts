/** What of an account decides who gets in by it, and what that lets them do. */
export interface AccountStanding {
  email: string;
  /** A provider vouched that the address is theirs, and nobody else set the password since. */
  isProved: boolean;
  /** A provider knows whose account it is. */
  isBound: boolean;
  /** `given`: somebody else chose it, and so knows it. */
  password: 'none' | 'own' | 'given';
}

export type LinkPurpose = 'first_admin' | 'password';

/**
 * What a link that sets a password leaves of an account. Whoever made it could use it: what the address proved, the
 * provider's word on it and every session may be another's from then on. The server itself shows the first admin's.
 */
export function afterLink(purpose: LinkPurpose): { isProved: boolean; staysBound: boolean; endsSessions: boolean } {
  const isOperators = purpose === 'first_admin';
  return { isProved: isOperators, staysBound: isOperators, endsSessions: !isOperators };
}

/** Whether a link still sets a password: the first admin's, which the server prints, is for an account that nobody uses yet. */
export const isOpenTo = (purpose: LinkPurpose, { password, isProved }: AccountStanding): boolean =>
  purpose !== 'first_admin' || (password === 'none' && !isProved);

/** A password opens every workspace of a person, so only an admin of them all has it set anew, when asked and when used. */
export const mayResetPassword = (ofPerson: readonly string[], administered: readonly string[]): boolean =>
  ofPerson.every((workspace) => administered.includes(workspace));

export type SignOn<Account> =
  /** In the account that the provider's subject is bound to. */
  | { do: 'enter'; account: Account }
  /** The one that proved the address otherwise is bound to the subject. */
  | { do: 'bind'; account: Account }
  /** An account of its own, until its person says which others at the address are theirs. */
  | { do: 'make' }
  /** Nobody asked for them here. */
  | { do: 'refuse' };

/**
 * Where somebody comes in for whose address a provider vouches. An account that others could have made under the address
 * is never entered unasked.
 * @param proved the one that proved the address, unless it is bound to another subject of the provider.
 * @param isAwaited an invitation to the address is open, or accounts stand under it.
 */
export function decideSignOn<Account>(
  bound: Account | null,
  proved: Account | null,
  isAwaited: boolean,
): SignOn<Account> {
  if (bound) return { do: 'enter', account: bound };
  if (proved) return { do: 'bind', account: proved };
  return isAwaited ? { do: 'make' } : { do: 'refuse' };
}

/**
 * Why an account does not accept an invitation; null where it does. It is to one address, and an account under another
 * belongs to whoever proves that one. Without the link the address has to be proved, because anybody can have an account
 * under any. A password that somebody else knows would let them into what is joined by it.
 */
export function refusesInvitation(
  account: AccountStanding,
  invitation: { email: string },
  hasLink: boolean,
): 'another_address' | 'not_proved' | 'given_password' | null {
  if (account.email !== invitation.email) return 'another_address';
  if (!hasLink && !account.isProved) return 'not_proved';
  return joinsOthers(account) ? null : 'given_password';
}

/** Whether an account may come to further workspaces, by an invitation or by making one. */
export const joinsOthers = ({ password }: AccountStanding): boolean => password !== 'given';

/**
 * Whether somebody who proved an address may take over an account that stands under it. Theirs is empty, so that nothing
 * is left behind; the other is nobody's by proof.
 */
export const mayTakeOver = (
  own: AccountStanding & { workspaces: readonly string[] },
  other: AccountStanding,
): boolean => own.isProved && own.isBound && own.workspaces.length === 0 && isClaimable(own.email, other);

export const isClaimable = (email: string, account: AccountStanding): boolean =>
  account.email === email && !account.isProved && !account.isBound;
