import type { EntityManager } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import { PropertyNames } from './property-names.ts';
import type { Tables } from './tables.ts';

export const NAMES = new PropertyNames();

/** The tables as a workspace, or a transaction in its scope, sees them: every statement goes by here. */
export const db = (em: EntityManager): Kysely<Tables> => em.getKysely<Tables>().withPlugin(NAMES);
