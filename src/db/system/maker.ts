import { sql } from 'kysely';

/** Who made what lets somebody in. */
export interface Maker {
  id: string;
  name: string;
  email: string;
  isMember: boolean;
}

/** The maker of a row of this table; null where the person was deleted. */
export const makerOf = (table: 'api_keys' | 'ingest_tokens') => {
  const row = sql.raw(table);
  return sql<Maker | null>`(
    select jsonb_build_object('id', p.id, 'name', p.name, 'email', p.email, 'isMember', exists (
      select from memberships m where m.person_id = p.id and m.workspace_id = ${row}.workspace_id))
    from people p where p.id = ${row}.created_by)`;
};
