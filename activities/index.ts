import { createAnalyseCalls } from './analyse-calls.ts';
import { createCaptureVersions } from './capture-versions.ts';
import type { ActivityDeps } from './deps.ts';
import { withFailures } from './failures.ts';
import { createImportProgress } from './import-progress.ts';
import { createRegroupAgent } from './regroup-agent.ts';
import { createRetryFailed } from './retry-failed.ts';
import { createStoreCallPage } from './store-call-page.ts';

/** On the control queue: statements of a few milliseconds, never behind a window of analysis. */
export function createControlActivities(deps: ActivityDeps) {
  return withFailures(createImportProgress(deps));
}
export type ControlActivities = ReturnType<typeof createControlActivities>;

/** On the analysis queue: what reaches a platform or chews calls. */
export function createAnalysisActivities(deps: ActivityDeps) {
  return withFailures({
    captureVersions: createCaptureVersions(deps),
    storeCallPage: createStoreCallPage(deps),
    retryFailed: createRetryFailed(deps),
    analyseCalls: createAnalyseCalls(deps),
    regroup: createRegroupAgent(deps),
  });
}
export type AnalysisActivities = ReturnType<typeof createAnalysisActivities>;
