import { defineEntity, p } from '@mikro-orm/core';
import type { LeftCount } from '../../domain/spans/left-spans.ts';
import { count, time } from '../columns.ts';
import { fencedApart } from '../row-security.ts';

/** A trace of which spans came in, and when calls are made of what is there. */
export const SpanTrace = defineEntity({
  name: 'SpanTrace',
  tableName: 'span_traces',
  ...fencedApart,
  primaryKeys: ['agentId', 'traceId'],
  properties: {
    agentId: p.uuid().primary(),
    traceId: p.text().primary(),
    workspaceId: p.uuid(),
    /** Names that its spans give to their calls: traces that share one belong together. */
    callRefs: p.array(),
    /** A span that closes a call came in. */
    ended: p.boolean().default(false),
    /** Its library names calls, and none of its spans does: it may be part of a call that was going on. */
    loose: p.boolean().default(false),
    /** Some of its spans hold what was said or done. */
    worded: p.boolean().default(false),
    /** Its spans of which no call was made, by reason and library; until calls are made of it those that hold nothing. */
    leftSpans: p.json<LeftCount[]>().default('[]'),
    /** When its first span began and its last one ended, by the sender's clock. */
    beginAt: time().nullable(),
    endAt: time().nullable(),
    spans: count(),
    /** Of its spans before they were compressed. */
    bytes: count(),
    lastAt: time().defaultRaw('now()'),
    /** Null: nothing came in since calls were made of it. */
    dueAt: time().nullable(),
  },
  indexes: [
    {
      name: 'span_traces_due',
      expression: 'create index "span_traces_due" on "span_traces" ("agent_id", "due_at") where "due_at" is not null',
    },
    {
      name: 'span_traces_times',
      expression: 'create index "span_traces_times" on "span_traces" ("agent_id", "begin_at")',
    },
    {
      name: 'span_traces_refs',
      expression: 'create index "span_traces_refs" on "span_traces" using gin ("call_refs")',
    },
  ],
});

/** Spans of one trace as one request brought them, compressed and sealed. The same ones again change nothing. */
export const SpanBatch = defineEntity({
  name: 'SpanBatch',
  tableName: 'span_batches',
  ...fencedApart,
  primaryKeys: ['agentId', 'traceId', 'digest'],
  properties: {
    agentId: p.uuid().primary(),
    traceId: p.text().primary(),
    digest: p.text().primary(),
    workspaceId: p.uuid(),
    sealed: p.blob(),
    receivedAt: time().defaultRaw('now()'),
  },
});
