import { ResultSquare } from '../../charts/attempt-squares.tsx';
import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Time } from '../../ui/time.tsx';

/** What the newest run that played a test came to, and whether that was the test as it is now. */
export function LastResult({ test: { lastResult, revision, gates } }: { test: Schemas['Test'] }) {
  const agent = useAgent();
  if (lastResult === null) return <span className="text-ink-2">Never played</span>;
  const { runId, result, at, revision: played } = lastResult;
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <ResultSquare result={result} gates={gates} />
      <span>
        <TextLink to="/a/$agentId/runs/$runId" params={{ agentId: agent.id, runId }}>
          {words(result)}
        </TextLink>{' '}
        <span className="text-xs text-ink-2">
          <Time at={at} short />
          {played !== revision && `, revision ${played}`}
        </span>
      </span>
    </span>
  );
}
