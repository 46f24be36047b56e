import type { Role } from '../vocabulary.ts';
import {
  type AccountStanding,
  afterLink,
  decideSignOn,
  isClaimable,
  joinsOthers,
  mayResetPassword,
  mayTakeOver,
  refusesInvitation,
} from './accounts.ts';

/**
 * Accounts, identities, invitations, links and sessions as a state machine: what the operations of access do, by the same
 * decisions, without storage, hashes or time. Ids and secrets are names that whoever acts gives; who knows which is not
 * its business.
 */
export interface AccessState {
  accounts: Record<string, { email: string; isProved: boolean; password: string | null; isGiven: boolean }>;
  /** The account of each subject of the provider. */
  identities: Record<string, string>;
  memberships: readonly Membership[];
  invitations: readonly Invitation[];
  /** Unused ones for a new password. */
  links: readonly { secret: string; workspace: string; account: string; by: string }[];
  /** Those in force. */
  sessions: Record<string, Session>;
}

interface Session {
  account: string;
  /** Where it begins: with the membership there it ends. Null for somebody who belonged nowhere. */
  workspace: string | null;
}

interface Membership {
  workspace: string;
  account: string;
  role: Role;
}

interface Invitation {
  id: string;
  workspace: string;
  email: string;
  role: Role;
  by: string;
  secret: string;
}

type Answer = { session: string; invitation: { id: string } | { secret: string } };

/** `opens` is the name of the session that comes of it. */
export type AccessAct =
  | { do: 'invite'; session: string; workspace: string; email: string; role: Role; id: string; secret: string }
  | { do: 'addWithPassword'; session: string; workspace: string; email: string; id: string; password: string }
  | { do: 'makeLink'; session: string; workspace: string; account: string; secret: string }
  | { do: 'setRole'; session: string; workspace: string; account: string; role: Role }
  | { do: 'remove'; session: string; workspace: string; account: string }
  | { do: 'useLink'; secret: string; password: string; opens: string }
  | ({ do: 'accept' } & Answer)
  | ({ do: 'decline' } & Answer)
  | { do: 'signIn'; email: string; password: string; opens: string }
  | { do: 'signOn'; subject: string; email: string; id: string; opens: string }
  | { do: 'takeOver'; session: string; account: string }
  | { do: 'changePassword'; session: string; before: string; after: string }
  | { do: 'makeWorkspace'; session: string; workspace: string };

/** @returns what is then, or null where the act is refused and nothing changes. */
export function step(state: AccessState, act: AccessAct): AccessState | null {
  switch (act.do) {
    case 'invite':
      return asAdmin(state, act, (by) => invite(state, { ...act, by }));
    case 'addWithPassword':
      return asAdmin(state, act, () => addWithPassword(state, act));
    case 'makeLink':
      return asAdmin(state, act, (by) => makeLink(state, act, by));
    case 'setRole':
      return asAdmin(state, act, () => setRole(state, act));
    case 'remove':
      return asAdmin(state, act, () => remove(state, act));
    case 'useLink':
      return useLink(state, act);
    case 'accept':
      return answered(state, act, (account, invitation) =>
        refusesInvitation(standing(state, account), invitation, 'secret' in act.invitation) === null
          ? join(state, account, invitation)
          : null,
      );
    case 'decline':
      return answered(state, act, (_account, invitation) => withoutInvitation(state, invitation));
    case 'signIn': {
      const found = state.memberships.find(({ account }) => {
        const { email, password } = state.accounts[account] ?? {};
        return email === act.email && password === act.password;
      });
      return found ? opened(state, act.opens, found) : null;
    }
    case 'signOn':
      return signOn(state, act);
    case 'takeOver':
      return takeOver(state, act);
    case 'changePassword': {
      const own = state.sessions[act.session]?.account;
      if (own === undefined || state.accounts[own]?.password !== act.before) return null;
      const changed = changeAccount(state, own, { password: act.after, isGiven: false });
      return {
        ...changed,
        sessions: without(state.sessions, (name, { account }) => account === own && name !== act.session),
      };
    }
    case 'makeWorkspace': {
      const own = state.sessions[act.session]?.account;
      if (own === undefined || workspacesOf(state, own).length === 0 || !joinsOthers(standing(state, own))) return null;
      return joined(state, { workspace: act.workspace, account: own, role: 'admin' });
    }
    default:
      return act satisfies never;
  }
}

/** The workspaces that a session opens. */
export const reachOf = (state: AccessState, session: string): string[] =>
  workspacesOf(state, state.sessions[session]?.account ?? '');

function asAdmin(
  state: AccessState,
  { session, workspace }: { session: string; workspace: string },
  work: (admin: string) => AccessState | null,
): AccessState | null {
  const own = state.sessions[session]?.account ?? '';
  return administered(state, own).includes(workspace) ? work(own) : null;
}

