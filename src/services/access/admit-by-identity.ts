import type { EntityManager } from '../../db/database.ts';
import { listInvitationsTo } from '../../db/system/invitations.ts';
import { listOwnWorkspaces } from '../../db/system/members.ts';
import {
  type Account,
  findAccountsAt,
  insertPerson,
  lockAccount,
  lockAccountsAt,
  updatePerson,
} from '../../db/system/people.ts';
import { bindIdentity, findByIdentity, isBoundAt, type Subject } from '../../db/system/single-sign-on.ts';
import { decideSignOn, isClaimable } from '../../domain/access/accounts.ts';

/** Whom a provider vouches for. */
export interface Vouched extends Subject {
  /** In lower case. */
  email: string;
  /** Null where the provider has none. */
  name: string | null;
}

export interface Admitted {
  personId: string;
  /** Where the person has belonged for the longest; null where they belong nowhere yet. */
  workspaceId: string | null;
}

/**
 * The account of whom a provider vouches for, in the transaction that opens their session. The provider's subject says
 * who they are, and its word on the address whose that is. Invitations to it, and accounts that others could have made
 * under it, wait for their yes. @returns null where nobody asked for them.
 */
export async function admitByIdentity(tx: EntityManager, identity: Vouched): Promise<Admitted | null> {
  const { email, issuer } = identity;
  const atAddress = await lockAccountsAt(tx, email);
  const boundId = await findByIdentity(tx, identity);
  const bound = boundId === null ? null : await lockAccount(tx, boundId);
  const proved = atAddress.find(({ isProved }) => isProved) ?? null;
  // The provider gave the address to somebody else since.
  const isOthers = proved !== null && proved.personId !== boundId && (await isBoundAt(tx, proved.personId, issuer));
  const isAwaited = await awaits(tx, email);
  const signOn = decideSignOn(bound, isOthers ? null : proved, isAwaited);
  if (signOn.do === 'refuse') return null;
  if (proved && signOn.do !== 'bind' && proved.personId !== boundId) {
    await updatePerson(tx, proved.personId, { isProved: false });
  }
  const personId = await accountFor(tx, signOn, identity);
  const [oldest] = await listOwnWorkspaces(tx, personId);
  return oldest || isAwaited ? { personId, workspaceId: oldest?.id ?? null } : null;
}

async function accountFor(
  tx: EntityManager,
  signOn: Exclude<ReturnType<typeof decideSignOn<Account>>, { do: 'refuse' }>,
  identity: Vouched,
): Promise<string> {
  const { email } = identity;
  if (signOn.do === 'make') {
    const personId = await insertPerson(tx, {
      email,
      name: identity.name ?? email,
      passwordHash: null,
      isProved: true,
    });
    await bindIdentity(tx, identity, personId);
    return personId;
  }
  const { personId, isProved } = signOn.account;
  if (signOn.do === 'bind') await bindIdentity(tx, identity, personId);
  else if (!isProved || signOn.account.email !== email) await updatePerson(tx, personId, { email, isProved: true });
  return personId;
}

/** Whether an invitation to the address is open, or a member of some workspace stands under it by nobody's proof. */
async function awaits(em: EntityManager, email: string): Promise<boolean> {
  if ((await listInvitationsTo(em, email)).length > 0) return true;
  const accounts = await findAccountsAt(em, email);
  return accounts.some((account) => account.workspaces.length > 0 && isClaimable(email, account));
}
