import type { ReactNode } from 'react';
import type { Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { Panel, Section } from '../../ui/panel.tsx';

type Explanation = Schemas['IssueExplanation'];
type Evidence = Schemas['Evidence'];

/** The cause as a hypothesis with its ledger, what to change, and what would prove it. */
export function Cause({ issue, explanation }: { issue: Schemas['Issue']; explanation: Explanation | undefined }) {
  const { causeEstablished, causeSummary, likelyCause, recommendation, target } = issue;
  const beyond = likelyCause && withoutStart(likelyCause, causeSummary);
  return (
    <>
      <Section title={causeEstablished ? 'Cause' : 'Cause not established'}>
        <Panel className="p-5">
          <p className="max-w-[72ch] font-medium">{causeSummary}</p>
          {beyond && <p className="mt-1 max-w-[72ch] text-ink-2">{beyond}</p>}
          {explanation && <Ledger explanation={explanation} />}
          {explanation && <p className="mt-4 max-w-[72ch] text-xs text-ink-2">{explanation.cause.rule}</p>}
        </Panel>
      </Section>
      {recommendation && (
        <Section
          title={causeEstablished ? 'Suggested change' : 'What to check'}
          note={causeEstablished ? `at ${target.label}` : undefined}
        >
          <Panel className="p-5">
            <p className="max-w-[72ch]">{recommendation}</p>
          </Panel>
        </Section>
      )}
      {explanation && explanation.proof.length > 0 && (
        <Section title="What would prove this">
          <ul className="max-w-[76ch] list-disc space-y-1 pl-5">
            {explanation.proof.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <p className="mt-2 max-w-[72ch] text-sm text-ink-2">{explanation.untilSure.cause.sentence}</p>
        </Section>
      )}
    </>
  );
}

/** What a text says beyond the words that stand above it. */
const withoutStart = (text: string, start: string) =>
  text.startsWith(start) ? text.slice(start.length).replace(/^[.\s]+/, '') : text;

function Ledger({ explanation }: { explanation: Explanation }) {
  const { evidenceFor, evidenceAgainst } = explanation;
  return (
    <div className="mt-4 grid gap-x-6 gap-y-4 @page-lg:grid-cols-2">
      <Side title="Evidence for" mark="+" rows={evidenceFor} none="No evidence for a cause was found." />
      <Side title="Evidence against" mark="−" rows={evidenceAgainst} none="No evidence against it was found." />
    </div>
  );
}

function Side({ title, mark, rows, none }: { title: string; mark: string; rows: Evidence[]; none: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1 text-sm font-medium">{title}</h3>
      {rows.length === 0 && <p className="text-sm text-ink-2">{none}</p>}
      <ul className="divide-y divide-line/70 text-sm">
        {rows.map(({ statement, calls, of }) => (
          <li key={statement} className="flex gap-2 py-1.5">
            <span aria-hidden className="font-mono text-ink-3">
              {mark}
            </span>
            <span className="min-w-0 flex-1">{statement}</span>
            <span className="whitespace-nowrap text-ink-2">
              {count(calls)} of {count(of)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
