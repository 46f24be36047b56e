import { z } from 'zod';
import { signedIn } from '../../contract/session.ts';
import { email, password, plainText } from '../../contract/text.ts';
import {
  findMembership,
  findOpenLink,
  isEmailTaken,
  type LinkView,
  useLink as takeLink,
} from '../../db/queries/people.ts';
import { Failure } from '../failure.ts';
import { defineOperation, type Parent } from '../operation.ts';
import { hashPassword } from './passwords.ts';
import { secretHash } from './secrets.ts';
import { signIn } from './sessions.ts';

const linkParent: Parent<LinkView> = {
  param: 'secret',
  notFound: 'link_not_found',
  format: 'text',
  load: (em, secret) => findOpenLink(em, secretHash(secret)),
};

export const useLink = defineOperation({
  id: 'useLink',
  surface: 'app',
  method: 'POST',
  path: '/app/links/{secret}',
  scope: 'public',
  tag: 'Sign-in',
  summary: 'Use a one-time link',
  description:
    'Sets a password, where wanted a name, and by the link of the first admin the e-mail address, then signs in. A link works once; a used, expired or unknown one is not found.',
  parents: [linkParent],
  body: z.strictObject({ name: plainText(1, 200).optional(), email: email.optional(), password }),
  response: signedIn,
  transaction: false,
  async run(context, { body }) {
    const link = context.parent(linkParent);
    if (body.email !== undefined && link.purpose !== 'first_admin') {
      throw new Failure('invalid_parameter', 'Only the first admin chooses the e-mail address here.', {
        param: 'email',
      });
    }
    if (body.email !== undefined && (await isEmailTaken(context.em, body.email, link.personId))) {
      throw new Failure('invalid_parameter', 'Somebody else signs in with this e-mail address.', { param: 'email' });
    }
    const passwordHash = await hashPassword(body.password);
    const { name = null, email: address = null } = body;
    const taken = await context.em.transactional((em) => takeLink(em, link, { name, email: address, passwordHash }));
    const member = taken ? await findMembership(context.em, link) : null;
    if (!member) throw new Failure('link_not_found', 'This link was used already, or is none.');
    return signIn(context, member);
  },
});
