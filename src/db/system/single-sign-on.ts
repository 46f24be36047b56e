import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/**
 * The person whom a provider vouches for by their e-mail address. Open invitations to that address are accepted, because
 * it was proved. @returns their oldest membership, or null when they have none.
 */
export async function admitByEmail(
  em: EntityManager,
  email: string,
): Promise<{ personId: string; workspaceId: string } | null> {
  return em.transactional(async (tx) => {
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
    `.execute(db(tx));
    const oldest = await db(tx)
      .selectFrom('memberships as m')
      .innerJoin('people as p', 'p.id', 'm.personId')
      .where('p.email', '=', email)
      .select(['m.personId', 'm.workspaceId'])
      .orderBy('m.createdAt')
      .orderBy('m.workspaceId')
      .limit(1)
      .executeTakeFirst();
    return oldest ?? null;
  });
}
