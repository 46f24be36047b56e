import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Quote } from '../../ui/quote.tsx';
import { useEvidence } from '../issue/use-evidence.ts';

/** Under the first row of the board: words of a call that show the issue, and what to do about it. */
export function WorstIssue({ issue }: { issue: Schemas['Issue'] }) {
  const agent = useAgent();
  const { current } = useEvidence(issue, 0);
  return (
    <div className="grid min-h-14 gap-x-8 gap-y-3 @page-lg:col-span-full @page-lg:grid-cols-2 @page-xl:col-start-2">
      <div>
        {current?.quote && (
          <Quote
            by={
              <Link
                to="/a/$agentId/calls/$callId"
                params={{ agentId: agent.id, callId: current.callId }}
                search={{ issue: issue.id }}
                hash={`turn-${current.turnIndex}`}
                className="relative text-accent hover:underline"
              >
                {current.said} · open the call there
              </Link>
            }
          >
            {current.quote}
          </Quote>
        )}
      </div>
      {issue.recommendation && (
        <div className="max-w-[64ch]">
          <p className="text-sm text-ink-2">{issue.causeEstablished ? 'Suggested change' : 'What to check'}</p>
          <p>{issue.recommendation}</p>
        </div>
      )}
    </div>
  );
}
