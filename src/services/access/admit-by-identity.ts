import type { EntityManager } from '../../db/database.ts';
import { revokeOtherSessions } from '../../db/system/sessions.ts';
import {
  acceptInvitations,
  bindIdentity,
  findByIdentity,
  findOldestMembership,
  lockPersonByEmail,
  proveAddress,
  type Subject,
} from '../../db/system/single-sign-on.ts';

export type Admission =
  | { outcome: 'admitted'; personId: string; workspaceId: string }
  | { outcome: 'nobody' }
  /** The address is bound to another subject of the provider: it was given to somebody else there. */
  | { outcome: 'another_subject' };

/**
 * The member whom a provider vouches for. The first time they are found by their proved address and bound to the
 * provider's subject; from then on the subject alone says who they are. Open invitations to the proved address are
 * accepted. Whatever password and sessions the person had before the first proof end with it, because anybody with a link
 * to the address could have set them.
 */
export async function admitByIdentity(em: EntityManager, identity: Subject & { email: string }): Promise<Admission> {
  return em.transactional(async (tx) => {
    const atAddress = await lockPersonByEmail(tx, identity.email);
    const known = await findByIdentity(tx, identity);
    const personId = known ?? atAddress?.personId;
    if (personId === undefined) return { outcome: 'nobody' };
    if (known === null && !(await bindIdentity(tx, identity, personId))) return { outcome: 'another_subject' };
    if (atAddress?.personId === personId) {
      if (!atAddress.isProved) {
        await proveAddress(tx, personId);
        await revokeOtherSessions(tx, { personId, sessionId: null, keepsStanding: true });
      }
      await acceptInvitations(tx, personId);
    }
    const membership = await findOldestMembership(tx, personId);
    return membership ? { outcome: 'admitted', ...membership } : { outcome: 'nobody' };
  });
}
