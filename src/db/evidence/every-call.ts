import { type Expression, expressionBuilder, sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { Tables } from '../tables.ts';

const eb = expressionBuilder<Tables>();

/** Kind and id of the place that every call reaches. */
export const EVERYWHERE = 'agent';

/** What a place's id is kept as: names from data can be longer than an index row. */
export const digestOf = (text: Expression<string | null>) => eb.fn<string>('md5', [text]);

const EVERYWHERE_DIGEST = digestOf(eb.cast<string>(eb.val(EVERYWHERE), 'text'));

/** Sums over every analysed call of an agent, the base of all rates: those of the place that each call reaches. */
export const everyCall = (em: EntityManager) =>
  db(em)
    .selectFrom('place_rollups')
    .where('place_rollups.placeKind', '=', EVERYWHERE)
    .where('place_rollups.placeDigest', '=', EVERYWHERE_DIGEST);

/** Whether a code could be computed on calls of a profile. */
export const isComputable = (notComputable: Expression<unknown>, code: Expression<string>) =>
  sql<boolean>`not ${notComputable} @> jsonb_build_array(jsonb_build_object('code', ${code}))`;
