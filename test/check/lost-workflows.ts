import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reconcileCoordinators } from '../../src/services/agents/reconcile-coordinators.ts';
import { reconcileAlarms } from '../../src/services/alarms/reconcile-alarms.ts';
import { reconcileBackfills } from '../../src/services/custom-metrics/reconcile-backfills.ts';
import { reconcilePublications } from '../../src/services/drafts/reconcile-publications.ts';
import { reconcileErasures } from '../../src/services/erasures/reconcile-erasures.ts';
import { reconcileGrace } from '../../src/services/issues/reconcile-grace.ts';
import { reconcileBatches } from '../../src/services/models/reconcile-batches.ts';
import { reconcileRuns } from '../../src/services/runs/reconcile-runs.ts';
import { reconcileCopies } from '../../src/services/runs/release-copies.ts';
import { reconcileBacktests } from '../../src/services/watches/reconcile-backtests.ts';
import { reconcileWebhooks } from '../../src/services/webhooks/reconcile-webhooks.ts';
import { startRetentionEntry } from '../../src/temporal/keep-retention.ts';
import * as workflows from '../../workflows/index.ts';
import type { CheckResult } from './check.ts';

const RECONCILE = 'src/services/outbox/reconcile.ts';
const HERE = 'test/check/lost-workflows.ts';

/** A step of reconciling that starts it again from its rows, or a sentence that says how it goes on without one. */
type Again = { readonly name: string } | string;

const AGAIN: Record<string, Again> = {
  accountPoller: reconcileCoordinators,
  agentCoordinator: reconcileCoordinators,
  agentDesk: reconcileCoordinators,
  alarmsOfAgent: reconcileAlarms,
  backfillMetric: reconcileBackfills,
  backtestWatch: reconcileBacktests,
  checkConnection: 'A person waits for the answer and has the connection checked once more.',
  deliverWebhook: reconcileWebhooks,
  eraseData: reconcileErasures,
  graceOfAgent: reconcileGrace,
  importCalls: reconcileCoordinators,
  keepRetention: startRetentionEntry,
  modelReader: 'The next calls that are read by rules wake it, and it reads all that wait.',
  nextDemoVersion: 'A person asks for the version once more.',
  playCells: reconcileRuns,
  publishDraft: reconcilePublications,
  readBatch: reconcileBatches,
  readBrief: 'A person has the brief read once more.',
  reanalyse: 'A person discards the re-analysis and starts another.',
  removeCopy: reconcileCopies,
  rescoreRun: reconcileRuns,
  runTests: reconcileRuns,
  soundReader: 'The next calls that are analyzed wake it, and it hears all recordings that wait.',
  settleSpans: 'The next spans of the agent wake it, and it settles all that wait.',
};

/** Each workflow begins again where Temporal lost it, or says how it goes on. */
export function lostWorkflows(project: string): CheckResult {
  const steps = readFileSync(join(project, RECONCILE), 'utf8');
  const findings = lostWorkflowFindings(Object.keys(workflows), AGAIN, steps);
  return {
    ok: findings.length === 0,
    text: `${Object.keys(AGAIN).length} workflows say how they go on where Temporal lost them`,
    details: findings.join('\n'),
  };
}

/** @param steps the text that calls the steps of reconciling. */
export function lostWorkflowFindings(names: readonly string[], again: Record<string, Again>, steps: string): string[] {
  const unknown = names
    .filter((name) => !Object.hasOwn(again, name))
    .map(
      (name) =>
        `Nobody knows how ${name} begins again where Temporal lost it: give it a step in ${RECONCILE} that starts it from its rows, and name the step in ${HERE}, or say there how it goes on without one.`,
    );
  const gone = Object.keys(again)
    .filter((name) => !names.includes(name))
    .map((name) => `${HERE} names ${name}, which is no workflow: remove it there.`);
  const untaken = Object.entries(again)
    .flatMap(([name, by]) => (typeof by === 'string' ? [] : [{ name, step: by.name }]))
    .filter(({ step }) => !steps.includes(`${step}(`))
    .map(({ name, step }) => `${HERE} says that ${step} starts ${name}, but ${RECONCILE} does not call it.`);
  return [...unknown, ...gone, ...untaken];
}
