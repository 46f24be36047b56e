import { useRef } from 'react';
import { api } from '../../client/api.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { useKey } from '../../frame/keys.ts';
import { NameLink, PrimaryLink } from '../../ui/link.tsx';
import { moveFocus } from '../../ui/move-focus.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { type Alarm, AlarmStanding } from './alarm-state.tsx';

export function AlarmsPage() {
  const agent = useAgent();
  const alarms = api.useQuery('get', '/v1/agents/{agentId}/alarms', { params: { path: { agentId: agent.id } } });
  return (
    <Page
      title="Alarms"
      below="Figures of the agent that people want to be told of. Each looks at windows of calls, ten minutes after they ended."
      above={agent.readOnly ? readOnlyReason(agent) : undefined}
      actions={
        !agent.readOnly && (
          <PrimaryLink to="/a/$agentId/alarms/new" params={{ agentId: agent.id }}>
            New alarm
          </PrimaryLink>
        )
      }
    >
      <Loaded of={alarms}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No alarms yet">
              An alarm rings where a share, a time, a cost, or the number of calls passes a limit, or differs from the
              same hours of the weeks before.
            </Empty>
          ) : (
            <AlarmTable alarms={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

function AlarmTable({ alarms }: { alarms: Alarm[] }) {
  const agent = useAgent();
  const list = useRef<HTMLDivElement>(null);
  useKey({ j: () => moveFocus(list.current, 1), k: () => moveFocus(list.current, -1) });
  return (
    <div ref={list}>
      <Table label="Alarms">
        <thead>
          <tr>
            <HeadCell>Alarm</HeadCell>
            <HeadCell>State</HeadCell>
            <HeadCell>Newest window</HeadCell>
          </tr>
        </thead>
        <tbody>
          {alarms.map((alarm) => (
            <tr key={alarm.id} className="hover:bg-sunken/60">
              <Cell className="min-w-48">
                <NameLink data-row="" to="/a/$agentId/alarms/$alarm" params={{ agentId: agent.id, alarm: alarm.slug }}>
                  {alarm.name}
                </NameLink>
                {alarm.filter !== null && <p className="font-mono text-xs break-words text-ink-2">{alarm.filter}</p>}
              </Cell>
              <Cell>
                <AlarmStanding alarm={alarm} />
              </Cell>
              <Cell wide className="text-ink-2">
                {alarm.message}
              </Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
