import { Days } from '../../charts/days.tsx';
import { Rate } from '../../charts/rate.tsx';
import type { Schemas } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';

type Results = Schemas['WatchResults'];

/** How often it held, by version and by day. */
export function Trend({ results }: { results: Results }) {
  const { all, byVersion, byDay } = results;
  return (
    <Panel className="p-4 text-sm">
      <h2 className="mb-2 text-md font-semibold">How often it held</h2>
      {all.calls === 0 ? (
        <p className="text-ink-2">Not computable yet: no call in scope was judged.</p>
      ) : (
        <>
          <Held name="All calls judged" rate={all} />
          <ul aria-label="By version" className="mt-2 border-t border-line/70 pt-2">
            {byVersion.map((rate) => (
              <li key={rate.version}>
                <Held name={<VersionCalls version={rate.version} />} rate={rate} />
              </li>
            ))}
          </ul>
          <div className="mt-3">
            <Days
              series={byDay.map(({ day, passRate, calls }) => ({ day, value: passRate, n: calls }))}
              unit="share"
              label="Held"
            />
          </div>
        </>
      )}
    </Panel>
  );
}

function VersionCalls({ version }: { version: number }) {
  const agent = useAgent();
  return (
    <TextLink to="/a/$agentId/calls" params={{ agentId: agent.id }} search={{ version }}>
      Version {version}
    </TextLink>
  );
}

function Held({ name, rate }: { name: React.ReactNode; rate: Results['all'] }) {
  return (
    <p className="flex min-h-7 flex-wrap items-center justify-between gap-x-3">
      <span>{name}</span>
      <Rate k={Math.round((rate.passRate ?? 0) * rate.calls)} n={rate.calls} />
    </p>
  );
}
