import type { Database, EntityManager } from '../../db/database.ts';
import { insertKey } from '../../db/system/keys.ts';
import { insertLink } from '../../db/system/people.ts';
import {
  claimFirstPerson,
  dropOpenLinks,
  type FirstPerson,
  findFirstPerson,
  insertWorkspaceWithAdmin,
  lockSetup,
} from '../../db/system/setup.ts';
import type { Vault } from '../../secrets.ts';
import { hashPassword } from '../access/passwords.ts';
import { linkTo, newKeySecret, newLinkSecret, secretHash } from '../access/secrets.ts';
import { openSession } from '../access/sessions.ts';

export interface FirstWorkspaceDeps {
  database: Database;
  vault: Vault;
  /** Origin of the sign-in link. */
  publicUrl: string;
  /** Makes or claims the first person unattended. */
  firstAdmin: { email: string; password: string } | null;
  /** Makes the command line's key and session anew, for when the file that held them was lost. */
  renewSecrets?: boolean;
}

/** Secrets are there only when they were made just now: nothing stored could show them again. */
export interface FirstWorkspace {
  workspaceId: string;
  personId: string;
  /** Where the first person sets a password; a new one at every start until that is done. */
  signInLink: string | null;
  /** A write key named 'command line'. */
  key: string | null;
  /** A refresh secret that is not rotated. */
  session: string | null;
}

/** An address that can be signed in with, until the person gives their own. */
const FIRST_EMAIL = 'admin@earshot.local';
const FIRST = { workspaceName: 'Workspace', name: 'First admin' };
const LINK_DAYS = 30;
const COMMAND_LINE_BUDGET_USD = 50;

/** The workspace of a new installation with its first person. Doing it again changes nothing. */
export async function ensureFirstWorkspace(deps: FirstWorkspaceDeps): Promise<FirstWorkspace> {
  // Hashing takes a while; it happens before the lock is taken.
  const passwordHash = deps.firstAdmin
    ? await hashPassword(deps.vault, deps.firstAdmin.email.toLowerCase(), deps.firstAdmin.password)
    : null;
  return deps.database.unscoped().transactional(async (em) => {
    await lockSetup(em);
    const known = await findFirstPerson(em);
    if (known) {
      const signInLink = await linkFor(em, deps, known, passwordHash);
      const secrets = deps.renewSecrets ? await makeSecrets(em, deps, known) : { key: null, session: null };
      return { ...ids(known), signInLink, ...secrets };
    }

    const made = await insertWorkspaceWithAdmin(em, {
      ...FIRST,
      email: deps.firstAdmin?.email.toLowerCase() ?? FIRST_EMAIL,
      passwordHash,
    });
    return {
      ...ids(made),
      signInLink: await linkFor(em, deps, made, null),
      ...(await makeSecrets(em, deps, made)),
    };
  });
}

/**
 * Lets the person of the configuration in, where nobody was let in before: with a workspace of their own, and without
 * secrets, as nobody would be shown them.
 */
export async function ensureFirstAdmin(
  { database, vault }: Pick<FirstWorkspaceDeps, 'database' | 'vault'>,
  firstAdmin: NonNullable<FirstWorkspaceDeps['firstAdmin']>,
): Promise<void> {
  if ((await findFirstPerson(database.unscoped()))?.isClaimed) return;
  const email = firstAdmin.email.toLowerCase();
  const passwordHash = await hashPassword(vault, email, firstAdmin.password);
  await database.unscoped().transactional(async (em) => {
    await lockSetup(em);
    const known = await findFirstPerson(em);
    if (known) return claimFirstPerson(em, known.personId, { email, passwordHash });
    await insertWorkspaceWithAdmin(em, { ...FIRST, email, passwordHash });
  });
}

async function makeSecrets(em: EntityManager, deps: FirstWorkspaceDeps, person: FirstPerson) {
  const session = await openSession(em, deps, { ...ids(person), rotates: false });
  return { key: await makeKey(em, person), session: session.secret };
}

const ids = ({ workspaceId, personId }: FirstPerson) => ({ workspaceId, personId });

async function linkFor(
  em: EntityManager,
  deps: FirstWorkspaceDeps,
  person: FirstPerson,
  passwordHash: string | null,
): Promise<string | null> {
  if (person.isClaimed) return null;
  if (passwordHash !== null && deps.firstAdmin) {
    await claimFirstPerson(em, person.personId, { email: deps.firstAdmin.email.toLowerCase(), passwordHash });
    await dropOpenLinks(em, person.personId);
    return null;
  }
  await dropOpenLinks(em, person.personId);
  const secret = newLinkSecret();
  await insertLink(
    em,
    { secretHash: secretHash(secret), purpose: 'first_admin', madeBy: null, ...ids(person) },
    LINK_DAYS,
  );
  return linkTo(deps, secret);
}

async function makeKey(em: EntityManager, person: FirstPerson): Promise<string> {
  const secret = newKeySecret();
  await insertKey(em, {
    workspaceId: person.workspaceId,
    name: 'command line',
    access: 'write',
    agentId: null,
    monthlyBudgetUsd: COMMAND_LINE_BUDGET_USD,
    secretHash: secretHash(secret),
    prefix: secret.slice(0, 10),
    createdBy: person.personId,
  });
  return secret;
}
