import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { rateInWords } from '../../charts/rate-bar.tsx';
import type { Schemas } from '../../client/api.ts';
import { percent } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quote } from '../../ui/quote.tsx';
import { useEvidence } from '../issue/use-evidence.ts';

/** The first issue of the board, with the words of a call that show it. */
export function WorstIssue({ issue }: { issue: Schemas['Issue'] }) {
  const agent = useAgent();
  const { current } = useEvidence(issue, 0);
  return (
    <Panel className="grid gap-x-8 gap-y-4 p-5 @page-lg:grid-cols-2">
      <div>
        <p className="text-xs font-medium text-ink-2">Look at this first</p>
        <h2 className="mt-1 text-lg font-semibold text-balance">
          {issue.title}: {issue.location.label}
        </h2>
        <p className="mt-1 text-sm text-ink-2">
          {rateInWords(issue.volume, agent.counts.calls, 'of all analysed calls')}. {percent(issue.failedOutcomeShare)}{' '}
          of them ended badly.
        </p>
        {issue.recommendation && <p className="mt-3 max-w-[64ch]">{issue.recommendation}</p>}
        <Link
          to="/a/$agentId/issues/$issueId"
          params={{ agentId: agent.id, issueId: issue.id }}
          className="mt-3 inline-flex items-center gap-1 text-sm font-medium text-accent hover:underline"
        >
          Open the issue <ArrowRight size={14} aria-hidden />
        </Link>
      </div>
      <div className="min-h-16">
        {current?.quote && (
          <Quote
            by={
              <Link
                to="/a/$agentId/calls/$callId"
                params={{ agentId: agent.id, callId: current.callId }}
                hash={`turn-${current.turnIndex}`}
                className="text-accent hover:underline"
              >
                {current.said} · open the call there
              </Link>
            }
          >
            {current.quote}
          </Quote>
        )}
      </div>
    </Panel>
  );
}
