import { builtInPersona, type PersonaSpec } from '../../domain/tests/personas.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { type ListPage, oldestFirst } from '../pages.ts';

/** A persona of a workspace's own. */
export interface PersonaView extends PersonaSpec {
  createdBy: string;
  createdAt: string;
}

const COLUMNS = ['id', 'name', 'style', 'createdBy', 'createdAt'] as const;
const views = (em: EntityManager, workspaceId: string) =>
  db(em).selectFrom('personas').where('workspaceId', '=', workspaceId).select(COLUMNS);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Built-in ones by slug, the workspace's own by id, in the order of `ids`. What names none is left out, so that a
 * difference in number tells.
 */
export async function findPersonas(
  em: EntityManager,
  workspaceId: string,
  ids: readonly string[],
): Promise<PersonaSpec[]> {
  const own = ids.filter((id) => UUID.test(id)).map((id) => id.toLowerCase());
  const rows = own.length === 0 ? [] : await views(em, workspaceId).where('id', 'in', own).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => builtInPersona(id) ?? byId.get(id.toLowerCase()) ?? []);
}

/** Oldest first. */
export function listOwnPersonas(em: EntityManager, workspaceId: string, page: ListPage): Promise<PersonaView[]> {
  const personas = views(em, workspaceId);
  return oldestFirst(personas, ['createdAt', 'id'], page).execute();
}

export async function findOwnPersona(
  em: EntityManager,
  workspaceId: string,
  personaId: string,
): Promise<PersonaView | null> {
  return (await views(em, workspaceId).where('id', '=', personaId).executeTakeFirst()) ?? null;
}

export function insertPersona(
  em: EntityManager,
  { workspaceId, name, style, createdBy }: { workspaceId: string; name: string; style: string; createdBy: string },
): Promise<PersonaView> {
  return db(em)
    .insertInto('personas')
    .values({ id: newId(), workspaceId, name, style, createdBy })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Results keep its id. */
export async function deletePersona(em: EntityManager, workspaceId: string, personaId: string): Promise<void> {
  await db(em).deleteFrom('personas').where('workspaceId', '=', workspaceId).where('id', '=', personaId).execute();
}
