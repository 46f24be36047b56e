import { z } from 'zod';
import { uuid } from '../../contract/common.ts';
import {
  declined,
  type InvitationResource,
  invitationAnswer,
  type OwnInvitations,
  ownInvitations,
  takenOver,
  type WorkspaceResource,
  workspace,
} from '../../contract/member.ts';
import { dropInvitation, type InvitationView, listInvitationsTo } from '../../db/system/invitations.ts';
import { listOwnWorkspaces } from '../../db/system/members.ts';
import { findAccount, findAccountsAt } from '../../db/system/people.ts';
import { actIn } from '../../db/system/scope.ts';
import { mayTakeOver } from '../../domain/access/accounts.ts';
import {
  beginIn,
  findToAnswer,
  type InvitationName,
  join,
  type OwnSession,
} from '../../services/access/accept-invitation.ts';
import { takeOver } from '../../services/access/take-over.ts';
import { noteAct } from '../audit/note-act.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { passwordGiven } from './password-given.ts';
import { requireSession } from './require-session.ts';
import { secretHash } from './secrets.ts';

/** Below the session's cookie, and by it: who answers may belong to no workspace yet, for which no token is. */
const common = { surface: 'app', scope: 'public', tag: 'Sign-in' } as const;

export const listOwnInvitations = defineOperation({
  ...common,
  id: 'listOwnInvitations',
  method: 'GET',
  path: '/app/session/invitations',
  summary: 'What waits for your yes',
  description:
    'By the cookie of the session. Invitations to the address of the account, where it is proved; and for somebody who proved it and belongs nowhere yet, accounts that stand under it and that nobody proved to own.',
  response: ownInvitations,
  async run(context): Promise<OwnInvitations> {
    const { em, services, refreshSecret } = context;
    const { personId } = await requireSession(em, services, refreshSecret);
    const own = await findAccount(em, personId);
    if (!own) throw signedOut();
    const workspaces = (await listOwnWorkspaces(em, personId)).map(({ id }) => id);
    const claimable = (await findAccountsAt(em, own.email)).filter(
      (one) => one.workspaces.length > 0 && mayTakeOver({ ...own, workspaces }, one),
    );
    const open = own.isProved ? await listInvitationsTo(em, own.email) : [];
    return {
      object: 'own_invitations',
      email: own.email,
      isProved: own.isProved,
      invitations: open.filter(({ workspaceId }) => !workspaces.includes(workspaceId)).map(present),
      accounts: claimable.map(({ personId: id, createdAt, workspaces: at }) => ({
        id,
        createdAt,
        workspaces: at.map(({ name, role }) => ({ name, role })),
      })),
    };
  },
});

export const acceptInvitation = defineOperation({
  ...common,
  id: 'acceptInvitation',
  method: 'POST',
  path: '/app/session/invitations/accept',
  summary: 'Accept an invitation',
  description:
    'By the cookie of the session: with the id of an invitation to the address of the account, where it is proved, or with the secret of its link. Then ask for a session token of the workspace.',
  body: invitationAnswer,
  response: workspace,
  refuses: ['invitation_not_found', 'password_given'],
  async run(context, { body }): Promise<WorkspaceResource> {
    const { session, invitation, refusal } = await toAnswer(context, body);
    if (refusal) throw passwordGiven();
    if (!(await join(context.em, session.personId, invitation))) throw invitationGone();
    await beginIn(context.em, session, invitation.workspaceId);
    await note(context, session, 'acceptInvitation', invitation);
    return { object: 'workspace', id: invitation.workspaceId, name: invitation.workspaceName };
  },
});

export const declineInvitation = defineOperation({
  ...common,
  id: 'declineInvitation',
  method: 'POST',
  path: '/app/session/invitations/decline',
  summary: 'Decline an invitation',
  description: 'As it is accepted. It is gone then; the audit log of the workspace says who declined.',
  body: invitationAnswer,
  response: declined,
  refuses: ['invitation_not_found'],
  async run(context, { body }) {
    const { session, invitation } = await toAnswer(context, body);
    if (!(await dropInvitation(context.em, invitation.id))) throw invitationGone();
    await note(context, session, 'declineInvitation', invitation);
    return { object: 'invitation' as const, declined: true as const };
  },
});

export const takeOverAccount = defineOperation({
  ...common,
  id: 'takeOverAccount',
  method: 'POST',
  path: '/app/session/accounts/take-over',
  summary: 'Take over an account under your address',
  description:
    'For somebody who signed in by the provider and belongs nowhere yet. Its password, its sessions and its links end, because others could have made them; its workspaces, and what it did there, are yours from then on.',
  body: z.strictObject({ accountId: uuid }),
  response: takenOver,
  refuses: ['account_not_found'],
  async run(context, { body }) {
    const { em, services, refreshSecret } = context;
    const session = await requireSession(em, services, refreshSecret);
    const own = await findAccount(em, session.personId);
    const accountId = body.accountId.toLowerCase();
    const workspaces = own && (await takeOver(em, session, { email: own.email, accountId }));
    if (!workspaces) throw new Failure('account_not_found', 'There is no account under your address to take over.');
    for (const { id } of workspaces) {
      const act = { workspaceId: id, personId: accountId, operation: 'takeOverAccount', targetIds: [accountId] };
      await actIn(em, id, () => noteAct(em, services, act));
    }
    return { object: 'account' as const, id: accountId, workspaces: workspaces.map(({ id, name }) => ({ id, name })) };
  },
});

async function toAnswer(context: Context, body: z.infer<typeof invitationAnswer>) {
  const session = await requireSession(context.em, context.services, context.refreshSecret);
  const named: InvitationName =
    'secret' in body ? { secretHash: secretHash(body.secret) } : { id: body.invitationId.toLowerCase() };
  const found = await findToAnswer(context.em, session, named);
  switch (found.outcome) {
    case 'found':
      return { session, invitation: found.invitation, refusal: found.refusal };
    case 'signed_out':
      throw signedOut();
    case 'another_address':
      throw new Failure(
        'invitation_not_found',
        'This invitation is to another address than the one you signed in with.',
      );
    case 'not_found':
      throw invitationGone();
    default:
      return found satisfies never;
  }
}

const signedOut = () => new Failure('invalid_token', 'This session has ended. Sign in again.');

const invitationGone = () =>
  new Failure('invitation_not_found', 'This invitation was answered, taken back or has expired, or is not to you.');

async function note(
  { em, services }: Context,
  { personId }: OwnSession,
  operation: string,
  { id, workspaceId }: InvitationView,
): Promise<void> {
  const act = { workspaceId, personId, operation, targetIds: [id] };
  await actIn(em, workspaceId, () => noteAct(em, services, act));
}

function present({ id, workspaceName, role, invitedBy, createdAt, expiresAt }: InvitationView): InvitationResource {
  return { object: 'invitation', id, workspaceName, role, invitedBy, createdAt, invitedUntil: expiresAt };
}
