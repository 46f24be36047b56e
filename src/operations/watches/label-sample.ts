import { newWatchLabel, watch } from '../../contract/watch.ts';
import { labelSample, listSamples } from '../../db/watches/samples.ts';
import { lockWatch } from '../../db/watches/watches.ts';
import { authorOf } from '../author-of.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { refuseOtherRevision } from '../refuse-other-revision.ts';
import { watchParent } from './parent.ts';
import { presentNow } from './present.ts';

export const labelWatchSample = defineOperation({
  id: 'labelWatchSample',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/watches/{watchId}/labels',
  scope: 'person',
  tag: 'Watches',
  summary: 'Label a flagged sample right or wrong',
  description:
    'Of the revision in force. The same call again replaces the label, whoever gave it. Only flagged samples can be labelled: they are what turning on stands on.',
  parents: [watchParent],
  body: newWatchLabel,
  refuses: ['sample_not_flagged', 'call_not_found', 'revision_conflict'],
  response: watch,
  async run(context, { body }) {
    const { em, agent } = context;
    const before = context.parent(watchParent);
    const now = await lockWatch(em, agent.id, before.id);
    const revision = now?.revision ?? before.revision;
    refuseOtherRevision('watch', body.revision, revision);
    const callId = body.callId.toLowerCase();
    const sample = (await listSamples(em, before)).find((one) => one.callId === callId);
    if (!sample) {
      const message = `This call is none of the samples of revision ${revision}.`;
      throw new Failure('call_not_found', message, { param: 'callId' });
    }
    if (sample.kind !== 'flagged') {
      const message = 'This sample was cleared: only flagged samples are labelled.';
      throw new Failure('sample_not_flagged', message, { param: 'callId' });
    }
    const labelledBy = authorOf(context.caller());
    await labelSample(em, { watchId: before.id, revision, callId }, { label: body.label, labelledBy });
    return presentNow(context, before.id);
  },
});
