import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { keepFile } from '../../client/keep-file.ts';
import { calls as callsInWords } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { CSV_HEAD, linesOfCalls } from './calls-csv.ts';
import type { CallFilters } from './filters.ts';
import { readAllCalls } from './read-all-calls.ts';

/** All calls of the list as it is narrowed, those that are not yet on the page among them. */
export function DownloadCalls({ filters }: { filters: CallFilters }) {
  const agent = useAgent();
  const reading = useRef<AbortController | null>(null);
  const [read, setRead] = useState(0);
  useEffect(() => () => reading.current?.abort(), []);
  const download = useMutation({
    mutationFn: async () => {
      const { signal } = (reading.current = new AbortController());
      const parts = [CSV_HEAD];
      let count = 0;
      setRead(0);
      for await (const calls of readAllCalls(agent.id, filters, signal)) {
        parts.push(linesOfCalls(calls));
        setRead((count += calls.length));
      }
      if (!signal.aborted) keepFile(new Blob(parts, { type: 'text/csv' }), `calls-${agent.id}.csv`);
    },
  });
  if (download.isPending) {
    return (
      <>
        <span role="status" className="text-sm text-ink-2">
          {callsInWords(read)} read
        </span>
        <Button onClick={() => reading.current?.abort()}>Stop</Button>
      </>
    );
  }
  return (
    <>
      <RefusalNote error={download.error} />
      <Button onClick={() => download.mutate()}>Download CSV</Button>
    </>
  );
}
