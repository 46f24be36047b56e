import { defineEntity, p } from '@mikro-orm/core';
import { fenced } from '../row-security.ts';

/**
 * What was said on analysed calls, as it is searched: words with their places and speakers. Row security holds every
 * role but the owner of the tables, as whom the function `calls_saying` searches: PostgreSQL answers a search from an
 * index only where no policy stands before it, and the function names the workspaces in scope itself.
 */
export const CallWords = defineEntity({
  name: 'CallWords',
  tableName: 'call_words',
  ...fenced,
  rowLevelSecurity: true,
  properties: {
    callId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    words: p.string().columnType('tsvector'),
  },
  indexes: [
    {
      name: 'call_words_search',
      expression: `create index "call_words_search" on "call_words" using gin ("words")`,
    },
  ],
});

/** What came beside calls, by name and value, and the tags that people give them. */
export const CallField = defineEntity({
  name: 'CallField',
  tableName: 'call_fields',
  ...fenced,
  primaryKeys: ['callId', 'name', 'text'],
  properties: {
    callId: p.uuid().primary(),
    /** As filters write it; `#tag` for a tag. */
    name: p.text().primary(),
    /** The value as filters compare it, without regard to case. */
    text: p.text().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    /** A number, or a time in milliseconds since 1970; null for what is neither. */
    number: p.double().nullable(),
  },
  indexes: [
    {
      name: 'call_fields_of_agent',
      expression: `create index "call_fields_of_agent" on "call_fields" ("agent_id", "name", "text") include ("call_id")`,
    },
    {
      name: 'call_fields_number',
      expression: `create index "call_fields_number" on "call_fields" ("agent_id", "name", "number") include ("call_id") where "number" is not null`,
    },
  ],
});
