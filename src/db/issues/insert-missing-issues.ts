import { issueKey } from '../../domain/issues/identity.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { digestOf } from '../evidence/every-call.ts';
import { insertIssues, type NewIssue } from './insert-issues.ts';

/** Rows for groups of signals that have none: only signals that came in by another way than a batch lack one. */
export async function insertMissingIssues(em: EntityManager, agentId: string): Promise<void> {
  const missing = await db(em)
    .with('g', (within) =>
      within
        .selectFrom('call_signals')
        .where('agentId', '=', agentId)
        .groupBy(['code', 'placeKind', 'placeId'])
        .select(({ fn }) => [
          'code',
          'placeKind',
          'placeId',
          fn.min('placeLabel').as('placeLabel'),
          fn.min('klass').as('klass'),
          fn.min('lane').as('lane'),
          fn.min('severity').as('severity'),
        ]),
    )
    .selectFrom('g')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('issues as i')
            .where('i.agentId', '=', agentId)
            .where('i.source', '=', 'detector')
            .whereRef('i.code', '=', 'g.code')
            .whereRef('i.placeKind', '=', 'g.placeKind')
            .where((one) => one(digestOf(one.ref('i.placeId')), '=', digestOf(one.ref('g.placeId'))))
            .where('i.splitCause', '=', '')
            .select('i.id'),
        ),
      ),
    )
    .selectAll()
    .orderBy('code')
    .orderBy('placeKind')
    .orderBy('placeId')
    .execute();
  const made = missing.map((group): NewIssue => {
    const place = { kind: group.placeKind, id: group.placeId };
    const key = issueKey({ code: group.code, place, splitCause: '' });
    return { ...group, id: newId(), key, source: 'detector', countOnly: false };
  });
  await insertIssues(em, agentId, made);
}
