import { labelInput, signalLabel, signalLabels } from '../../contract/signal-label.ts';
import { deleteLabel, mayLabel, readLabels, upsertLabel } from '../../db/labels/signal-labels.ts';
import { readModelPolicy } from '../../db/models/model-policy.ts';
import { layAnew } from '../../services/analysis/lay-anew.ts';
import { callParent } from '../calls/parent.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { integerParam, textParam } from '../params.ts';
import { presentLabel } from './present-label.ts';

const path = '/app/agents/{agentId}/calls/{callId}/signals/labels';

export const labelSignal = defineOperation({
  id: 'labelSignal',
  surface: 'app',
  method: 'POST',
  path,
  scope: 'person',
  tag: 'Signals',
  summary: 'Say whether a signal is right',
  description:
    'Labels one signal of a call, named by its code and turn; the newest label stands, and none is lost when the call is analysed again. A label changes no count and no rank: it stands beside the issue and in the precision of the code. Of what a model found, labels decide whether it may go on deciding that code.',
  parents: [callParent],
  body: labelInput,
  response: signalLabel,
  async run(context, { body }) {
    const { em, agent } = context;
    const { personId } = context.person();
    const { code, turnIndex } = body;
    const name = { agentId: agent.id, callId: context.parent(callParent).id, code, turnIndex };
    if (!(await mayLabel(em, name))) {
      const message = `No signal ${code} was noticed at turn ${turnIndex} of this call, so there is nothing to label.`;
      throw new Failure('invalid_parameter', message, { param: 'code' });
    }
    const note = body.note ?? null;
    const before = await readModelPolicy(em, agent.id);
    await upsertLabel(em, name, { workspaceId: agent.workspaceId, personId, label: body.label, note });
    await layAnew(em, agent, before);
    const labels = await readLabels(em, agent.id, name.callId);
    const label = labels.find((one) => one.code === code && one.turnIndex === turnIndex);
    if (!label) throw new Error('A label that was written is not there.');
    return presentLabel(label);
  },
});

export const removeSignalLabel = defineOperation({
  id: 'removeSignalLabel',
  surface: 'app',
  method: 'DELETE',
  path,
  scope: 'person',
  tag: 'Signals',
  summary: 'Take a label back',
  description: 'Removes the label of one signal; without one nothing happens. Answers with what is left on the call.',
  parents: [callParent],
  query: {
    code: textParam('The code of the signal.'),
    turnIndex: integerParam('The turn of the signal.'),
  },
  response: signalLabels,
  async run(context, { query }) {
    const { em, agent } = context;
    const { code, turnIndex } = query;
    if (code === null || turnIndex === null) {
      const param = code === null ? 'code' : 'turnIndex';
      throw new Failure('invalid_parameter', 'Name the signal by its code and its turn.', { param });
    }
    const callId = context.parent(callParent).id;
    const before = await readModelPolicy(em, agent.id);
    await deleteLabel(em, { agentId: agent.id, callId, code, turnIndex });
    await layAnew(em, agent, before);
    return { object: 'signal_labels' as const, data: (await readLabels(em, agent.id, callId)).map(presentLabel) };
  },
});

export const listSignalLabels = defineOperation({
  id: 'listSignalLabels',
  surface: 'app',
  method: 'GET',
  path,
  scope: 'person',
  tag: 'Signals',
  summary: 'List the labels of a call',
  description: 'What people said about the signals of a call, also about signals that the present analysis drops.',
  parents: [callParent],
  response: signalLabels,
  async run(context) {
    const labels = await readLabels(context.em, context.agent.id, context.parent(callParent).id);
    return { object: 'signal_labels' as const, data: labels.map(presentLabel) };
  },
});
