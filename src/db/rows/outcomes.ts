import { defineEntity, p } from '@mikro-orm/core';
import { PLACE_KINDS, SIGNAL_BASES, SIGNAL_LABELS } from '../../domain/vocabulary.ts';
import { count, createdAt, updatedAt } from './columns.ts';
import { fenced, fencedByAgent } from './fence.ts';

/**
 * Calls that reached a step, by the codes noticed on them before the end (the empty code: all of them), and of them
 * those that ended badly at that step: what nominates the cause of an outcome issue.
 */
export const StepCode = defineEntity({
  name: 'StepCode',
  tableName: 'step_codes',
  ...fencedByAgent,
  primaryKeys: ['agentId', 'stepKind', 'stepDigest', 'code'],
  properties: {
    agentId: p.uuid().primary(),
    stepKind: p.enum(PLACE_KINDS).primary(),
    /** md5 of the step's id: names from data can be longer than an index row. */
    stepDigest: p.text().primary(),
    code: p.text().primary(),
    calls: count(),
    bad: count(),
  },
});

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
