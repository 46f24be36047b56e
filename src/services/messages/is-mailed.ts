import type { EntityManager } from '../../db/database.ts';
import { isProvedMemberAt } from '../../db/system/members.ts';
import { isAllowedDomain } from '../../domain/messages/mail-addresses.ts';

/** Whether the operator's mail server writes to an address for a workspace: members leave, and the operator takes domains back. */
export async function isMailed(
  em: EntityManager,
  mailDomains: readonly string[],
  workspaceId: string,
  address: string,
): Promise<boolean> {
  return isAllowedDomain(mailDomains, address) || isProvedMemberAt(em, workspaceId, address.toLowerCase());
}
