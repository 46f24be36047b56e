import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { calls, count } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';

type Watch = Schemas['Watch'];
type BacktestShown = NonNullable<Schemas['WatchResults']['backtest']>;

interface BacktestProps {
  watch: Watch;
  backtest: BacktestShown | null;
  unless: string | null;
}

/** How far the watch was held against calls of the past, and what it can be told. */
export function Backtest({ watch, backtest, unless }: BacktestProps) {
  return (
    <div className="mt-4 border-t border-line/70 pt-3">
      <h3 className="font-semibold">Backtest</h3>
      {backtest ? <Progress backtest={backtest} /> : <p className="text-ink-2">Not run yet.</p>}
      <Orders watch={watch} status={backtest?.status ?? null} unless={unless} />
    </div>
  );
}

const UNDER_WAY: readonly BacktestShown['status'][] = ['queued', 'running', 'paused'];

function Progress({ backtest }: { backtest: BacktestShown }) {
  const { status, candidates, considered, inScope, flagged, reason, revision } = backtest;
  const text = `${count(considered)} of ${calls(candidates)} looked at, ${count(inScope)} in scope, ${count(flagged)} flagged`;
  return (
    <>
      <p>{text}</p>
      {UNDER_WAY.includes(status) && (
        <progress
          aria-label="Calls looked at"
          aria-valuetext={text}
          value={considered}
          max={Math.max(candidates, 1)}
          className="mt-1 block h-2 w-full max-w-60 accent-accent"
        />
      )}
      <p className="text-xs text-ink-2">
        Revision {revision}, {status}
        {reason && `: ${reason}`}
      </p>
    </>
  );
}

/** Each order, and the states of the backtest in which it can be given; null where there was none. */
const ORDERS = {
  '/app/agents/{agentId}/watches/{watchId}/backtest': {
    label: 'Backtest',
    states: [null, 'complete', 'cancelled', 'failed'],
  },
  '/app/agents/{agentId}/watches/{watchId}/backtest/pause': { label: 'Pause', states: ['queued', 'running'] },
  '/app/agents/{agentId}/watches/{watchId}/backtest/go-on': { label: 'Go on', states: ['paused'] },
  '/app/agents/{agentId}/watches/{watchId}/backtest/cancel': {
    label: 'Cancel',
    states: ['queued', 'running', 'paused'],
  },
} as const satisfies Record<string, { label: string; states: readonly (BacktestShown['status'] | null)[] }>;
type Order = keyof typeof ORDERS;

function Orders({
  watch,
  status,
  unless,
}: {
  watch: Watch;
  status: BacktestShown['status'] | null;
  unless: string | null;
}) {
  const offered = (Object.keys(ORDERS) as Order[]).filter((order) => {
    const states: readonly (BacktestShown['status'] | null)[] = ORDERS[order].states;
    return states.includes(status);
  });
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {offered.map((order) => (
        <OrderButton key={order} order={order} watch={watch} unless={unless} />
      ))}
    </div>
  );
}

function OrderButton({ order, watch, unless }: { order: Order; watch: Watch; unless: string | null }) {
  const agent = useAgent();
  const change = useChange();
  const give = api.useMutation('post', order);
  const isAgain = ORDERS[order].label === 'Backtest';
  const params = { path: { agentId: agent.id, watchId: watch.id } };
  return (
    <>
      <RefusalNote error={give.error} />
      <Button
        busy={give.isPending}
        unless={unless ?? (isAgain && watch.state === 'live' ? 'It is live. Pause it first.' : null)}
        onClick={() => void change(give.mutateAsync({ params }))}
      >
        {ORDERS[order].label}
      </Button>
    </>
  );
}
