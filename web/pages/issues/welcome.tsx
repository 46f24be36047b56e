import { useState } from 'react';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { PrimaryLink, TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';

const KEY = 'earshot.welcomed';

/** Above the board of a demo agent, until it was read: that it is one, what to look at, and what comes next. */
export function Welcome({ firstIssueId }: { firstIssueId: string | undefined }) {
  const agent = useAgent();
  const [read, setRead] = useState(() => localStorage.getItem(KEY) !== null);
  if (agent.source !== 'demo' || read) return null;
  const params = { agentId: agent.id };
  const dismiss = () => {
    localStorage.setItem(KEY, 'yes');
    setRead(true);
  };
  return (
    <section aria-label="Welcome" className="mb-6">
      <Panel className="p-4">
        <p className="font-medium">This agent is a demo. Two minutes show you around:</p>
        <p className="mt-1 max-w-[76ch] text-ink-2">
          Its calls are synthetic and their faults are planted. Everything else works as it will on your own calls.
        </p>
        <ol className="mt-3 list-decimal space-y-1 pl-5">
          <li>
            {firstIssueId === undefined ? (
              'Open the first issue below'
            ) : (
              <TextLink
                to="/a/$agentId/issues/$issueId"
                params={{ ...params, issueId: firstIssueId }}
                className="underline"
              >
                Open the first issue
              </TextLink>
            )}
            : what goes wrong, on which calls, and what to change.
          </li>
          <li>
            <TextLink to="/a/$agentId/calls" params={params} className="underline">
              Listen to a call
            </TextLink>
            : each finding is marked beside the words that show it.
          </li>
          <li>
            <TextLink to="/a/$agentId/drafts" params={params} className="underline">
              Try a fix
            </TextLink>
            : draft a change, run the tests on it, then publish it.
          </li>
        </ol>
        <div className="mt-4 flex flex-wrap gap-2">
          <PrimaryLink to="/agents/new">Connect your own agent</PrimaryLink>
          <Button onClick={dismiss}>Got it</Button>
        </div>
      </Panel>
    </section>
  );
}