function invite(state: AccessState, { id, workspace, email, role, by, secret }: Invitation): AccessState | null {
  if (membersOf(state, workspace).some((account) => state.accounts[account]?.email === email)) return null;
  const before = state.invitations.find((one) => one.workspace === workspace && one.email === email);
  const invitation = { id: before?.id ?? id, workspace, email, role, by, secret };
  return { ...state, invitations: [...state.invitations.filter((one) => one !== before), invitation] };
}

function addWithPassword(
  state: AccessState,
  { workspace, email, id, password }: AccessAct & { do: 'addWithPassword' },
): AccessState | null {
  const isElsewhere = state.invitations.some(
    (one) => one.email === email && one.workspace !== workspace && isOpen(state, one),
  );
  if (isElsewhere || at(state, email).length > 0) return null;
  const invited = state.invitations.filter((one) => one.email !== email);
  const accounts = { ...state.accounts, [id]: { email, isProved: false, password, isGiven: true } };
  return joined({ ...state, invitations: invited, accounts }, { workspace, account: id, role: 'member' });
}

function makeLink(
  state: AccessState,
  { workspace, account, secret }: AccessAct & { do: 'makeLink' },
  by: string,
): AccessState | null {
  if (!membersOf(state, workspace).includes(account) || !mayReset(state, by, account)) return null;
  return {
    ...state,
    links: [...state.links.filter((one) => one.account !== account), { secret, workspace, account, by }],
  };
}

function setRole(
  state: AccessState,
  { workspace, account, role }: { workspace: string; account: string; role: Role },
): AccessState | null {
  if (!membersOf(state, workspace).includes(account) || (role !== 'admin' && isLastAdmin(state, workspace, account))) {
    return null;
  }
  const memberships = state.memberships.map((one) =>
    one.workspace === workspace && one.account === account ? { ...one, role } : one,
  );
  return { ...state, memberships };
}

function remove(
  state: AccessState,
  { workspace, account }: { workspace: string; account: string },
): AccessState | null {
  if (!membersOf(state, workspace).includes(account) || isLastAdmin(state, workspace, account)) return null;
  const memberships = state.memberships.filter((one) => one.workspace !== workspace || one.account !== account);
  const sessions = without(state.sessions, (_name, is) => is.account === account && is.workspace === workspace);
  return { ...state, memberships, sessions };
}

function useLink(state: AccessState, { secret, password, opens }: AccessAct & { do: 'useLink' }): AccessState | null {
  const invitation = state.invitations.find((one) => one.secret === secret && isOpen(state, one));
  if (invitation) return acceptByPassword(state, invitation, password, opens);
  const link = state.links.find((one) => one.secret === secret);
  if (!link || !mayReset(state, link.by, link.account)) return null;
  const { isProved, staysBound, endsSessions } = afterLink('password');
  const changed = changeAccount(state, link.account, { password, isProved, isGiven: false });
  const after = {
    ...changed,
    links: state.links.filter((one) => one !== link),
    identities: without(state.identities, (_subject, account) => account === link.account && !staysBound),
    sessions: without(state.sessions, (_name, { account }) => account === link.account && endsSessions),
  };
  return opened(after, opens, link);
}

function acceptByPassword(
  state: AccessState,
  invitation: Invitation,
  password: string,
  opens: string,
): AccessState | null {
  const { id, email } = invitation;
  const own = at(state, email).find((account) => state.accounts[account]?.password === password);
  if (own === undefined) {
    const accounts = { ...state.accounts, [id]: { email, isProved: false, password, isGiven: false } };
    return opened(join({ ...state, accounts }, id, invitation), opens, { ...invitation, account: id });
  }
  if (refusesInvitation(standing(state, own), invitation, true) !== null) return null;
  return opened(join(state, own, invitation), opens, { ...invitation, account: own });
}

function answered(
  state: AccessState,
  { session, invitation: named }: Answer,
  work: (account: string, invitation: Invitation) => AccessState | null,
): AccessState | null {
  const own = state.sessions[session]?.account;
  const isNamed = (one: Invitation) => ('secret' in named ? one.secret === named.secret : one.id === named.id);
  const invitation = state.invitations.find((one) => isNamed(one) && isOpen(state, one));
  if (own === undefined || invitation === undefined) return null;
  const refusal = refusesInvitation(standing(state, own), invitation, 'secret' in named);
  if (refusal !== null && refusal !== 'given_password') return null;
  const after = work(own, invitation);
  return after && { ...after, sessions: begunIn(after, session) };
}

/** A session of somebody who belonged nowhere begins where they belong first. */
function begunIn(state: AccessState, name: string): AccessState['sessions'] {
  const session = state.sessions[name];
  if (!session || session.workspace !== null) return state.sessions;
  return { ...state.sessions, [name]: { ...session, workspace: workspacesOf(state, session.account)[0] ?? null } };
}

