import { useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { shortly } from '../../format.ts';
import { Select } from '../../ui/field.tsx';

/** One run instead of the last result of each cell; results of another epoch are not compared, and that is said. */
export function CompareWith({ agentId, runId }: { agentId: string; runId: string }) {
  const { compareTo } = useSearch({ from: '/inside/a/$agentId/runs/$runId' });
  const navigate = useNavigate({ from: '/a/$agentId/runs/$runId' });
  const runs = api.useQuery('get', '/v1/agents/{agentId}/runs', {
    params: { path: { agentId }, query: { limit: 100 } },
  });
  const others = runs.data?.data.filter(({ id, status }) => id !== runId && status === 'complete') ?? [];
  if (others.length === 0) return null;
  return (
    <div className="mt-4 max-w-80">
      <Select
        label="Compared with"
        value={compareTo ?? ''}
        onChange={({ target }) =>
          void navigate({ search: target.value === '' ? {} : { compareTo: target.value }, replace: true })
        }
      >
        <option value="">The last result of each test</option>
        {others.map(({ id, version, createdAt }) => (
          <option key={id} value={id}>
            Version {version}, {shortly(createdAt)}
          </option>
        ))}
      </Select>
    </div>
  );
}
