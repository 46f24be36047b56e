import { defineEntity, p } from '@mikro-orm/core';
import type { TestSpec } from '../../domain/tests/spec.ts';
import { LANES, TEST_EXPECTATIONS, TEST_SOURCES } from '../../domain/vocabulary.ts';
import { createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced, fencedApart } from '../row-security.ts';

/** A test of an agent. Its specs stand in `test_revisions`, one a revision, so that a run keeps the one it began with. */
export const Test = defineEntity({
  name: 'Test',
  tableName: 'tests',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    title: p.string().length(200),
    source: p.enum(TEST_SOURCES),
    lane: p.enum(LANES).nullable(),
    expect: p.enum(TEST_EXPECTATIONS).default('pass'),
    /** True: it guards what works, so that a failure is a step back. */
    guard: p.boolean().default(false),
    /** Whether a failure fails the run: only a test that calibration found stable does. */
    gates: p.boolean().default(false),
    gateReason: p.text(),
    revision: p.integer().default(1),
    /** The production call that it was made from. */
    sourceCallId: p.uuid().nullable(),
    /** What it was generated from, such as `issue:<id>`, `intent:<slug>`, `brief:<line>`; null for others. */
    generatedFrom: p.text().nullable(),
    /** A person's id, `key:<id>`, or `earshot` for tests that came with the demo. */
    createdBy: p.text(),
    /** Left out of lists and of runs of all tests; runs that played it keep it. */
    archivedAt: time().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'tests_agent', properties: ['agentId', 'createdAt', 'id'] }],
});

export const TestRevision = defineEntity({
  name: 'TestRevision',
  tableName: 'test_revisions',
  ...fenced,
  primaryKeys: ['testId', 'revision'],
  properties: {
    testId: p.uuid().primary(),
    revision: p.integer().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    spec: p.json<TestSpec>(),
    createdBy: p.text(),
    createdAt: createdAt(),
  },
});

export const TestSet = defineEntity({
  name: 'TestSet',
  tableName: 'test_sets',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    name: p.string().length(200),
    /** In the order in which they are played. */
    testIds: p.array().columnType('uuid[]'),
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'test_sets_agent', properties: ['agentId', 'createdAt', 'id'] }],
});

/** A caller of the workspace's own, beside the built-in ones of `src/domain/tests/personas.ts`. */
export const Persona = defineEntity({
  name: 'Persona',
  tableName: 'personas',
  ...fencedApart,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    name: p.string().length(100),
    /** How it speaks and behaves: what the simulated caller is told. */
    style: p.text(),
    createdBy: p.text(),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'personas_workspace', properties: ['workspaceId', 'createdAt', 'id'] }],
});