function signOn(state: AccessState, { subject, email, id, opens }: AccessAct & { do: 'signOn' }): AccessState | null {
  const bound = state.identities[subject] ?? null;
  const proved = at(state, email).find((account) => state.accounts[account]?.isProved) ?? null;
  const isOthers = proved !== null && proved !== bound && standing(state, proved).isBound;
  const isAwaited =
    state.invitations.some((one) => one.email === email && isOpen(state, one)) ||
    at(state, email).some(
      (account) => isClaimable(email, standing(state, account)) && workspacesOf(state, account).length > 0,
    );
  const to = decideSignOn(bound, isOthers ? null : proved, isAwaited);
  if (to.do === 'refuse') return null;
  const account = to.do === 'make' ? id : to.account;
  const cleared = proved === null || proved === account ? state : changeAccount(state, proved, { isProved: false });
  const made = { email, isProved: true, password: null, isGiven: false, ...cleared.accounts[account] };
  const accounts = { ...cleared.accounts, [account]: { ...made, email, isProved: true } };
  const after = { ...cleared, accounts, identities: { ...cleared.identities, [subject]: account } };
  const [workspace = null] = workspacesOf(state, account);
  return isAwaited || workspace !== null ? opened(after, opens, { account, workspace }) : after;
}

function takeOver(state: AccessState, { session, account }: AccessAct & { do: 'takeOver' }): AccessState | null {
  const own = state.sessions[session]?.account;
  const [workspace] = workspacesOf(state, account);
  if (own === undefined || workspace === undefined) return null;
  if (!mayTakeOver({ ...standing(state, own), workspaces: workspacesOf(state, own) }, standing(state, account))) {
    return null;
  }
  const changed = changeAccount(state, account, { password: null, isGiven: false, isProved: true });
  const identities = Object.entries(state.identities).map(([subject, is]) => [subject, is === own ? account : is]);
  const others = without(state.sessions, (_name, is) => is.account === account);
  const sessions = Object.entries(others).map(([name, is]) => [name, is.account === own ? { account, workspace } : is]);
  return {
    ...changed,
    accounts: without(changed.accounts, (id) => id === own),
    links: state.links.filter((one) => one.account !== account),
    identities: Object.fromEntries(identities),
    sessions: Object.fromEntries(sessions),
  };
}

function join(state: AccessState, account: string, invitation: Invitation): AccessState {
  const { workspace, role } = invitation;
  return joined(withoutInvitation(state, invitation), { workspace, account, role });
}

/** Links for a new password end: who made one could not have made it for a member of this workspace too. */
function joined(state: AccessState, membership: Membership): AccessState {
  const { workspace, account } = membership;
  const links = state.links.filter((one) => one.account !== account);
  if (membersOf(state, workspace).includes(account)) return { ...state, links };
  return { ...state, links, memberships: [...state.memberships, membership] };
}

const withoutInvitation = (state: AccessState, { id }: Invitation): AccessState => ({
  ...state,
  invitations: state.invitations.filter((one) => one.id !== id),
});

const opened = (state: AccessState, session: string, { account, workspace }: Session): AccessState => ({
  ...state,
  sessions: { ...state.sessions, [session]: { account, workspace } },
});

function changeAccount(state: AccessState, id: string, set: Partial<AccessState['accounts'][string]>): AccessState {
  const account = state.accounts[id];
  return account ? { ...state, accounts: { ...state.accounts, [id]: { ...account, ...set } } } : state;
}

const without = <T>(record: Record<string, T>, goes: (name: string, value: T) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name, value]) => !goes(name, value)));

/** An invitation counts for as long as who made it is an admin. */
const isOpen = (state: AccessState, { workspace, by }: Invitation) => administered(state, by).includes(workspace);

/** Oldest first, as names of accounts are given in turn. */
const at = (state: AccessState, email: string) =>
  Object.keys(state.accounts).filter((id) => state.accounts[id]?.email === email);

const membersOf = (state: AccessState, workspace: string) =>
  state.memberships.filter((one) => one.workspace === workspace).map(({ account }) => account);

const workspacesOf = (state: AccessState, account: string) =>
  state.memberships.filter((one) => one.account === account).map(({ workspace }) => workspace);

const administered = (state: AccessState, account: string) =>
  state.memberships.filter((one) => one.account === account && one.role === 'admin').map(({ workspace }) => workspace);

const isLastAdmin = (state: AccessState, workspace: string, account: string) =>
  !state.memberships.some((one) => one.workspace === workspace && one.role === 'admin' && one.account !== account);

const mayReset = (state: AccessState, admin: string, account: string) =>
  mayResetPassword(workspacesOf(state, account), administered(state, admin));

function standing(state: AccessState, id: string): AccountStanding {
  const { email = '', isProved = false, password = null, isGiven = false } = state.accounts[id] ?? {};
  const isBound = Object.values(state.identities).includes(id);
  return { email, isProved, isBound, password: password === null ? 'none' : isGiven ? 'given' : 'own' };
}
