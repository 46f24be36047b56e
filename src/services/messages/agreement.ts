import type { EntityManager } from '../../db/database.ts';
import { isProvedMemberAt } from '../../db/system/members.ts';
import type { Vault } from '../../secrets.ts';

interface MailChannel {
  id: string;
  workspaceId: string;
  agreed: string | null;
}

/** What only the reader of an address is told, and agrees by to messages of a channel. */
export function agreementOf(vault: Vault, { id, workspaceId }: Omit<MailChannel, 'agreed'>, address: string): string {
  return vault.keyedHash(workspaceId, `mail agreement\n${id}\n${address.toLowerCase()}`);
}

/** What is kept of a no, which holds until a yes. */
export const REFUSED = 'no ';
export const refusalOf = (agreement: string): string => `${REFUSED}${agreement}`;

/** Whether the owner of an address wants the messages of a channel: they said so by the link, or signed in as its owner. */
export async function hasAgreed(
  em: EntityManager,
  vault: Vault,
  channel: MailChannel,
  address: string,
): Promise<boolean> {
  const agreement = agreementOf(vault, channel, address);
  if (channel.agreed === '*' || channel.agreed === agreement) return true;
  if (channel.agreed === refusalOf(agreement)) return false;
  return isProvedMemberAt(em, channel.workspaceId, address.toLowerCase());
}

/** The secret of the link: which channel, and that it was read at its address. */
export const agreementSecret = (vault: Vault, channel: Omit<MailChannel, 'agreed'>, address: string): string =>
  `${channel.workspaceId}.${channel.id}.${agreementOf(vault, channel, address)}`;
