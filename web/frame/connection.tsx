import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect } from 'react';
import { BASE } from '../client/base-path.ts';
import { unreachableSince } from '../client/session.ts';
import { useStore } from '../client/store.ts';
import { timeOf } from '../format.ts';

const ASK_EVERY_MS = 5_000;

/** Says that the server is away, and has everything read again once it is back. */
export function Connection() {
  const since = useStore(unreachableSince);
  const queries = useQueryClient();
  useEffect(() => {
    if (since === null) return undefined;
    const timer = setInterval(async () => {
      const alive = await fetch(`${BASE}/healthz`).catch(() => null);
      if (!alive?.ok) return;
      unreachableSince.set(null);
      void queries.invalidateQueries();
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [since, queries]);
  if (since === null) return null;
  return (
    <p role="status" className="flex items-center gap-2 bg-caution-soft px-6 py-2 text-sm text-caution">
      <CloudOff size={15} aria-hidden className="shrink-0" />
      Not connected since {timeOf(since)}. Showing what was loaded then; nothing can be changed until the server
      answers.
    </p>
  );
}
