import { z } from 'zod';
import { ROLES } from '../domain/vocabulary.ts';
import { timestamp, uuid } from './common.ts';
import { email, password, plainText } from './text.ts';

const memberFields = {
  object: z.literal('member'),
  id: uuid.describe("The person's id; of somebody who is invited, the invitation's."),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  state: z.enum(['active', 'invited']).describe('`invited` until the invitation is accepted.'),
  createdAt: timestamp,
  invitedUntil: timestamp.nullable().describe('When the link of an invitation ends; null for members.'),
};

export const member = z.strictObject(memberFields).meta({ id: 'Member' });
export type MemberResource = z.infer<typeof member>;

/** The answer to an invitation: the only place where its link is ever shown. */
export const newMember = z
  .strictObject({ ...memberFields, link: z.string().nullable().describe('To be handed to the person; it works once.') })
  .meta({ id: 'NewMember' });
export type NewMember = z.infer<typeof newMember>;

export const memberInput = z.strictObject({
  email,
  name: plainText(1, 200),
  role: z.enum(ROLES),
  password: password.optional().describe('Makes the member at once, where nobody signs in with this address yet.'),
});

export const roleInput = z.strictObject({ role: z.enum(ROLES) });

const keysOfMember = {
  revokedKeys: z.int().min(0).describe('Keys and ingest tokens that they made and that ended with this.'),
  keptKeys: z.int().min(0).describe('Keys and ingest tokens that they made and that go on working.'),
};

export const changedMember = z.strictObject({ ...memberFields, ...keysOfMember }).meta({ id: 'ChangedMember' });

export const removedMember = z
  .strictObject({ object: z.literal('member'), id: uuid, removed: z.literal(true), ...keysOfMember })
  .meta({ id: 'RemovedMember' });

export const workspace = z.strictObject({ object: z.literal('workspace'), id: uuid, name: z.string() }).meta({
  id: 'Workspace',
});
export type WorkspaceResource = z.infer<typeof workspace>;

export const myself = z
  .strictObject({
    object: z.literal('person'),
    id: uuid,
    email: z.string(),
    name: z.string(),
    workspaceId: uuid.describe('The workspace that the session token is for.'),
    role: z.enum(ROLES),
    workspaces: z.array(z.strictObject({ id: uuid, name: z.string(), role: z.enum(ROLES) })),
  })
  .meta({ id: 'Myself' });
export type Myself = z.infer<typeof myself>;

const somebody = z.strictObject({
  name: z.string(),
  email: z.string(),
  emailVerified: z
    .boolean()
    .describe('Whether they proved that the address is theirs; else it is what they, or whoever invited them, wrote.'),
});

export const linkSecret = z
  .string()
  .min(1)
  .max(200)
  .describe('What follows the # of the link. It is sent in bodies alone, which nothing on the way writes down.');

export const link = z
  .strictObject({
    object: z.literal('link'),
    purpose: z.enum(['first_admin', 'invitation', 'password']),
    email: z.string(),
    workspaceName: z.string(),
    role: z.enum(ROLES).nullable().describe('What an invitation makes of whoever accepts it; null for other links.'),
    madeBy: somebody.nullable().describe('The admin who invites, or who made the link; null for the first admin’s.'),
    choosesEmail: z.boolean(),
  })
  .meta({ id: 'Link' });
export type LinkResource = z.infer<typeof link>;

export const invitation = z
  .strictObject({
    object: z.literal('invitation'),
    id: uuid,
    workspaceName: z.string(),
    role: z.enum(ROLES),
    invitedBy: somebody.nullable().describe('The admin who invites; null where a group of the sign-in provider does.'),
    createdAt: timestamp,
    invitedUntil: timestamp,
  })
  .meta({ id: 'Invitation' });
export type InvitationResource = z.infer<typeof invitation>;

/** What waits for the yes of somebody who is signed in, wherever. */
export const ownInvitations = z
  .strictObject({
    object: z.literal('own_invitations'),
    email: z.string(),
    isProved: z
      .boolean()
      .describe('Without proof of the address, invitations to it are accepted by their links alone.'),
    invitations: z.array(invitation),
    accounts: z
      .array(
        z.strictObject({
          id: uuid,
          createdAt: timestamp,
          workspaces: z.array(z.strictObject({ name: z.string(), role: z.enum(ROLES) })),
        }),
      )
      .describe(
        'Accounts under the address that nobody proved to own, which somebody who belongs nowhere can take over.',
      ),
  })
  .meta({ id: 'OwnInvitations' });
export type OwnInvitations = z.infer<typeof ownInvitations>;

/** By its id where the address is proved, else by the secret of its link. */
export const invitationAnswer = z.union([
  z.strictObject({ invitationId: uuid }),
  z.strictObject({ secret: linkSecret }),
]);

export const declined = z.strictObject({ object: z.literal('invitation'), declined: z.literal(true) }).meta({
  id: 'DeclinedInvitation',
});

export const takenOver = z
  .strictObject({
    object: z.literal('account'),
    id: uuid,
    workspaces: z.array(z.strictObject({ id: uuid, name: z.string() })),
  })
  .meta({ id: 'TakenOverAccount' });

/** Shown this once. */
export const passwordLink = z
  .strictObject({ object: z.literal('link'), link: z.string(), expiresAt: timestamp })
  .meta({ id: 'PasswordLink' });

export const passwordChange = z.strictObject({ currentPassword: z.string().min(1).max(200), newPassword: password });
export const passwordChanged = z
  .strictObject({ changed: z.literal(true), endedSessions: z.int().min(0) })
  .meta({ id: 'PasswordChanged' });
