import type { EntityManager } from '@mikro-orm/postgresql';
import type { Compilable, CompiledQuery, QueryResult, RawBuilder } from 'kysely';
import { db } from './db.ts';

/** Names of statements, by their text; each connection keeps the plan of what it was sent under a name. */
const names = new Map<string, string>();

/**
 * Sends a statement that each connection parses and plans once: for the few that work sends many times a second, of
 * which planning under row security takes longer than running. Its text must have no values in it that change. Not for
 * pages: how many rows are asked for decides how they are best found, and a kept plan does not know it. Nor where an index
 * of some rows only is to serve: with its condition as a parameter a kept plan cannot use it.
 */
export function executePlanned<Row>(em: EntityManager, statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  return execute(em, statement.compile(db(em)));
}

/** The same for a query of the builder. */
export function queryPlanned<Row>(em: EntityManager, query: Compilable<Row>): Promise<QueryResult<Row>> {
  return execute(em, query.compile());
}

/** The same for one that finds one row at most. @returns null where it finds none. */
export async function findPlanned<Row>(em: EntityManager, query: Compilable<Row>): Promise<Row | null> {
  return (await queryPlanned(em, query)).rows[0] ?? null;
}

function execute<Row>(em: EntityManager, compiled: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  if (!names.has(compiled.sql)) names.set(compiled.sql, `planned_${names.size + 1}`);
  return db(em).executeQuery(compiled);
}

/** @returns undefined for a statement that is planned each time. */
export const plannedName = (text: string): string | undefined => names.get(text);
