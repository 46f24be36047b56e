import { z } from 'zod';
import { ROLES } from '../domain/vocabulary.ts';
import { timestamp, uuid } from './common.ts';
import { email, password, plainText } from './text.ts';

const memberFields = {
  object: z.literal('member'),
  id: uuid.describe("The person's id."),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  state: z.enum(['active', 'invited']).describe('`invited` until the link of the invitation is used.'),
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

export const removedMember = z
  .strictObject({
    object: z.literal('member'),
    id: uuid,
    removed: z.literal(true),
    revokedKeys: z.int().min(0).describe('Keys that they made and that ended with this.'),
    keptKeys: z.int().min(0).describe('Keys that they made and that go on working.'),
  })
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

export const link = z
  .strictObject({
    object: z.literal('link'),
    purpose: z.enum(['first_admin', 'invitation', 'password']),
    email: z.string(),
    workspaceName: z.string(),
    setsPassword: z
      .boolean()
      .describe('False where the person signs in already: then their own password accepts the invitation.'),
    choosesEmail: z.boolean(),
  })
  .meta({ id: 'Link' });
export type LinkResource = z.infer<typeof link>;

/** Shown this once. */
export const passwordLink = z
  .strictObject({ object: z.literal('link'), link: z.string(), expiresAt: timestamp })
  .meta({ id: 'PasswordLink' });

export const passwordChange = z.strictObject({ currentPassword: z.string().min(1).max(200), newPassword: password });
export const passwordChanged = z
  .strictObject({ changed: z.literal(true), endedSessions: z.int().min(0) })
  .meta({ id: 'PasswordChanged' });
