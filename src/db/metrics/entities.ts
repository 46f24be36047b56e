import { defineEntity, p } from '@mikro-orm/core';
import { METRIC_MEASURES } from '../../domain/metrics/median.ts';
import { OUTCOMES, PLACE_KINDS } from '../../domain/vocabulary.ts';
import { count } from '../columns.ts';
import { fencedByAgent } from '../row-security.ts';

/**
 * Analysed calls by what the board's figures are grouped by, per day of start (`0001-01-01` for calls without one): what
 * shares are read from, however many calls there are.
 */
export const MetricCount = defineEntity({
  name: 'MetricCount',
  tableName: 'metric_counts',
  ...fencedByAgent,
  primaryKeys: ['agentId', 'day', 'version', 'outcome', 'intentSlug', 'useCaseSlug'],
  properties: {
    agentId: p.uuid().primary(),
    day: p.date().primary(),
    version: p.integer().primary(),
    /** Empty where nobody can know it. */
    outcome: p.enum([...OUTCOMES, '']).primary(),
    /** Empty where the call has none. */
    intentSlug: p.text().primary(),
    useCaseSlug: p.text().primary(),
    calls: count(),
    /** With a tool result, and of them with a failed one. */
    withTool: count(),
    toolFailed: count(),
    friction: count(),
    /** Of a known caller with a start, and of them those followed by another within seven days. */
    knownCaller: count(),
    calledAgain: count(),
    /** With contact and without times of answers. */
    responseUnread: count(),
    /** Left open, and nobody's failure. */
    aside: count(),
  },
});

/** Calls by a measure's value in bins of five per cent (`src/domain/metrics/median.ts`): what medians are read from. */
export const MetricBin = defineEntity({
  name: 'MetricBin',
  tableName: 'metric_bins',
  ...fencedByAgent,
  primaryKeys: ['agentId', 'day', 'version', 'measure', 'bin'],
  properties: {
    agentId: p.uuid().primary(),
    day: p.date().primary(),
    version: p.integer().primary(),
    measure: p.enum(METRIC_MEASURES).primary(),
    bin: p.integer().primary(),
    calls: count(),
  },
});

/** Calls with contact by what they cost, in bins of five per cent of a millionth of a dollar: what is usual for the agent. */
export const CostBin = defineEntity({
  name: 'CostBin',
  tableName: 'cost_bins',
  ...fencedByAgent,
  primaryKeys: ['agentId', 'bin'],
  properties: {
    agentId: p.uuid().primary(),
    bin: p.integer().primary(),
    calls: count(),
  },
});

/**
 * How calls went through the steps of one version: calls that reached a step (`step`) or came back to it (`loop`), that
 * went from one to another (`move`), that ended there with an outcome (`end`). A step is its `flow_steps.step`.
 */
export const FlowCount = defineEntity({
  name: 'FlowCount',
  tableName: 'flow_counts',
  ...fencedByAgent,
  primaryKeys: ['agentId', 'version', 'part', 'fromStep', 'toStep', 'outcome'],
  properties: {
    agentId: p.uuid().primary(),
    version: p.integer().primary(),
    part: p.enum(['step', 'loop', 'move', 'end'] as const).primary(),
    fromStep: p.uuid().primary(),
    /** The same step where the part is no move. */
    toStep: p.uuid().primary(),
    /** Empty where the part is no end. */
    outcome: p.text().primary(),
    calls: count(),
    /** Of the calls those that ended badly. */
    bad: count(),
  },
});

/** Names of the steps of flows; `step` is the md5 of kind and id, because names from data can be longer than an index row. */
export const FlowStep = defineEntity({
  name: 'FlowStep',
  tableName: 'flow_steps',
  ...fencedByAgent,
  primaryKeys: ['agentId', 'step'],
  properties: {
    agentId: p.uuid().primary(),
    step: p.uuid().primary(),
    kind: p.enum(PLACE_KINDS),
    placeId: p.text(),
    label: p.text(),
  },
});
