import { z } from 'zod';
import { signal } from '../../contract/call.ts';
import { listOf } from '../../contract/common.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { keptAs } from '../../domain/signals/kept-as.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';

const entries = [...CATALOGUE.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1));

export const listSignals = defineOperation({
  id: 'listSignals',
  surface: 'v1',
  method: 'GET',
  path: '/v1/signals',
  scope: 'read',
  tag: 'Signals',
  summary: 'List the catalogue of codes',
  description:
    'Every code that can be noticed on a call, by name: those that become signals, and those that are only kept as observations.',
  whenToUse: 'Call it for what a code means and how severe it is.',
  query: { limit: limitParam(), cursor: cursorParam(z.string()) },
  response: listOf(signal),
  async run(context, { query }) {
    const { cursor, limit } = query;
    const rest = cursor === null ? entries : entries.filter((entry) => entry.code > cursor);
    return context.page(
      rest.slice(0, limit + 1),
      limit,
      (entry) => {
        const { code, title, klass, lane, severity } = entry;
        return { object: 'signal' as const, code, title, klass, lane, severity, ...keptAs(entry) };
      },
      (entry) => entry.code,
    );
  },
});
