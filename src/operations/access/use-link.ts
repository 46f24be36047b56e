import { z } from 'zod';
import { signedIn } from '../../contract/session.ts';
import { email, password, plainText } from '../../contract/text.ts';
import type { EntityManager } from '../../db/database.ts';
import { insertMembership } from '../../db/system/members.ts';
import {
  dropPasswordLinks,
  findMembership,
  isEmailTaken,
  type LinkView,
  setFirstPassword,
  setPerson,
  takeLink,
} from '../../db/system/people.ts';
import { revokeOtherSessions } from '../../db/system/sessions.ts';
import { dropIdentities } from '../../db/system/single-sign-on.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { linkParent, setsPassword } from './link-parent.ts';
import { checkPassword, hashPassword } from './passwords.ts';
import { signIn } from './sessions.ts';
import { withinTries } from './sign-in-tries.ts';

const body = z.strictObject({
  name: plainText(1, 200).optional(),
  email: email.optional(),
  // A password that somebody has already may be of any length.
  password: z.string().min(1).max(200),
});
type Body = z.infer<typeof body>;

export const useLink = defineOperation({
  id: 'useLink',
  surface: 'app',
  method: 'POST',
  path: '/app/links/{secret}',
  scope: 'public',
  tag: 'Sign-in',
  summary: 'Use a one-time link',
  description:
    'Sets a password, where wanted a name, and by the link of the first admin the e-mail address, then signs in. Whoever signs in already accepts an invitation with their own password. A link works once; a used, expired or unknown one is not found.',
  parents: [linkParent],
  body,
  response: signedIn,
  showsSecret: true,
  transaction: false,
  async run(context, { body: given }) {
    const link = context.parent(linkParent);
    await checkFields(context.em, link, given);
    const use = setsPassword(link) ? await newPassword(link, given) : await ownPassword(context, link, given);
    const member = await context.em.transactional(async (em) => {
      if (!(await takeLink(em, link.id))) throw linkGone();
      await use(em);
      if (link.role !== null) {
        await insertMembership(em, { ...link, role: link.role });
        // Whoever made one could not have made it for a person of this workspace too.
        await dropPasswordLinks(em, link.personId);
      }
      return findMembership(em, link);
    });
    if (!member) throw linkGone();
    return signIn(context, member, 'useLink');
  },
});

const linkGone = () => new Failure('link_not_found', 'This link was used already, or is none.');

async function checkFields(em: EntityManager, link: LinkView, given: Body): Promise<void> {
  if (given.email !== undefined && link.purpose !== 'first_admin') {
    throw new Failure('invalid_parameter', 'Only the first admin chooses the e-mail address here.', { param: 'email' });
  }
  if (given.email !== undefined && (await isEmailTaken(em, given.email, link.personId))) {
    throw new Failure('invalid_parameter', 'Somebody else signs in with this e-mail address.', { param: 'email' });
  }
  if (!setsPassword(link)) return;
  const problem = password.safeParse(given.password).error?.issues[0];
  if (problem) throw new Failure('invalid_parameter', `password: ${problem.message}.`, { param: 'password' });
}

type Use = (em: EntityManager) => Promise<void>;

async function newPassword(link: LinkView, given: Body): Promise<Use> {
  const passwordHash = await hashPassword(given.password);
  const { personId } = link;
  return async (em) => {
    if (link.purpose !== 'invitation') {
      // The operator's own terminal showed the first admin's link: nobody else can have chosen that password.
      const isProved = link.purpose === 'first_admin';
      await setPerson(em, personId, { name: given.name ?? null, email: given.email ?? null, passwordHash, isProved });
      if (link.purpose === 'password') {
        await revokeOtherSessions(em, { personId, sessionId: null });
        await dropIdentities(em, personId);
      }
    } else if (!(await setFirstPassword(em, personId, { name: given.name ?? link.name, passwordHash }))) {
      // Another invitation of the same person was accepted in the meantime: this one asks for that password now.
      throw new Failure('invalid_credentials', 'Somebody signs in with this address by now. Use that password here.');
    }
  };
}

async function ownPassword(context: Context, link: LinkView, given: Body): Promise<Use> {
  if (!(await withinTries(context, link.email, () => checkPassword(given.password, link.passwordHash)))) {
    throw new Failure('invalid_credentials', 'You sign in already: the password is not the one that you sign in with.');
  }
  return async () => {};
}
