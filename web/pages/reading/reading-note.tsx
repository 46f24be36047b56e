import { calls, percent, smallUsd } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadingPause } from './reading-pause.tsx';
import { type Reading, useReading } from './use-reading.ts';

/** How far a model is with the calls of an agent, and what that cost; nothing where none reads them. */
export function ReadingNote() {
  const agent = useAgent();
  const agentId = agent.id;
  const { data } = useReading(agentId);
  if (!data?.model || data.mode === 'off') return null;
  return (
    <Panel className="mb-6 p-4">
      <p className="text-sm">
        {progressOf(data)}{' '}
        <TextLink to="/a/$agentId/settings" params={{ agentId }} hash="reading">
          What it may read and cost
        </TextLink>
      </p>
      <ReadingPause agentId={agentId} reading={data} unless={readOnlyReason(agent)} />
    </Panel>
  );
}

export function progressOf({ model, calls: of, month }: Reading): string {
  const rest = [
    of.waiting > 0 && `${calls(of.waiting)} wait`,
    of.givenUp > 0 && `${calls(of.givenUp)} given up`,
    of.left > 0 && `${calls(of.left)} outside of the share`,
  ].filter((part) => part !== false);
  const cached = month.cachedShare === null ? '' : `, ${percent(month.cachedShare)} of the input from caches`;
  return `${model?.name ?? 'A model'} has read ${calls(of.read)}${rest.length > 0 ? `; ${rest.join(', ')}` : ''}. ${smallUsd(month.usd)} this month${cached}.`;
}
