import * as fc from 'fast-check';
import { type AccessAct, type AccessState, reachOf } from '../../src/domain/access/machine.ts';

/**
 * Two admins, an attacker and a victim. The admin of A works for the attacker, or is them; the admin of B is honest and
 * invites the victim. Each acts on what they know: secrets, passwords and sessions.
 *
 * The victim is careless, but not helpless: they take any link that they are handed, and sign in with a password that the
 * product had an admin choose. Nothing could help one who takes an account of the attacker's under a password that the
 * attacker tells them, or who makes a workspace in an account under another's address.
 */
export const VICTIM = { email: 'victim@example.com', subject: 'victim' };
export const ATTACKER = { email: 'attacker@example.net', subject: 'attacker' };
export const ADMINS = {
  a: { account: 'admin of A', session: 'session of A', workspace: 'A' },
  b: { account: 'admin of B', session: 'session of B', workspace: 'B' },
} as const;

/** Accounts are written in the order in which they are made. */
export const BEGIN: AccessState = {
  accounts: {
    [ADMINS.a.account]: { email: 'admin@a.example', isProved: false, password: 'of admin A', isGiven: false },
    [ADMINS.b.account]: { email: 'admin@b.example', isProved: false, password: 'of admin B', isGiven: false },
  },
  identities: {},
  memberships: [
    { workspace: 'A', account: ADMINS.a.account, role: 'admin' },
    { workspace: 'B', account: ADMINS.b.account, role: 'admin' },
  ],
  invitations: [],
  links: [],
  sessions: {
    [ADMINS.a.session]: { account: ADMINS.a.account, workspace: 'A' },
    [ADMINS.b.session]: { account: ADMINS.b.account, workspace: 'B' },
  },
};

interface Known {
  secrets: string[];
  passwords: string[];
  sessions: string[];
}

/** What each knows; the attacker knows what the admin of A does. */
export interface Knowledge {
  attacker: Known;
  victim: Known;
  /** Workspaces that the victim made. */
  made: string[];
}

export const knowledgeAtFirst = (): Knowledge => ({
  attacker: { secrets: [], passwords: ['attacker 1', 'attacker 2'], sessions: [ADMINS.a.session] },
  victim: { secrets: [], passwords: ['victim 1', 'victim 2'], sessions: [] },
  made: [],
});

/** One random step: who does which of their things, with which of what they know. */
export interface Move {
  kind: number;
  picks: [number, number, number];
}

const pick = fc.nat({ max: 11 });
export const moves = (least: number, most: number): fc.Arbitrary<Move[]> =>
  fc.array(fc.record({ kind: fc.nat({ max: 10_000 }), picks: fc.tuple(pick, pick, pick) }), {
    minLength: least,
    maxLength: most,
    size: 'max',
  });

export interface Turn {
  act: AccessAct;
  /** To be noted where the act succeeds. */
  learn(): void;
}

/** What a move is in a state, or null where its actor knows nothing to do it with. */
export function turnOf(state: AccessState, knows: Knowledge, { kind, picks }: Move, at: number): Turn | null {
  const choices = [
    ...ofAttacker(state, knows, picks, at),
    ...ofVictim(state, knows, picks, at),
    ...ofB(state, knows, picks, at),
  ];
  return choices[kind % choices.length]?.() ?? null;
}

type Choice = () => Turn | null;

const one = <T>(of: readonly T[], by: number): T | undefined => of[by % of.length];

function ofAttacker(state: AccessState, knows: Knowledge, [x, y, z]: Move['picks'], at: number): Choice[] {
  const { attacker, victim } = knows;
  const admin = { session: ADMINS.a.session, workspace: 'A' };
  const session = one(attacker.sessions, x) ?? '';
  const account = one(membersOf(state, 'A'), y) ?? '';
  const [secret, id, opens] = [`secret ${at}`, `account ${at}`, `session ${at}`];
  /** Both keep a link that is handed over. */
  const handOver = () => {
    attacker.secrets.push(secret);
    if (z % 2 === 0) victim.secrets.push(secret);
  };
  const open = () => attacker.sessions.push(opens);
  const chosen = z % 2 === 0 ? 'attacker 1' : 'attacker 2';
  const email = z % 3 === 0 ? ATTACKER.email : VICTIM.email;
  const role = y % 2 === 0 ? ('admin' as const) : ('member' as const);
  return [
    () => ({ act: { do: 'invite', ...admin, email, role, id, secret }, learn: handOver }),
    () => ({ act: { do: 'makeLink', ...admin, account, secret }, learn: handOver }),
    () => ({
      act: { do: 'addWithPassword', ...admin, email: VICTIM.email, id, password: `given ${at}` },
      learn: () => {
        attacker.passwords.push(`given ${at}`);
        victim.passwords.push(`given ${at}`);
      },
    }),
    () => ({ act: { do: 'setRole', ...admin, account, role }, learn() {} }),
    () => ({ act: { do: 'remove', ...admin, account }, learn() {} }),
    () =>
      withKnown(attacker.secrets, y, (known) => ({
        act: { do: 'useLink', secret: known, password: chosen, opens },
        learn: open,
      })),
    () => ({
      act: { do: 'signIn', email: VICTIM.email, password: one(attacker.passwords, z) ?? '', opens },
      learn: open,
    }),
    () => ({ act: { do: 'signOn', ...ATTACKER, id, opens }, learn: open }),
    () =>
      withKnown(attacker.secrets, y, (known) => ({
        act: { do: 'accept', session, invitation: { secret: known } },
        learn() {},
      })),
    // Ids are no secrets.
    () =>
      withKnown(state.invitations, y, (known) => ({
        act: { do: 'accept', session, invitation: { id: known.id } },
        learn() {},
      })),
    () =>
      withKnown(Object.keys(state.accounts), y, (other) => ({
        act: { do: 'takeOver', session, account: other },
        learn() {},
      })),
    () => ({
      act: {
        do: 'changePassword',
        session,
        before: one(attacker.passwords, y) ?? '',
        after: chosen,
      },
      learn() {},
    }),
    () => ({ act: { do: 'makeWorkspace', session, workspace: `made by attacker ${at}` }, learn() {} }),
  ];
}

