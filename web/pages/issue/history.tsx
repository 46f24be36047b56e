import { api, type Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Time } from '../../ui/time.tsx';

type Issue = Schemas['Issue'];
type Entry = Schemas['IssueHistoryEntry'];

/** Of what changes no status. */
const CARE: Record<string, string> = {
  owner: 'Owner',
  snoozed: 'Snoozed',
  snooze_ended: 'Snooze ended',
};

const headline = ({ trigger, from, to }: Entry) => CARE[trigger] ?? (from === null ? 'Found' : words(to));

/** What became of the issue, newest first: its statuses, owners and rests, with who did it and why. */
export function History({ issue }: { issue: Issue }) {
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
