import { type LinkResource, link as linkResource } from '../../contract/member.ts';
import { defineOperation } from '../operation.ts';
import { linkParent, setsPassword } from './link-parent.ts';

export const getLink = defineOperation({
  id: 'getLink',
  surface: 'app',
  method: 'GET',
  path: '/app/links/{secret}',
  scope: 'public',
  tag: 'Sign-in',
  summary: 'What a one-time link is for',
  description: 'Looking at a link does not use it. A used, expired or unknown one is not found.',
  parents: [linkParent],
  response: linkResource,
  async run(context): Promise<LinkResource> {
    const link = context.parent(linkParent);
    const { purpose, email, workspaceName } = link;
    return {
      object: 'link',
      purpose,
      email,
      workspaceName,
      setsPassword: setsPassword(link),
      choosesEmail: purpose === 'first_admin',
    };
  },
});
