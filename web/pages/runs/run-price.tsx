import { api, type Schemas } from '../../client/api.ts';
import { count, plural, smallUsd } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';

interface RunPriceProps {
  /** The one test; all of the agent without it. */
  testId?: string | undefined;
  /** Whether each is played three times. */
  repeats: boolean;
}

/** What a run may cost, said before it is started. */
export function RunPrice({ testId, repeats }: RunPriceProps) {
  const agent = useAgent();
  const query = { ...(testId === undefined ? {} : { testId }), repeats };
  const price = api.useQuery('get', '/app/agents/{agentId}/run-price', {
    params: { path: { agentId: agent.id }, query },
  }).data;
  return <div className="min-h-10">{price && <PriceLine price={price} />}</div>;
}

export function PriceLine({ price }: { price: Schemas['RunPrice'] }) {
  const { cells, platformUsd, serviceUsd, budgetLeftUsd, coveredCells } = price;
  const most = platformUsd + serviceUsd;
  return (
    <p className="text-sm">
      <span className="font-medium">
        {plural(cells, 'test')}, at most {smallUsd(most)}
      </span>
      <span className="text-ink-2">
        {serviceUsd > 0 && `, of which about ${smallUsd(serviceUsd)} for models`}
        {'. '}
        {budgetLeftUsd === null
          ? 'There is no monthly test budget.'
          : `${smallUsd(budgetLeftUsd)} of this month’s test budget is left.`}
        {coveredCells < cells && ` It covers ${count(coveredCells)} of them; the others are left out.`}
      </span>
    </p>
  );
}
