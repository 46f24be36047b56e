import { useNavigate, useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { BackLink, ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { type Alarm, AlarmStanding, AlarmStateChip, isSilenced } from './alarm-state.tsx';

type Event = Schemas['AlarmDetail']['events'][number];

export function AlarmPage() {
  const agent = useAgent();
  const { alarm: slug } = useParams({ from: '/inside/a/$agentId/alarms/$alarm' });
  const path = { agentId: agent.id, alarm: slug };
  const detail = api.useQuery('get', '/v1/agents/{agentId}/alarms/{alarm}', { params: { path } });
  return (
    <Page
      title={detail.data?.alarm.name ?? 'Alarm'}
      above={
        <BackLink to="/a/$agentId/alarms" params={{ agentId: agent.id }}>
          Alarms
        </BackLink>
      }
      below={detail.data && <AlarmStanding alarm={detail.data.alarm} />}
      actions={detail.data && <Deeds alarm={detail.data.alarm} unless={readOnlyReason(agent)} />}
    >
      <Loaded of={detail}>
        {({ alarm, events }) => (
          <div className="space-y-8">
            {alarm.message !== null && (
              <Panel tone={alarm.state === 'critical' ? 'bad' : 'plain'} className="p-4">
                <p className="max-w-[76ch]">{alarm.message}</p>
                {alarm.filter !== null && (
                  <p className="mt-1 text-sm text-ink-2">
                    Calls of <code>{alarm.filter}</code>
                  </p>
                )}
                {isSilenced(alarm) && (
                  <p className="mt-1 text-sm text-ink-2">
                    Silenced until <Time at={alarm.silencedUntil} />.
                  </p>
                )}
              </Panel>
            )}
            <History events={events} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function History({ events }: { events: Event[] }) {
  return (
    <Section title="History" note="Changes of its state, what people were told, and what they did.">
      {events.length === 0 ? (
        <p className="text-sm text-ink-2">Nothing happened yet.</p>
      ) : (
        <Table label="History">
          <thead>
            <tr>
              <HeadCell>When</HeadCell>
              <HeadCell>State</HeadCell>
              <HeadCell>Told or done</HeadCell>
              <HeadCell>What it found</HeadCell>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <tr key={event.seq}>
                <Cell className="whitespace-nowrap">
                  <Time at={event.at} short />
                </Cell>
                <Cell>
                  <AlarmStateChip state={event.state} />
                </Cell>
                <Cell>{event.act === null ? '' : words(event.act)}</Cell>
                <Cell wide className="text-ink-2">
                  {event.message}
                </Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}

const SILENCE_HOURS = 8;

/** Acknowledge, silence, edit, remove. */
function Deeds({ alarm, unless }: { alarm: Alarm; unless: string | null }) {
  const agent = useAgent();
  const change = useChange();
  const navigate = useNavigate();
  const path = { agentId: agent.id, alarm: alarm.slug };
  const acknowledge = api.useMutation('post', '/v1/agents/{agentId}/alarms/{alarm}/acknowledge');
  const silence = api.useMutation('post', '/v1/agents/{agentId}/alarms/{alarm}/silence');
  const remove = api.useMutation('delete', '/app/agents/{agentId}/alarms/{alarm}');
  const silenced = isSilenced(alarm);
  const untilOf = () => new Date(Date.now() + SILENCE_HOURS * 3_600_000).toISOString();
  const removeIt = async () => {
    const removed = await change(remove.mutateAsync({ params: { path } }));
    if (removed) await navigate({ to: '/a/$agentId/alarms', params: { agentId: agent.id } });
    return removed;
  };
  return (
    <>
      <RefusalNote error={acknowledge.error ?? silence.error} />
      {unless === null && (
        <ButtonLink to="/a/$agentId/alarms/$alarm/edit" params={path}>
          Edit
        </ButtonLink>
      )}
      <Confirm
        button="Remove"
        unless={unless}
        title="Remove this alarm?"
        does="Remove the alarm"
        error={remove.error}
        busy={remove.isPending}
        onConfirm={removeIt}
      >
        It goes with its history. One that is only to rest is turned off instead.
      </Confirm>
      <Button
        unless={unless}
        busy={silence.isPending}
        onClick={() =>
          void change(silence.mutateAsync({ params: { path }, body: { until: silenced ? null : untilOf() } }))
        }
      >
        {silenced ? 'End the silence' : `Silence for ${SILENCE_HOURS} hours`}
      </Button>
      {alarm.ringsSince !== null && alarm.acknowledged === null && (
        <Button
          kind="primary"
          unless={unless}
          busy={acknowledge.isPending}
          onClick={() => void change(acknowledge.mutateAsync({ params: { path } }))}
        >
          Acknowledge
        </Button>
      )}
    </>
  );
}
