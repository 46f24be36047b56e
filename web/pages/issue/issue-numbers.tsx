import { Link } from '@tanstack/react-router';
import { Rate } from '../../charts/rate.tsx';
import { RateBar, scaleFor } from '../../charts/rate-bar.tsx';
import type { Schemas } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Hinted } from '../../ui/hint.tsx';
import { Panel } from '../../ui/panel.tsx';

type Issue = Schemas['Issue'];
type Explanation = Schemas['IssueExplanation'];

export function IssueNumbers({ issue, explanation }: { issue: Issue; explanation: Explanation | undefined }) {
  const agent = useAgent();
  const scale = scaleFor(issue.byVersion.map(({ calls, total }) => ({ k: calls, n: total })));
  return (
    <Panel className="p-4">
      <h2 className="mb-3 font-semibold">How often</h2>
      {explanation && (
        <dl className="space-y-3 text-sm">
          <Share label="Of all calls" share={explanation.numbers.ofAllCalls} />
          <Share label="Where it could be seen" share={explanation.numbers.ofComputableCalls} />
          <Share label="Ended badly" share={explanation.numbers.endedBadly} />
        </dl>
      )}
      <h3 className="mt-5 mb-2 text-sm font-semibold">By version</h3>
      <ul className="space-y-2 text-sm">
        {issue.byVersion.map(({ version, calls, total }) => (
          <li key={version} className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-x-2">
            <Link
              to="/a/$agentId/calls"
              params={{ agentId: agent.id }}
              search={{ issueId: issue.id, version }}
              className="hover:underline"
            >
              Version {version}
              {version === agent.currentVersion && <span className="text-xs text-accent"> live</span>}
            </Link>
            <RateBar k={calls} n={total} of={`of version ${version}`} scale={scale} />
            <span className="col-start-2">
              <Rate k={calls} n={total} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Share({ label, share }: { label: string; share: Explanation['numbers']['ofAllCalls'] }) {
  return (
    <div>
      <dt className="text-ink-2">
        <Hinted text={share.meaning}>{label}</Hinted>
      </dt>
      <dd className="mt-0.5">
        <Rate k={share.calls} n={share.of} />
      </dd>
    </div>
  );
}
