import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../client/api.ts';
import { keepFile } from '../../client/keep-file.ts';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';

interface DownloadProps {
  agentId: string;
  runId: string;
  compareTo?: string | undefined;
}

/** The result document, byte for byte as the API has it. */
export function Download({ agentId, runId, compareTo }: DownloadProps) {
  const queries = useQueryClient();
  const download = useMutation({
    mutationFn: async () => {
      const query = compareTo === undefined ? {} : { compareTo };
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
