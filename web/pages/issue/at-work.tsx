import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { inDays } from './snooze-times.ts';

type AtWork = Schemas['IssueAtWork'];

interface AtWorkProps {
  issue: Schemas['Issue'];
  unless: string | null;
}

/** Who has taken the issue up, and until when it is left to rest. */
export function AtWork({ issue, unless }: AtWorkProps) {
  const agent = useAgent();
  const path = { agentId: agent.id, issueId: issue.id };
  const work = api.useQuery('get', '/app/agents/{agentId}/issues/{issueId}', { params: { path } });
  return (
    <Panel className="space-y-4 p-4 text-sm">
      <h2 className="text-md font-semibold">Triage</h2>
      <Loaded of={work} rows={2}>
        {(data) => (
          <>
            <Owner work={data} unless={unless} />
            <Snooze work={data} unless={unless} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function useIssueChange(work: AtWork) {
  const agent = useAgent();
  const change = useChange();
  const edit = api.useMutation('patch', '/app/agents/{agentId}/issues/{issueId}');
  const params = { path: { agentId: agent.id, issueId: work.issue.id } };
  const save = (body: Parameters<typeof edit.mutateAsync>[0]['body']) => change(edit.mutateAsync({ params, body }));
  return { save, busy: edit.isPending, error: edit.error };
}

function Owner({ work, unless }: { work: AtWork; unless: string | null }) {
  const members = api.useQuery('get', '/app/members', { params: { query: { limit: 100 } } });
  const { save, error } = useIssueChange(work);
  const active = members.data?.data.filter(({ state }) => state === 'active') ?? [];
  return (
    <>
      <Select
        label="Owner"
        value={work.owner?.id ?? ''}
        disabled={unless !== null}
        onChange={({ target }) => void save({ ownerId: target.value === '' ? null : target.value })}
        hint={unless ?? undefined}
      >
        <option value="">Nobody</option>
        {active.map(({ id, name, email }) => (
          <option key={id} value={id}>
            {name || email}
          </option>
        ))}
      </Select>
      <RefusalNote error={error} />
    </>
  );
}

const SNOOZES: { label: string; until: () => string }[] = [
  { label: 'A week', until: () => inDays(7) },
  { label: 'A month', until: () => inDays(30) },
  { label: 'Until it grows', until: () => 'growth' },
];

function Snooze({ work, unless }: { work: AtWork; unless: string | null }) {
  const { save, busy, error } = useIssueChange(work);
  return (
    <div>
      <p className="font-medium">Snooze</p>
      <p className="text-ink-2">
        {work.snooze ? <Snoozed snooze={work.snooze} /> : 'It ends early when the issue grows or comes back.'}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        {SNOOZES.map(({ label, until }) => (
          <Button
            key={label}
            unless={unless}
            busy={busy}
            label={`Snooze: ${label.toLowerCase()}`}
            onClick={() => void save({ snoozedUntil: until() })}
          >
            {label}
          </Button>
        ))}
        {work.snooze && (
          <Button kind="quiet" unless={unless} busy={busy} onClick={() => void save({ snoozedUntil: null })}>
            End the snooze
          </Button>
        )}
      </div>
      <RefusalNote error={error} />
    </div>
  );
}

function Snoozed({ snooze: { until, by } }: { snooze: NonNullable<AtWork['snooze']> }) {
  return (
    <>
      Snoozed {by && `by ${by.name} `}
      {until === null ? (
        'until it grows or comes back.'
      ) : (
        <>
          until <Time at={until} />.
        </>
      )}
    </>
  );
}