function ofVictim(state: AccessState, knows: Knowledge, [x, y, z]: Move['picks'], at: number): Choice[] {
  const { victim } = knows;
  const session = one(victim.sessions, x);
  const own = ['victim 1', 'victim 2'];
  const [id, opens] = [`account ${at}`, `session ${at}`];
  const open = () => victim.sessions.push(opens);
  const signedIn = (turn: (session: string) => Turn | null): Turn | null =>
    session === undefined ? null : turn(session);
  return [
    () => ({ act: { do: 'signOn', ...VICTIM, id, opens }, learn: open }),
    () =>
      withKnown(victim.secrets, y, (secret) => ({
        act: { do: 'useLink', secret, password: one(own, z) ?? '', opens },
        learn: open,
      })),
    () => ({
      act: { do: 'signIn', email: VICTIM.email, password: one(victim.passwords, z) ?? '', opens },
      learn: open,
    }),
    () =>
      signedIn((session) =>
        withKnown(victim.secrets, y, (secret) => ({
          act: { do: 'accept', session, invitation: { secret } },
          learn() {},
        })),
      ),
    () =>
      signedIn((session) =>
        withKnown(state.invitations, y, ({ id: known }) => ({
          act: { do: z % 4 === 0 ? 'decline' : 'accept', session, invitation: { id: known } },
          learn() {},
        })),
      ),
    () =>
      signedIn((session) =>
        withKnown(Object.keys(state.accounts), y, (account) => ({
          act: { do: 'takeOver', session, account },
          learn() {},
        })),
      ),
    () =>
      signedIn((session) => ({
        act: { do: 'changePassword', session, before: one(victim.passwords, y) ?? '', after: one(own, z) ?? '' },
        learn() {},
      })),
    // Under their own address: what somebody makes under another is whose address that is.
    () =>
      signedIn((session) =>
        emailOf(state, session) !== VICTIM.email
          ? null
          : {
              act: { do: 'makeWorkspace', session, workspace: `made by victim ${at}` },
              learn: () => knows.made.push(`made by victim ${at}`),
            },
      ),
  ];
}

/** Hands what it makes to the victim alone. */
function ofB(state: AccessState, { victim }: Knowledge, [, y, z]: Move['picks'], at: number): Choice[] {
  const admin = { session: ADMINS.b.session, workspace: 'B' };
  const account =
    one(
      membersOf(state, 'B').filter((id) => id !== ADMINS.b.account),
      y,
    ) ?? '';
  const secret = `secret ${at}`;
  const learn = () => victim.secrets.push(secret);
  const role = z % 2 === 0 ? ('member' as const) : ('admin' as const);
  const invite: Choice = () => ({
    act: { do: 'invite', ...admin, email: VICTIM.email, role, id: `account ${at}`, secret },
    learn,
  });
  return [
    invite,
    invite,
    () => ({ act: { do: 'makeLink', ...admin, account, secret }, learn }),
    () => ({ act: { do: 'setRole', ...admin, account, role }, learn() {} }),
    () => ({ act: { do: 'remove', ...admin, account }, learn() {} }),
  ];
}

const emailOf = (state: AccessState, session: string) => state.accounts[state.sessions[session]?.account ?? '']?.email;

const withKnown = <T>(of: readonly T[], by: number, turn: (known: T) => Turn | null): Turn | null => {
  const known = one(of, by);
  return known === undefined ? null : turn(known);
};

const membersOf = (state: AccessState, workspace: string) =>
  state.memberships.filter((one) => one.workspace === workspace).map(({ account }) => account);

/** What the attacker gets into of what is the victim's and not A: by a session, or by a password that they know. */
export function breachesOf(state: AccessState, knows: Knowledge): string[] {
  const isTheirs = (workspace: string) => workspace === 'B' || knows.made.includes(workspace);
  const bySession = knows.attacker.sessions.flatMap((session) => reachOf(state, session).map((at) => [session, at]));
  const byPassword = state.memberships.flatMap(({ account, workspace }) => {
    const password = state.accounts[account]?.password ?? null;
    return password !== null && knows.attacker.passwords.includes(password) ? [[password, workspace]] : [];
  });
  return [...bySession, ...byPassword].filter(([, at]) => isTheirs(at ?? '')).map(([by, at]) => `${by} opens ${at}`);
}
