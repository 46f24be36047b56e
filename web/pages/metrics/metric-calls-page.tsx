import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Histogram } from '../../charts/histogram.tsx';
import { Rate } from '../../charts/rate.tsx';
import { api, type Schemas } from '../../client/api.ts';
import { calls as callsInWords, count, DASH, duration, words } from '../../format.ts';
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

const MOST = 200;

/** A median takes something from every call; a share counts the calls that it is true of. */
const usualPart = (metric: string) => (metric.endsWith('_ms') ? 'all' : 'yes');

/** Which calls of a metric can be told apart. */
const partsOf = (metric: string) =>
  PARTS.filter((part) => {
    if (part === 'not_read') return !['tool_failure', 'friction', 'duration_ms'].includes(metric);
    return part === 'all' || !metric.endsWith('_ms');
  });

/** The calls behind one figure, grouped as the reader chooses. */
export function MetricCallsPage() {
  const agent = useAgent();
  const { metric } = useParams({ from: '/inside/a/$agentId/metrics/$metric' });
  const filters = useSearch({ from: '/inside/a/$agentId/metrics/$metric' });
  const shown = api.useQuery('get', '/v1/agents/{agentId}/metrics/{metric}/calls', {
    params: {
      path: { agentId: agent.id, metric: metric as MetricCalls['metric'] },
      query: { ...filters, part: filters.part ?? usualPart(metric), order: 'worst', limit: MOST },
    },
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
      below={shown.data && `Out of ${shown.data.over}; up to ${MOST} calls per group, worst first, then newest.`}
    >
      <RangeLinks shown={shown.data?.range ?? filters.range} />
      <Choices metric={metric} filters={filters} />
      <Loaded of={shown} rows={10}>
        {({ groups, unit, label }) =>
          groups.length === 0 ? (
            <Empty title="No calls to show">None in this range belong to this figure. Choose a longer range.</Empty>
          ) : (
            <div className="space-y-4">
              {groups.map((group) => (
                <GroupOfCalls
                  key={group.key}
                  group={group}
                  metric={metric}
                  label={label}
                  unit={unit}
                  alone={groups.length === 1}
                />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

const PART_LABELS = { all: 'All calls', yes: 'Counted', no: 'Not counted', not_read: 'Not computable' };

function Choices({ metric, filters }: { metric: string; filters: MetricCallFilters }) {
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
        value={filters.part ?? usualPart(metric)}
        onChange={({ target }) => choose({ part: PARTS.find((part) => part === target.value) ?? usualPart(metric) })}
      >
        {partsOf(metric).map((part) => (
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
  metric: string;
  label: string;
  unit: MetricCalls['unit'];
  alone: boolean;
}

function GroupOfCalls({ group, metric, label, unit, alone }: GroupProps) {
  const agent = useAgent();
  const { value, n, spread, calls, values } = group;
  return (
    <Panel>
      <details open={alone}>
        <summary className="flex flex-wrap items-baseline gap-x-4 px-4 py-3">
          <span className="font-medium">{group.label}</span>
          {unit === 'share' ? (
            <Rate k={Math.round((value ?? 0) * n)} n={n} />
          ) : (
            <span>
              <span className="font-medium">{figure(value, unit)}</span>{' '}
              <span className="text-xs text-ink-2">median of {callsInWords(n)}</span>
            </span>
          )}
          {calls.length === MOST && <span className="text-xs text-ink-2">first {MOST} shown</span>}
        </summary>
        {spread && spread.length > 0 && (
          <div className="px-4 pb-3">
            <Histogram spread={spread} show={(ms) => figure(ms, 'ms')} label={label} />
          </div>
        )}
        {calls.length === 0 && <p className="border-t border-line px-4 py-3 text-sm text-ink-2">No such calls.</p>}
        <ul className="divide-y divide-line/60 border-t border-line text-sm">
          {calls.map(({ id, startedAt, outcome, version, objective, durationMs }, at) => (
            <li key={id} className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 hover:bg-sunken/60">
              <span className="w-26 font-medium whitespace-nowrap tabular-nums">
                {valueInWords(metric, values[at] ?? null)}
              </span>
              <Link
                to="/a/$agentId/calls/$callId"
                params={{ agentId: agent.id, callId: id }}
                className="w-32 after:absolute after:inset-0"
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

/** What the metric takes from one call. */
function valueInWords(metric: string, value: number | null): string {
  if (value === null) return DASH;
  if (metric.endsWith('_ms')) return figure(value, 'ms');
  if (metric === 'tool_failure') return countOf(value, 'failed tool', 'failed tools');
  if (metric === 'friction') return countOf(value, 'friction', 'frictions');
  return value === 1 ? 'Counted' : 'Not counted';
}

const countOf = (value: number, one: string, many: string) => `${count(value)} ${value === 1 ? one : many}`;
