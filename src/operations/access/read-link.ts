import { z } from 'zod';
import { type LinkResource, link as linkResource, linkSecret } from '../../contract/member.ts';
import { defineOperation } from '../operation.ts';
import { findLink } from './find-link.ts';

export const readLink = defineOperation({
  id: 'readLink',
  surface: 'app',
  method: 'POST',
  path: '/app/links/read',
  scope: 'public',
  tag: 'Sign-in',
  summary: 'What a one-time link is for',
  description:
    'Looking at a link does not use it. A used, expired or unknown one is not found, and neither is one whose maker is no admin any more. It says nothing of the accounts that stand under its address.',
  body: z.strictObject({ secret: linkSecret }),
  response: linkResource,
  refuses: ['link_not_found'],
  transaction: false,
  async run({ em }, { body }): Promise<LinkResource> {
    const found = await findLink(em, body.secret);
    if ('invitation' in found) {
      const { email, workspaceName, role, invitedBy: madeBy } = found.invitation;
      return { object: 'link', purpose: 'invitation', email, workspaceName, role, madeBy, choosesEmail: false };
    }
    const { purpose, email, workspaceName, madeBy } = found.link;
    const maker = madeBy && { name: madeBy.name, email: madeBy.email, emailVerified: madeBy.emailVerified };
    const choosesEmail = purpose === 'first_admin';
    return { object: 'link', purpose, email, workspaceName, role: null, madeBy: maker, choosesEmail };
  },
});
