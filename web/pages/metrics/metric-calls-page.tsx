import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Histogram } from '../../charts/histogram.tsx';
import { Rate } from '../../charts/rate.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { calls as callsInWords, duration, words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { OutcomeChip } from '../calls/outcome-chip.tsx';
import { CopyAsSeen } from './copy-as-seen.tsx';
import { figure } from './figure.ts';
import { GROUPINGS, type MetricCallFilters, PARTS } from './filters.ts';
import { RangeLinks } from './range-links.tsx';

type MetricCalls = Schemas['MetricCalls'];
type Group = Schemas['MetricCallGroup'];

/** The calls behind one figure, grouped as the reader chooses. */
export function MetricCallsPage() {
  const agent = useAgent();
  const { metric } = useParams({ from: '/inside/a/$agentId/metrics/$metric' });
  const filters = useSearch({ from: '/inside/a/$agentId/metrics/$metric' });
  const shown = api.useQuery('get', '/v1/agents/{agentId}/metrics/{metric}/calls', {
    params: { path: { agentId: agent.id, metric: metric as MetricCalls['metric'] }, query: filters },
  });
  return (
    <Page
      title={shown.data?.label ?? words(metric)}
      above={
        <Link to="/a/$agentId/metrics" params={{ agentId: agent.id }} className="hover:text-ink hover:underline">
          ← Metrics
        </Link>
      }
      actions={shown.data && <CopyAsSeen of={shown.data} />}
      below={shown.data && `Taken over ${shown.data.over}; up to 200 calls a group, newest first.`}
    >
      <RangeLinks shown={shown.data?.range ?? filters.range} />
      <Choices filters={filters} />
      <Loaded of={shown} rows={10}>
        {({ groups, unit }) =>
          groups.length === 0 ? (
            <Empty title="No calls behind this figure in this range" />
          ) : (
            <div className="space-y-4">
              {groups.map((group) => (
                <GroupOfCalls key={group.key} group={group} unit={unit} alone={groups.length === 1} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

const PART_LABELS = { all: 'All', yes: 'Counted', no: 'Not counted', not_read: 'Could not be read' };

function Choices({ filters }: { filters: MetricCallFilters }) {
  const navigate = useNavigate({ from: '/a/$agentId/metrics/$metric' });
  const choose = (changed: MetricCallFilters) => void navigate({ search: { ...filters, ...changed }, replace: true });
  return (
    <div className="mb-5 grid max-w-md grid-cols-2 gap-4">
      <Select
        label="Group by"
        value={filters.groupBy ?? ''}
        onChange={({ target }) => {
          const { groupBy: _before, ...rest } = filters;
          const groupBy = GROUPINGS.find((each) => each === target.value);
          void navigate({ search: groupBy ? { ...rest, groupBy } : rest, replace: true });
        }}
      >
        <option value="">One group</option>
        {GROUPINGS.map((grouping) => (
          <option key={grouping} value={grouping}>
            {grouping === 'useCase' ? 'Use case' : words(grouping)}
          </option>
        ))}
      </Select>
      <Select
        label="Calls"
        value={filters.part ?? 'all'}
        onChange={({ target }) => choose({ part: PARTS.find((part) => part === target.value) ?? 'all' })}
      >
        {PARTS.map((part) => (
          <option key={part} value={part}>
            {PART_LABELS[part]}
          </option>
        ))}
      </Select>
    </div>
  );
}

interface GroupProps {
  group: Group;
  unit: MetricCalls['unit'];
  alone: boolean;
}

function GroupOfCalls({ group, unit, alone }: GroupProps) {
  const agent = useAgent();
  const { label, value, n, calls } = group;
  return (
    <Panel>
      <details open={alone}>
        <summary className="flex flex-wrap items-baseline gap-x-4 px-4 py-3">
          <span className="font-medium">{label}</span>
          {unit === 'share' ? (
            <Rate k={Math.round((value ?? 0) * n)} n={n} />
          ) : (
            <span>
              <span className="font-medium">{figure(value, unit)}</span>{' '}
              <span className="text-xs text-ink-2">over {callsInWords(n)}</span>
            </span>
          )}
        </summary>
        {unit === 'ms' && calls.length > 0 && (
          <div className="px-4 pb-3">
            <Histogram
              values={calls.map(({ durationMs }) => durationMs)}
              show={duration}
              label="Length of these calls"
            />
          </div>
        )}
        <ul className="divide-y divide-line/60 border-t border-line text-sm">
          {calls.map(({ id, startedAt, outcome, version, objective, durationMs }) => (
            <li key={id} className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 hover:bg-sunken/60">
              <Link
                to="/a/$agentId/calls/$callId"
                params={{ agentId: agent.id, callId: id }}
                className="w-36 after:absolute after:inset-0"
              >
                <Time at={startedAt} short />
              </Link>
              <span className="w-26">
                <OutcomeChip outcome={outcome} />
              </span>
              <span className="w-36 whitespace-nowrap text-ink-2">
                {duration(durationMs)} · version {version}
              </span>
              <span className="min-w-0 flex-1 truncate">{objective}</span>
            </li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}
