import { sql } from 'kysely';
import type { SetAllowances } from '../../domain/limits/plans.ts';
import type { Plan } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { type ListPage, oldestFirst } from '../pages.ts';

export interface InstallationWorkspaceRow {
  id: string;
  name: string;
  plan: Plan;
  set: SetAllowances;
  storageLimitMib: number | null;
  members: number;
  madeBy: string | null;
  madeByEmail: string | null;
  createdAt: string;
}

/** All workspaces of people, oldest first. */
export async function listAllWorkspaces(em: EntityManager, page: ListPage): Promise<InstallationWorkspaceRow[]> {
  const all = db(em)
    .selectFrom('workspaces as w')
    .leftJoin('people as p', 'p.id', 'w.madeBy')
    .where('w.isSystem', '=', false)
    .select(['w.id', 'w.name', 'w.plan', 'w.allowances as set', 'w.storageLimitMib', 'w.madeBy', 'w.createdAt'])
    .select((eb) => [
      'p.email as madeByEmail',
      eb
        .selectFrom('memberships as m')
        .whereRef('m.workspaceId', '=', 'w.id')
        .select(sql<number>`count(*)::int`.as('members'))
        .$asScalar()
        .$notNull()
        .as('members'),
    ]);
  return oldestFirst(all, ['w.createdAt', 'w.id'], page).execute();
}

export async function isWorkspaceOfPeople(em: EntityManager, workspaceId: string): Promise<boolean> {
  const found = db(em)
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .where('isSystem', '=', false)
    .select('id');
  return (await found.executeTakeFirst()) !== undefined;
}
