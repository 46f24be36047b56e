import { defineEntity, p } from '@mikro-orm/core';
import { SIGNAL_BASES, SIGNAL_LABELS } from '../../domain/vocabulary.ts';
import { createdAt, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

/**
 * A person's word on one signal of one call. It has no key of the signal's row, so that it outlives every new analysis,
 * and stands again when the same signal does.
 */
export const SignalLabel = defineEntity({
  name: 'SignalLabel',
  tableName: 'signal_labels',
  ...fenced,
  primaryKeys: ['agentId', 'callId', 'code', 'turnIndex'],
  properties: {
    agentId: p.uuid().primary(),
    callId: p.uuid().primary(),
    code: p.text().primary(),
    turnIndex: p.integer().primary(),
    workspaceId: p.uuid(),
    label: p.enum(SIGNAL_LABELS),
    /** Whether it was said of what a model found: it counts for the model also when its code went back to assist. */
    basis: p.enum(SIGNAL_BASES).default('rules'),
    note: p.text().nullable(),
    personId: p.uuid(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
});
