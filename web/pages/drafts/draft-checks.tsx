import { ResultSquare } from '../../charts/attempt-squares.tsx';
import type { Schemas } from '../../client/api.ts';
import { count, plural } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { NameLink, TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RunStatus } from '../runs/run-status.tsx';
import { whyClosed } from './draft-actions.tsx';

type Draft = Schemas['Draft'];

/** What stands between the draft and its publishing: rules, tests on this text, and the reason in words. */
export function DraftChecks({ draft }: { draft: Draft }) {
  const { suiteGate, publishBlockedReason } = draft;
  const failed = draft.evidence.tests.filter(({ result }) => result === 'failed').length;
  const open =
    failed === 0 ? 'Nothing blocks it.' : `It can be published, although ${plural(failed, 'test')} failed on it.`;
  return (
    <aside className="min-w-0 space-y-6 text-sm" aria-label="Checks and runs">
      {whyClosed(draft) === null && (
        <Panel className="p-4">
          <h2 className="mb-2 text-md font-semibold">Before it is published</h2>
          <p>{publishBlockedReason ?? open}</p>
          {!suiteGate.ok && suiteGate.detail !== publishBlockedReason && (
            <p className="mt-2 text-ink-2">{suiteGate.detail}</p>
          )}
        </Panel>
      )}
      <Evidence tests={draft.evidence.tests} />
      <QuickChecks checks={draft.quickChecks} />
      <Runs draft={draft} />
    </aside>
  );
}

function Evidence({ tests }: { tests: Draft['evidence']['tests'] }) {
  const agent = useAgent();
  return (
    <Panel className="p-4">
      <h2 className="mb-2 text-md font-semibold">Tests, on exactly this text</h2>
      {tests.length === 0 && <p className="text-ink-2">This agent has no tests yet.</p>}
      <ul className="space-y-1.5">
        {tests.map(({ testId, title, result }) => (
          <li key={testId} className="flex items-start gap-2">
            <ResultSquare result={result ?? 'not_run'} />
            <NameLink
              to="/a/$agentId/tests/$testId"
              params={{ agentId: agent.id, testId }}
              className="min-w-0 pt-0.5 break-words"
            >
              {title}
            </NameLink>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function QuickChecks({ checks }: { checks: Draft['quickChecks'] }) {
  return (
    <Panel className="p-4">
      <h2 className="mb-2 text-md font-semibold">Checked by rule</h2>
      <ul className="space-y-2">
        {checks.map(({ check, label, ok, findings }) => (
          <li key={check}>
            <Chip tone={ok ? 'good' : 'bad'}>{ok ? '✓ holds' : '✕ does not hold'}</Chip> {label}
            {findings.map(({ message, line }) => (
              <p key={`${line} ${message}`} className="mt-0.5 break-words text-ink-2">
                {line !== null && `Line ${line}: `}
                {message}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Runs({ draft }: { draft: Draft }) {
  const agent = useAgent();
  return (
    <Panel className="p-4">
      <h2 className="mb-2 text-md font-semibold">Runs on exactly this text</h2>
      {draft.runs.length === 0 && <p className="text-ink-2">None yet. Another edit invalidates them.</p>}
      <ul className="space-y-1">
        {draft.runs.map(({ id, status, passed, cells }) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            <RunStatus status={status} />
            <TextLink to="/a/$agentId/runs/$runId" params={{ agentId: agent.id, runId: id }}>
              {count(passed)} of {count(cells)} passed
            </TextLink>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
