import { type Expression, type SqlBool, sql } from 'kysely';
import { wordOfAgent, wordQuery } from '../../domain/calls/said-words.ts';
import type { Filter, FilterTerm, Sign, TextFact } from '../../domain/filters/filter.ts';
import { partsOf } from '../../domain/filters/read-filter.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import { TAG } from '../search/write-search.ts';
import { ofCall } from './conditions.ts';
import { NO_START_TIME } from './entities.ts';

type Condition = Expression<SqlBool>;

/** Up to so many calls lead a list by their ids; of more common ones a walk through the list soon meets a page. */
const FEW = 1_000;

/** Whether a filter holds of calls `c`. What nobody knows of a call does not hold, and its opposite does. */
export function conditionOf(filter: Filter, scope: ReadScope): Condition {
  switch (filter.kind) {
    case 'all':
      return ofCall.and(filter.of.map((part) => conditionOf(part, scope)));
    case 'any':
      return ofCall.or(filter.of.map((part) => conditionOf(part, scope)));
    case 'not':
      return sql<SqlBool>`not coalesce(${conditionOf(filter.of, scope)}, false)`;
    case 'said':
      return looked(sql`select true from call_words w where w.call_id = c.id
        and w.words @@ ${wordQuery(filter.sought)}::tsquery`);
    case 'tag':
    case 'field':
    case 'field_number':
      return looked(sql`select true from call_fields f where f.call_id = c.id and ${fieldIs(filter)} limit 1`);
    case 'outcome':
    case 'direction':
      return sql<SqlBool>`${sql.ref(`c.${filter.kind}`)} = ${anyText(filter.values)}`;
    case 'version':
      return sql<SqlBool>`c.version = any(${filter.values}::int[])`;
    case 'number':
      return sql<SqlBool>`${sql.ref(`c.${filter.of}`)} ${signOf(filter.sign)} ${filter.value}`;
    case 'time':
      return sql<SqlBool>`(c.sort_at ${signOf(filter.sign)} ${filter.value}::timestamptz and c.sort_at > ${NO_START_TIME}::timestamptz)`;
    case 'text':
      return textIs(filter.of, filter.values, scope);
  }
}

/** Looked up call by call: as a join PostgreSQL would first read all calls of which it holds. */
const looked = (query: Expression<unknown>) => sql<SqlBool>`coalesce((${query}), false)`;

const signOf = (sign: Sign) => sql.raw(sign);

function fieldIs(term: Extract<FilterTerm, { kind: 'tag' | 'field' | 'field_number' }>): Condition {
  if (term.kind === 'tag') return sql<SqlBool>`f.name = ${TAG} and f.text = ${anyText(term.values)}`;
  if (term.kind === 'field_number') {
    return sql<SqlBool>`f.name = ${term.name} and f.number ${signOf(term.sign)} ${term.value}`;
  }
  const { name, values } = term;
  return values === null
    ? sql<SqlBool>`f.name = ${name}`
    : sql<SqlBool>`f.name = ${name} and f.text = ${anyText(values)}`;
}

function textIs(of: TextFact, values: readonly string[], scope: ReadScope): Condition {
  if (of === 'signal') {
    return looked(sql`select true from call_codes k where k.call_id = c.id and k.code = ${anyText(values)} limit 1`);
  }
  if (of !== 'intent') return sql<SqlBool>`${sql.ref(`c.${of}`)} = ${anyText(values)}`;
  // Intents that were merged are found under the one that stands for them now.
  return sql<SqlBool>`c.intent_slug = any(array(
    select i.slug from intents i left join intents m on m.id = i.merged_into_id
    where i.agent_id = ${anyAgent(scope)} and i.kind = 'intent' and coalesce(m.slug, i.slug) = ${anyText(values)}
    union select unnest(${values}::text[])))`;
}

/**
 * The ids of calls of which a part of the filter holds that must hold, where an index knows that they are few: of several
 * such parts the one with the fewest. Null where there is none.
 */
export async function fewOf(em: EntityManager, scope: ReadScope, filter: Filter): Promise<string[] | null> {
  const queries = partsOf(filter).flatMap((part) => idsOf(part, scope));
  if (queries.length === 0) return null;
  const found = await db(em)
    .selectNoFrom(
      sql<string[][]>`json_build_array(${sql.join(queries.map((query) => sql`to_json(${query})`))})`.as('ids'),
    )
    .executeTakeFirstOrThrow();
  const least = found.ids.toSorted((a, b) => a.length - b.length)[0];
  return least === undefined || least.length > FEW ? null : least;
}

const ofAgents = (query: string, { agentIds }: ReadScope) => `(${query}) & (${agentIds.map(wordOfAgent).join(' | ')})`;

function idsOf(part: Filter, scope: ReadScope): Expression<unknown>[] {
  const agents = sql`${scope.agentIds}::uuid[]`;
  switch (part.kind) {
    case 'said':
      return [sql`calls_saying(${agents}, ${ofAgents(wordQuery(part.sought), scope)}::tsquery, ${FEW + 1})`];
    case 'tag':
    case 'field':
    case 'field_number':
      return [
        sql`array(select f.call_id from call_fields f where f.agent_id = any(${agents}) and ${fieldIs(part)}
          limit ${FEW + 1})`,
      ];
    case 'text':
      return part.of === 'signal'
        ? [
            sql`array(select k.call_id from call_codes k where k.agent_id = any(${agents})
              and k.code = ${anyText(part.values)} limit ${FEW + 1})`,
          ]
        : [];
    case 'all':
    case 'any':
    case 'not':
    case 'outcome':
    case 'direction':
    case 'version':
    case 'number':
    case 'time':
      return [];
  }
}
