import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { keepFile } from '../../client/keep-file.ts';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';

/** The result document, byte for byte as the API has it. */
export function Download({ agentId, runId }: { agentId: string; runId: string }) {
  const query = useSearch({ from: '/inside/a/$agentId/runs/$runId' });
  const queries = useQueryClient();
  const download = useMutation({
    mutationFn: async () => {
      const params = { path: { agentId, runId }, query };
      const result = api.queryOptions('get', '/v1/agents/{agentId}/runs/{runId}/result', { params, parseAs: 'blob' });
      keepFile(await queries.fetchQuery(result), `run-${runId}.json`);
    },
  });
  return (
    <>
      <RefusalNote error={download.error} />
      <Button busy={download.isPending} onClick={() => download.mutate()}>
        Download JSON
      </Button>
    </>
  );
}
