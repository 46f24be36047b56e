import { defineEntity, p } from '@mikro-orm/core';
import { GOAL_ORIGINS, GOAL_STATUSES } from '../../domain/vocabulary.ts';
import { createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

/** What somebody wants of an agent, with the tests by which a person agreed to tell whether it is reached. */
export const Goal = defineEntity({
  name: 'Goal',
  tableName: 'goals',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    title: p.string().length(200),
    /** The person's own words. */
    request: p.text(),
    origin: p.enum(GOAL_ORIGINS),
    status: p.enum(GOAL_STATUSES).default('open'),
    /** Talk with the copilot that it came from. */
    conversationId: p.uuid().nullable(),
    /** The plan: tests in the order in which they are played. Until `approvedAt` it is a proposal. */
    testIds: p.array().columnType('uuid[]'),
    approvedAt: time().nullable(),
    approvedBy: p.uuid().nullable(),
    /** The version that was live when it was opened: what came before. */
    fromVersion: p.integer(),
    /** What came of it: in the words of who closed it, and by the figures of that moment. */
    outcome: p.text().nullable(),
    closingFigures: p.text().nullable(),
    closedAt: time().nullable(),
    closedBy: p.uuid().nullable(),
    /** A person's id, or `earshot`. */
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'goals_agent', properties: ['agentId', 'createdAt', 'id'] }],
});
