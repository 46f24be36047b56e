import { Link } from '@tanstack/react-router';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Empty } from '../../ui/states.tsx';
import { whyNoUpload } from '../imports/drop-calls.tsx';
import { describeFilter } from './describe-filter.ts';
import type { CallFilters } from './filters.ts';

export function NoCalls({ filters }: { filters: CallFilters }) {
  const agent = useAgent();
  const names = Object.keys(filters) as (keyof CallFilters)[];
  if (names.length === 0) {
    return (
      <Empty title="No calls yet">
        Calls appear here as soon as they are analyzed; the import that brought them counts those that wait.
        {whyNoUpload(agent) === null && ' Drop a file of calls (.jsonl or .json) anywhere on this page to import it.'}
      </Empty>
    );
  }
  return (
    <Empty
      title={`No calls with ${names.map((name) => describeFilter(name, filters)).join(', ')}`}
      action={
        <Link to="/a/$agentId/calls" params={{ agentId: agent.id }} search={{}} className="text-accent underline">
          Show all calls
        </Link>
      }
    />
  );
}
