import type { Schemas } from '../../client/api.ts';
import { CONFIDENCE, percent } from '../../format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { History } from './history.tsx';

type Issue = Schemas['Issue'];
type Explanation = Schemas['IssueExplanation'];

/** What it waits for until it counts as resolved, how sure it is that it is gone, and who did what. */
export function UntilResolved({ issue, explanation }: { issue: Issue; explanation: Explanation }) {
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
