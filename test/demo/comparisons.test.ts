import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLINIC_AGENT_ID } from '../../packages/demo-platform/clinic/plan.ts';
import { PARCEL_AGENT_ID } from '../../packages/demo-platform/parcel/plan.ts';
import { type ComparisonView, listComparisons } from '../../src/db/comparisons/read-comparisons.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { importDemo } from '../support/demo-import.ts';

/** The changes between versions that the demo agents are made with, each to be judged for what it is. */

const NOW = new Date('2026-06-15T13:00:00.000Z');

let database: TestDatabase;
const comparisons = new Map<string, ComparisonView>();

beforeAll(async () => {
  database = await createTestDatabase();
  for (const providerAgentId of [CLINIC_AGENT_ID, PARCEL_AGENT_ID]) {
    const { agent } = await importDemo(database, providerAgentId, NOW);
    const scope = { workspaceId: agent.workspaceId, agentIds: [agent.agentId] };
    for (const one of await listComparisons(database.em(), scope, { beforeVersion: null, limit: 10 }))
      comparisons.set(`${providerAgentId} ${one.toVersion}`, one);
  }
}, 300_000);

afterAll(() => database.drop());

function comparisonTo(providerAgentId: string, version: number): ComparisonView {
  const found = comparisons.get(`${providerAgentId} ${version}`);
  if (found === undefined) throw new Error('The two versions were not compared.');
  return found;
}

function metricOf({ result }: ComparisonView, name: string) {
  const metric = result.metrics.find((one) => one.metric === name);
  if (metric === undefined) throw new Error('The measure is missing.');
  return metric;
}

const percent = (value: number | null) => `${((value ?? Number.NaN) * 100).toFixed(1)} %`;

/** A share that changed, as the narrative has to tell it. */
function told(comparison: ComparisonView, name: string): string {
  const { label, before, after } = metricOf(comparison, name);
  return `${label} went from ${percent(before.value)} to ${percent(after.value)}`;
}

function leadTold(comparison: ComparisonView): string {
  const { before, after } = metricOf(comparison, 'got_it_done');
  return `Got it done: ${percent(before.value)} of ${before.n} before, ${percent(after.value)} of ${after.n} after (changed)`;
}

describe('too few calls', () => {
  test('are said to be too few, with how many are lacking, whatever their shares', () => {
    const { result } = comparisonTo(CLINIC_AGENT_ID, 2);
    expect(result).toMatchObject({ conclusion: 'insufficient_evidence', conclusionLabel: 'Not enough calls' });
    expect(result.callsBefore).toBeLessThan(30);
    expect(new Set(result.metrics.map(({ verdict }) => verdict))).toEqual(new Set(['not_enough_calls']));
    expect(result.narrative).toContain(`version 1 needs ${30 - result.callsBefore} more`);
    expect(result.narrative).not.toMatch(/better|worse/);
  });
});

describe('a better version', () => {
  test('gets more done within the same intents, and fewer of its tools fail', () => {
    const comparison = comparisonTo(CLINIC_AGENT_ID, 3);
    expect(comparison.result).toMatchObject({ conclusion: 'improved', conclusionLabel: 'Better' });
    for (const name of ['got_it_done', 'abandoned', 'tool_failure'])
      expect(metricOf(comparison, name)).toMatchObject({ verdict: 'changed', direction: 'better' });
    const { narrative } = comparison.result;
    expect(narrative).toContain(leadTold(comparison));
    expect(narrative).toContain(`${told(comparison, 'tool_failure')} (better)`);
    expect(narrative).not.toContain('what callers asked for changed');
    expect(narrative).toContain('the change made it better');
  });

  test('the look-up that got more time stopped failing, at a place that the configuration changed', () => {
    const { changes, result } = comparisonTo(CLINIC_AGENT_ID, 3);
    expect(changes.map(({ place }) => place.id)).toContain('tool_find_patient');
    const move = result.issueMoves.find(({ title, place }) => title === 'Tool failed' && place === 'find_patient');
    expect(move).toMatchObject({ verdict: 'changed', direction: 'better', callsAfter: 0, atChangedPlace: true });
    expect(result.narrative).toContain(
      `“Tool failed” at find_patient went from ${percent(move?.before.value ?? null)} to 0.0 % of calls, where the configuration changed.`,
    );
  });
});

describe('a worse version', () => {
  test('gets less done within the same intents, on enough calls before it', () => {
    const comparison = comparisonTo(PARCEL_AGENT_ID, 5);
    expect(comparison.result).toMatchObject({ conclusion: 'worsened', conclusionLabel: 'Worse' });
    expect(comparison.result.callsBefore).toBeGreaterThanOrEqual(60);
    for (const name of ['got_it_done', 'unresolved', 'tool_failure'])
      expect(metricOf(comparison, name)).toMatchObject({ verdict: 'changed', direction: 'worse' });
    const { narrative } = comparison.result;
    expect(narrative).toContain(leadTold(comparison));
    expect(narrative).toContain(`${told(comparison, 'tool_failure')} (worse)`);
    expect(narrative).not.toContain('what callers asked for changed');
    expect(narrative).toContain('the change made it worse');
  });

  test('the tool that takes days as they are said began to fail, at a place that the configuration changed', () => {
    const { changes, result } = comparisonTo(PARCEL_AGENT_ID, 5);
    expect(changes.map(({ before, after }) => `${before} → ${after}`).join('\n')).toContain('the way the caller said');
    const move = result.issueMoves.find(
      ({ place, direction }) => place === 'change_delivery_day' && direction === 'worse',
    );
    expect(move).toMatchObject({ title: 'Tool failed', verdict: 'changed', callsBefore: 0, atChangedPlace: true });
    expect(result.narrative).toContain('“Tool failed” at change_delivery_day went from 0.0 % to');
  });
});

describe('another mix of calls', () => {
  test('is neither better nor worse, although fewer callers got it done', () => {
    const comparison = comparisonTo(PARCEL_AGENT_ID, 6);
    expect(metricOf(comparison, 'got_it_done')).toMatchObject({ verdict: 'changed' });
    expect(['unclear', 'no_change']).toContain(comparison.result.conclusion);
    expect(comparison.result.issueMoves.filter(({ direction }) => direction === 'better')).toEqual([]);
  });

  test('is said to be that: the shares by intent did not move', () => {
    const comparison = comparisonTo(PARCEL_AGENT_ID, 6);
    const { narrative } = comparison.result;
    expect(narrative).toContain(leadTold(comparison));
    expect(narrative).toMatch(
      /within the same intents it moved by [+-]\d\.\d points \(95 % between -\d+\.\d and \+\d+\.\d\)/,
    );
    expect(narrative).toContain('what callers asked for changed, not shown is that the agent did');
    expect(narrative).not.toMatch(/\((better|worse)\)/);
  });
});
