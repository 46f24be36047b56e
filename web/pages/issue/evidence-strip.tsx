import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { useKey } from '../../frame/keys.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Dotted } from '../../ui/dotted.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { ProofQuotes } from '../../ui/proof.tsx';
import { Quote } from '../../ui/quote.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { OutcomeChip } from '../calls/outcome-chip.tsx';
import { type EvidenceShown, useEvidence } from './use-evidence.ts';

type Issue = Schemas['Issue'];

/** One call at a time: the words that show the issue, who said them, and the way to that second of the call. */
export function EvidenceStrip({ issue }: { issue: Issue }) {
  const agent = useAgent();
  // In the address, so that whoever goes back from a call is where they were.
  const { evidence = 1 } = useSearch({ from: '/inside/a/$agentId/issues/$issueId' });
  const at = evidence - 1;
  const navigate = useNavigate({ from: '/a/$agentId/issues/$issueId' });
  const { calls, current, error } = useEvidence(issue, at);
  const shown = calls.data?.data.length ?? 0;
  const go = (by: number) => () => {
    const next = Math.min(Math.max(at + by, 0), Math.max(shown - 1, 0));
    if (next === at) return;
    void navigate({ search: next === 0 ? {} : { evidence: next + 1 }, replace: true, resetScroll: false });
  };
  useKey({ n: go(1), p: go(-1) });
  const position = shown > 0 ? `${at + 1} of ${count(issue.evidenceCalls)}` : '';
  return (
    <Section
      title="What it sounds like"
      note={position}
      aside={
        <div className="flex items-center gap-2">
          <Button
            kind="quiet"
            onClick={go(-1)}
            label="Previous evidence"
            unless={at === 0 ? 'This is the newest call.' : null}
          >
            <ArrowLeft size={15} aria-hidden />
          </Button>
          <Button
            kind="quiet"
            onClick={go(1)}
            label="Next evidence"
            unless={at + 1 >= shown ? 'This is the last call.' : null}
          >
            <ArrowRight size={15} aria-hidden />
          </Button>
          <Link
            to="/a/$agentId/calls"
            params={{ agentId: agent.id }}
            search={{ issueId: issue.id }}
            className="text-sm text-accent hover:underline"
          >
            All calls
          </Link>
        </div>
      }
    >
      <Panel className="min-h-36 p-5">
        {error || calls.error ? (
          <ProblemNote error={error ?? calls.error} onRetry={() => void calls.refetch()} />
        ) : current ? (
          <Evidence issue={issue} shown={current} />
        ) : (
          <Skeleton rows={3} />
        )}
      </Panel>
    </Section>
  );
}

function Evidence({ issue, shown }: { issue: Issue; shown: EvidenceShown }) {
  const agent = useAgent();
  const { call, callId, quote, said, turnIndex, detail, proof } = shown;
  return (
    <div aria-live="polite">
      {quote ? <Quote by={said}>{quote}</Quote> : <p className="text-ink-2">The whole call shows it, not one line.</p>}
      <ProofQuotes proof={proof} />
      <p className="mt-3 max-w-[72ch] text-sm text-ink-2">{detail}</p>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Link
          to="/a/$agentId/calls/$callId"
          params={{ agentId: agent.id, callId }}
          search={{ issue: issue.id }}
          hash={`turn-${turnIndex}`}
          className={buttonLook('primary')}
        >
          Open the call at this turn
        </Link>
        <OutcomeChip outcome={call.outcome} />
        <span className="text-sm text-ink-2">
          <Dotted>
            <Time at={call.startedAt} />
            {`version ${call.version}`}
            {call.intent.label}
          </Dotted>
        </span>
      </div>
    </div>
  );
}
