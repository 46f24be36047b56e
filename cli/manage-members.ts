import type { MemberResource, NewMember } from '../src/contract/member.ts';
import { PROGRAM } from '../src/layout.ts';
import { readAll } from './lists.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';
import { stamp } from './times.ts';

const readMembers = ({ client }: Session) =>
  readAll<MemberResource>((path) => client.person('GET', path), '/app/members');

export async function showMembers(session: Session): Promise<void> {
  const { print, json } = session;
  const members = await readMembers(session);
  if (json) return print.json(members);
  print.table(
    ['Name', 'E-mail', 'Role', 'State', 'Id'],
    members.map((member) => [
      member.name,
      member.email,
      member.role,
      member.invitedUntil === null ? 'member' : `invited until ${stamp(member.invitedUntil)}`,
      member.id,
    ]),
  );
}

export async function inviteMember(
  { client, print, json }: Session,
  email: string,
  options: { name?: string; role: string },
): Promise<void> {
  const name = options.name ?? email.split('@')[0] ?? email;
  const made = await client.person<NewMember>('POST', '/app/members', { email, name, role: options.role });
  if (json) return print.json(made);
  print.line(made.link ?? `${made.email} is a member.`);
  print.note(
    `Send this link to ${made.email}. It works once, until ${made.invitedUntil ? stamp(made.invitedUntil) : 'used'}.`,
  );
}

export async function changeRole(
  session: Session,
  who: string,
  { role, revokeKeys }: { role: string; revokeKeys?: boolean },
): Promise<void> {
  const { client, print, json } = session;
  const { id } = await findMember(session, who);
  const query = revokeKeys ? '?revokeKeys=true' : '';
  const member = await client.person<MemberResource & KeysOfMember>('PATCH', `/app/members/${id}${query}`, { role });
  if (json) return print.json(member);
  print.line(`${member.email} has the role ${member.role}. ${whatBecameOfKeys(member)}`);
}

export async function removeMember(session: Session, who: string, options: { revokeKeys?: boolean }): Promise<void> {
  const { client, print, json } = session;
  const member = await findMember(session, who);
  const query = options.revokeKeys ? '?revokeKeys=true' : '';
  const removed = await client.person<KeysOfMember>('DELETE', `/app/members/${member.id}${query}`);
  if (json) return print.json(removed);
  print.line(`Removed ${member.email}. ${whatBecameOfKeys(removed)}`);
}

interface KeysOfMember {
  revokedKeys: number;
  keptKeys: number;
}

function whatBecameOfKeys({ revokedKeys, keptKeys }: KeysOfMember): string {
  if (keptKeys > 0) return `Keys that they made go on working: ${keptKeys}, see ${PROGRAM} keys`;
  return revokedKeys > 0 ? `Keys of theirs that ended: ${revokedKeys}.` : 'They had no keys.';
}

export async function makePasswordLink(session: Session, who: string): Promise<void> {
  const { client, print, json } = session;
  const { id, email } = await findMember(session, who);
  const made = await client.person<{ link: string; expiresAt: string }>('POST', `/app/members/${id}/password-link`);
  if (json) return print.json(made);
  print.line(made.link);
  print.note(`Send this link to ${email} to set a new password. It works once, for a day.`);
}

/** By id or by e-mail address. */
async function findMember(session: Session, who: string): Promise<MemberResource> {
  const wanted = who.toLowerCase();
  const found = (await readMembers(session)).find(({ id, email }) => id === wanted || email === wanted);
  if (!found) throw new Problem(`Nobody in this workspace is ${who}: ${PROGRAM} members`, EXIT.failed);
  return found;
}
