import { api } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { valueInWords } from '../metrics/custom-figures.tsx';

/** What the team's own metrics say of the call; nothing where they say nothing of it. */
export function CallMetrics({ callId, onChoose }: { callId: string; onChoose: (turn: number) => void }) {
  const agent = useAgent();
  const metrics = api.useQuery('get', '/v1/agents/{agentId}/calls/{callId}/custom-metrics', {
    params: { path: { agentId: agent.id, callId } },
  });
  if (!metrics.data || metrics.data.values.length === 0) return null;
  return (
    <section aria-label="Custom metrics">
      <h2 className="mb-2 font-semibold">Custom metrics</h2>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-y-1 text-sm">
        {metrics.data.values.map((metric) => (
          <div key={metric.slug} className="contents">
            <dt className="text-ink-2">{metric.name}</dt>
            <dd className={metric.isBad ? 'font-medium text-bad' : undefined}>
              {metric.state === 'not_applicable' ? 'Not applicable' : null}
              {metric.state === 'unknown' ? `Unknown. ${metric.because}` : null}
              {metric.state === 'value' ? valueInWords(metric, metric.value) : null}
              {metric.turn !== null && <ToTurn turn={metric.turn} quote={metric.quote} onChoose={onChoose} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ToTurnProps {
  turn: number;
  quote: string;
  onChoose: (turn: number) => void;
}

function ToTurn({ turn, quote, onChoose }: ToTurnProps) {
  return (
    <button type="button" onClick={() => onChoose(turn)} className="ml-2 text-left text-ink-2 hover:underline">
      {quote ? `“${quote}”` : `Turn ${turn}`}
    </button>
  );
}
