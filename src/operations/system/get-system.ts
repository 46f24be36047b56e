import { system } from '../../contract/system.ts';
import { agentsBehind } from '../../db/reanalyses/reanalyses.ts';
import { openOutboxEntries } from '../../db/system/outbox.ts';
import { processesAlive } from '../../db/system/processes.ts';
import { runsInstallation } from '../../db/system/setup.ts';
import { readStanding } from '../../db/workspaces/read-standing.ts';
import { readWorkInHand } from '../../db/workspaces/read-work-in-hand.ts';
import { ANALYSER_VERSION } from '../../domain/signals/analyser-version.ts';
import { defineOperation } from '../operation.ts';

export const getSystem = defineOperation({
  id: 'getSystem',
  surface: 'app',
  method: 'GET',
  path: '/app/system',
  scope: 'person',
  tag: 'System',
  summary: 'Read the state of the installation',
  description:
    'Which processes run, what waits to be started or in a queue, how far behind agents are, and how much work is in hand.',
  response: system,
  async run(context) {
    const { em, services } = context;
    const runsIt = await runsInstallation(em, context.person().personId);
    const show = ({ pid, host }: { pid: number; host: string }) => (runsIt ? { pid, host } : { pid: null, host: null });
    const orders = await openOutboxEntries(em);
    const { workspaceId } = context.person();
    const standing = await readStanding(em, workspaceId);
    return {
      object: 'system' as const,
      workers: (await processesAlive(em, 'worker')).map(show),
      apis: (await processesAlive(em, 'api')).map(show),
      orders: orders && { waiting: orders.count, oldestSeconds: orders.oldestSeconds },
      queues: await services.queues(),
      lag: {
        importSeconds: standing.importLagSeconds,
        analysisSeconds: standing.analysisLagSeconds,
        waitingImports: standing.waitingImports,
      },
      ...(await readWorkInHand(em, context.person().workspaceId)),
      analyser: {
        version: ANALYSER_VERSION,
        agentsBehind: await agentsBehind(em, context.person().workspaceId, ANALYSER_VERSION),
      },
      temporalUi: services.temporalUi,
    };
  },
});
