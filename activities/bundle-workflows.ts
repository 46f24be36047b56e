import { bundleWorkflowCode } from '@temporalio/worker';
import { writeWhole } from '../src/files.ts';
import { INTERCEPTORS_ENTRY, WORKFLOWS_ENTRY } from './workflow-bundle.ts';

/** Process entry: writes the workflow bundle to the file that its argument names, and keeps webpack out of every other process. */
const [target] = process.argv.slice(2);
if (!target) throw new Error('Which file should the bundle go to?');
const { code } = await bundleWorkflowCode({
  workflowsPath: WORKFLOWS_ENTRY,
  workflowInterceptorModules: [INTERCEPTORS_ENTRY],
});
writeWhole(target, code, 0o644);
