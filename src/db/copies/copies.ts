import type { JsonObject } from '../../domain/json.ts';
import type { CopyState } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, clock, json } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

export type CopyView = Row<'agent_copies'>;

export interface PlayedCopy {
  providerAgentId: string;
  version: number;
}

/** Written before anything is made at the platform. */
export async function insertCopy(
  em: EntityManager,
  copy: Pick<CopyView, 'workspaceId' | 'agentId' | 'runId' | 'version'>,
): Promise<string> {
  const id = newId();
  const { workspaceId, agentId, runId, version } = copy;
  await db(em).insertInto('agent_copies').values({ id, workspaceId, agentId, runId, version }).execute();
  return id;
}

export async function loadCopy(em: EntityManager, id: string): Promise<CopyView | null> {
  return (await db(em).selectFrom('agent_copies').where('id', '=', id).selectAll().executeTakeFirst()) ?? null;
}

export async function isCopyReady(em: EntityManager, runId: string): Promise<boolean> {
  const ready = db(em).selectFrom('agent_copies').where('runId', '=', runId).where('state', '=', 'ready').select('id');
  return (await ready.executeTakeFirst()) !== undefined;
}

/** @returns false where it was given up: nothing more is to be made of it then. */
export async function noteCopyHandle(em: EntityManager, id: string, handle: JsonObject): Promise<boolean> {
  const noted = await db(em)
    .updateTable('agent_copies')
    .where('id', '=', id)
    .where('state', '=', 'making')
    .set({ handle: json(handle), updatedAt: clock })
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** The run plays it from now on, unless it was given up meanwhile. */
export async function setCopyReady(
  em: EntityManager,
  { id, runId, providerAgentId, version }: PlayedCopy & { id: string; runId: string },
): Promise<void> {
  const ready = await db(em)
    .updateTable('agent_copies')
    .where('id', '=', id)
    .where('state', '=', 'making')
    .set({ state: 'ready', providerAgentId, providerVersion: version, updatedAt: clock })
    .returning('id')
    .executeTakeFirst();
  if (ready === undefined) return;
  await db(em).updateTable('runs').where('id', '=', runId).set({ shadowAgentId: id }).execute();
}

/** Gives up every copy of a run. @returns those that are to be removed from now on */
export async function giveUpCopies(em: EntityManager, runId: string): Promise<string[]> {
  const given = await db(em)
    .updateTable('agent_copies')
    .where('runId', '=', runId)
    .where('state', 'in', ['making', 'ready'])
    .set({ state: 'removing', updatedAt: clock })
    .returning('id')
    .execute();
  return given.map(({ id }) => id);
}

export async function setCopyRemoved(em: EntityManager, id: string): Promise<void> {
  await db(em)
    .updateTable('agent_copies')
    .where('id', '=', id)
    .set({ state: 'removed', problem: null, removedAt: clock, updatedAt: clock })
    .execute();
}

/** It is still there, and why. */
export async function noteCopyProblem(em: EntityManager, id: string, problem: string): Promise<void> {
  await db(em)
    .updateTable('agent_copies')
    .where('id', '=', id)
    .where('state', '=', 'removing')
    .set((eb) => ({ problem, tries: eb('tries', '+', 1), updatedAt: clock }))
    .execute();
}

/** Copies that are to be removed and that nothing has happened to for so many minutes. */
export async function copiesLeftOver(em: EntityManager, workspaceId: string, idleMinutes: number) {
  return db(em)
    .selectFrom('agent_copies')
    .where('workspaceId', '=', workspaceId)
    .where('state', '=', 'removing')
    .where('updatedAt', '<', ago(idleMinutes, 'minutes'))
    .select(['id as copyId', 'agentId', 'workspaceId'])
    .execute();
}

/** Newest first. */
export function listCopies(
  em: EntityManager,
  scope: ReadScope,
  { state }: { state: CopyState | null },
  page: ListPage,
): Promise<CopyView[]> {
  let copies = db(em).selectFrom('agent_copies').where('agentId', '=', anyAgent(scope)).selectAll();
  if (state !== null) copies = copies.where('state', '=', state);
  return newestFirst(copies, ['createdAt', 'id'], page).execute();
}
