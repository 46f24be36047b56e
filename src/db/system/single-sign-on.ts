import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';

/**
 * The person whom a provider vouches for by their e-mail address. Open invitations to that address are accepted, because
 * it was proved. @returns their oldest membership, or null when they have none.
 */
export async function admitByEmail(
  em: EntityManager,
  email: string,
): Promise<{ personId: string; workspaceId: string } | null> {
  return em.transactional(async (tx) => {
    const db = tx.getKysely();
    await sql`
      with accepted as (
        update one_time_links l set used_at = now() from people p
        where p.email = ${email} and l.person_id = p.id and l.purpose = 'invitation' and l.used_at is null
          and l.expires_at > now()
        returning l.workspace_id, l.person_id, l.role
      ), joined as (
        insert into memberships (workspace_id, person_id, role)
        select workspace_id, person_id, max(role) from accepted where role is not null group by workspace_id, person_id
        on conflict do nothing returning person_id
      )
      delete from one_time_links
      where purpose = 'password' and used_at is null and person_id in (select person_id from joined)
    `.execute(db);
    const { rows } = await sql<{ personId: string; workspaceId: string }>`
      select m.person_id as "personId", m.workspace_id as "workspaceId" from memberships m
      join people p on p.id = m.person_id
      where p.email = ${email} order by m.created_at, m.workspace_id limit 1
    `.execute(db);
    return rows[0] ?? null;
  });
}
