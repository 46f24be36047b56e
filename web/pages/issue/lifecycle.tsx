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

type Entry = Schemas['IssueHistoryEntry'];

/** Of what changes no status. */
const CARE: Record<string, string> = {
  owner: 'Owner',
  snoozed: 'Snoozed',
  snooze_ended: 'Snooze ended',
};

const headline = ({ trigger, from, to }: Entry) => CARE[trigger] ?? (from === null ? 'Found' : words(to));

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
        {history.data.data.map((entry) => (
          <li key={entry.id}>
            <p>
              {headline(entry)} <span className="text-ink-2">{entry.person?.name || words(entry.trigger)}</span>
            </p>
            {entry.reason && <p className="break-words text-ink-2">{entry.reason}</p>}
            <p className="text-xs text-ink-3">
              <Time at={entry.at} />
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
