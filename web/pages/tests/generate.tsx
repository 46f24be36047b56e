import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { count } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { TextLink } from '../../ui/link.tsx';
import { RefusalNote } from '../../ui/states.tsx';

interface GenerateProps {
  /** The issue whose calls they are made of; without it, of issues and intents that have none yet. */
  issueId?: string;
  unless: string | null;
}

/** Tests of calls that show what goes wrong, worded by rules; nothing is spent. */
export function Generate({ issueId, unless }: GenerateProps) {
  const agent = useAgent();
  const change = useChange();
  const generate = api.useMutation('post', '/app/agents/{agentId}/tests/generate');
  const params = { path: { agentId: agent.id } };
  const body = issueId === undefined ? {} : { issueIds: [issueId] };
  return (
    <>
      <RefusalNote error={generate.error} />
      {generate.data && <Made of={generate.data} />}
      <Button
        unless={unless}
        busy={generate.isPending}
        onClick={() => void change(generate.mutateAsync({ params, body }))}
      >
        {issueId === undefined ? 'Generate tests' : 'Make a test'}
      </Button>
    </>
  );
}

function Made({ of: { tests, skipped } }: { of: Schemas['GeneratedTests'] }) {
  const agent = useAgent();
  const [only] = tests;
  return (
    <p role="status" className="text-sm text-ink-2">
      {only && tests.length === 1 && (
        <TextLink to="/a/$agentId/tests/$testId" params={{ agentId: agent.id, testId: only.id }}>
          {only.title}
        </TextLink>
      )}
      {tests.length > 1 && `${count(tests.length)} tests were made.`}
      {tests.length === 0 && (skipped[0]?.reason ?? 'Everything that calls can show has a test.')}
    </p>
  );
}
