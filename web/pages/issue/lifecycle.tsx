import { api, type Schemas } from '../../client/api.ts';
import { CONFIDENCE, percent, words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';

type Issue = Schemas['Issue'];
type Explanation = Schemas['IssueExplanation'];

/** What it waits for until it counts as resolved, how sure it is that it is gone, and who did what. */
export function Lifecycle({ issue, explanation }: { issue: Issue; explanation: Explanation }) {
  const { text, certainty, dueAt, rateUpper, callsWithout } = explanation.resolution;
  return (
    <Panel className="p-4 text-sm">
      <h2 className="mb-2 text-md font-semibold">How much longer</h2>
      <p>{text}</p>
      {dueAt && (
        <p className="mt-1">
          Due <Time at={dueAt} />.
        </p>
      )}
      <p className="mt-2 text-ink-2">{certainty}</p>
      {callsWithout > 0 && (
        <p className="mt-1 text-ink-2">
          At most {percent(rateUpper)} of calls show it now, at {CONFIDENCE}.
        </p>
      )}
      <p className="mt-2 text-ink-2">{issue.fix.text}</p>
      <History issue={issue} />
    </Panel>
  );
}

function History({ issue }: { issue: Issue }) {
  const agent = useAgent();
  const history = api.useQuery('get', '/app/agents/{agentId}/issues/{issueId}/history', {
    params: { path: { agentId: agent.id, issueId: issue.id }, query: { limit: 100 } },
  });
  if (!history.data) return null;
  return (
    <>
      <h3 className="mt-5 mb-2 font-semibold">History</h3>
      <ol className="space-y-3 border-l border-line pl-3">
        {history.data.data.map(({ id, to, from, person, reason, at, trigger }) => (
          <li key={id}>
            <p>
              {from === null ? 'Found' : words(to)} <span className="text-ink-2">{person?.name || words(trigger)}</span>
            </p>
            {reason && <p className="break-words text-ink-2">{reason}</p>}
            <p className="text-xs text-ink-3">
              <Time at={at} />
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
