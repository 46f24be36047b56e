import { findOpenLink, type LinkView } from '../../db/system/people.ts';
import type { Parent } from '../operation.ts';
import { secretHash } from './secrets.ts';

/** A one-time link that is still open. */
export const linkParent: Parent<LinkView> = {
  param: 'secret',
  notFound: 'link_not_found',
  format: 'text',
  load: (em, secret) => findOpenLink(em, secretHash(secret)),
};

/**
 * Whether the link sets a password. An invitation does so for a new person only: one that could set the password of
 * somebody who belongs to another workspace would open that one too.
 */
export const setsPassword = (link: LinkView) =>
  link.purpose !== 'invitation' || (link.passwordHash === null && !link.isMember);
