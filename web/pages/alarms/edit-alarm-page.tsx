import { useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { AlarmForm, type Figure } from './alarm-form.tsx';

function useAlarms() {
  const agent = useAgent();
  const path = { agentId: agent.id };
  const alarms = api.useQuery('get', '/v1/agents/{agentId}/alarms', { params: { path } });
  const board = api.useQuery('get', '/v1/agents/{agentId}/metrics', { params: { path } });
  const custom = api.useQuery('get', '/v1/agents/{agentId}/custom-metrics', { params: { path } });
  const data =
    alarms.data && board.data && custom.data
      ? { alarms: alarms.data.data, figures: figuresOf(board.data.metrics, custom.data.data) }
      : undefined;
  const error = alarms.error ?? board.error ?? custom.error;
  return { data, error, refetch: () => Promise.all([alarms.refetch(), board.refetch(), custom.refetch()]) };
}

/** Known a week after a call, which is too late. */
const TOO_LATE = 'repeat_call';

const figuresOf = (board: readonly Schemas['Metric'][], custom: readonly Schemas['CustomMetric'][]): Figure[] => [
  ...board
    .filter(({ metric }) => metric !== TOO_LATE)
    .map(({ metric, label, unit }) => ({ measure: `metric ${metric}`, label, unit, detail: null })),
  { measure: 'signal', label: 'Share of calls with a code', unit: 'share', detail: 'Code' },
  { measure: 'calls', label: 'Number of calls', unit: 'calls', detail: null },
  { measure: 'cost', label: 'Cost of all calls', unit: 'USD', detail: null },
  { measure: 'cost_per_call', label: 'Cost per call', unit: 'USD', detail: null },
  ...custom.map(({ slug, name, answer }): Figure => {
    const hasLabels = answer === 'label' || answer === 'text';
    const unit = answer === 'number' ? 'number' : 'share';
    return { measure: `custom_metric ${slug}`, label: name, unit, detail: hasLabels ? 'Label' : null };
  }),
];

export function NewAlarmPage() {
  const agent = useAgent();
  return (
    <Page
      title="New alarm"
      above={
        <BackLink to="/a/$agentId/alarms" params={{ agentId: agent.id }}>
          Alarms
        </BackLink>
      }
      below="Choose a figure and its limit, and see how often the alarm would have rung."
    >
      <Loaded of={useAlarms()}>
        {({ alarms, figures }) => (
          <AlarmForm
            before={null}
            taken={alarms.map(({ slug }) => slug)}
            figures={figures}
            unless={readOnlyReason(agent)}
          />
        )}
      </Loaded>
    </Page>
  );
}

export function EditAlarmPage() {
  const agent = useAgent();
  const { alarm: slug } = useParams({ from: '/inside/a/$agentId/alarms/$alarm/edit' });
  return (
    <Page
      title="Edit the alarm"
      above={
        <BackLink to="/a/$agentId/alarms/$alarm" params={{ agentId: agent.id, alarm: slug }}>
          Alarm
        </BackLink>
      }
      below="Another rule begins its state anew, and ends what rings. Another name does not."
    >
      <Loaded of={useAlarms()}>
        {({ alarms, figures }) => {
          const before = alarms.find((alarm) => alarm.slug === slug);
          return before === undefined ? (
            <p className="text-ink-2">This alarm was removed.</p>
          ) : (
            <AlarmForm before={before} taken={[]} figures={figures} unless={readOnlyReason(agent)} />
          );
        }}
      </Loaded>
    </Page>
  );
}
