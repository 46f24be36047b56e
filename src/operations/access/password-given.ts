import type { EntityManager } from '../../db/database.ts';
import { lockAccount } from '../../db/system/people.ts';
import { isOpenSession } from '../../db/system/sessions.ts';
import { joinsOthers } from '../../domain/access/accounts.ts';
import { Failure } from '../failure.ts';
import type { PersonPrincipal } from '../principal.ts';

export const passwordGiven = () =>
  new Failure(
    'password_given',
    'An admin chose the password of this account and may know it. Change it first: it would open the other workspace too.',
  );

/**
 * Holds the account of somebody who is about to come to another workspace, so that nobody sets its password meanwhile.
 * @throws Failure where their session ended since, or somebody else knows the password.
 */
export async function holdOwnAccount(em: EntityManager, { personId, sessionId }: PersonPrincipal): Promise<void> {
  const account = await lockAccount(em, personId);
  if (!account || !(await isOpenSession(em, sessionId))) {
    throw new Failure('invalid_token', 'This session has ended. Sign in again.');
  }
  if (!joinsOthers(account)) throw passwordGiven();
}
