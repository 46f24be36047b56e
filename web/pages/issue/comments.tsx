import { useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../client/api.ts';
import { useTyped } from '../../client/use-typed.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Section } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

interface CommentsProps {
  issue: Schemas['Issue'];
  unless: string | null;
}

export function Comments({ issue, unless }: CommentsProps) {
  const agent = useAgent();
  const path = { agentId: agent.id, issueId: issue.id };
  const comments = api.useQuery('get', '/app/agents/{agentId}/issues/{issueId}/comments', {
    params: { path, query: { limit: 100 } },
  });
  return (
    <Section title="Comments">
      <Loaded of={comments} rows={1}>
        {({ data }) => (
          <ul className="mb-4 max-w-[72ch] space-y-3">
            {data.map(({ id, person, text, createdAt }) => (
              <li key={id}>
                <p className="text-sm text-ink-2">
                  <span className="font-medium text-ink">{person.name}</span> <Time at={createdAt} />
                </p>
                <p className="whitespace-pre-wrap break-words">{text}</p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <CommentForm path={path} unless={unless} />
    </Section>
  );
}

function CommentForm({ path, unless }: { path: { agentId: string; issueId: string }; unless: string | null }) {
  const queries = useQueryClient();
  const [typed, keep] = useTyped<string>(`comment on ${path.issueId}`);
  const text = typed ?? '';
  const send = api.useMutation('post', '/app/agents/{agentId}/issues/{issueId}/comments');
  const submit = async () => {
    const sent = await send.mutateAsync({ params: { path }, body: { text } }).catch(() => null);
    if (!sent) return;
    keep(null);
    void queries.invalidateQueries({ queryKey: ['get', '/app/agents/{agentId}/issues/{issueId}/comments'] });
  };
  return (
    <form
      className="max-w-[72ch] space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (unless === null && text.trim() !== '') void submit();
      }}
    >
      <TextArea
        label="Add a comment"
        maxLength={10_000}
        readOnly={unless !== null}
        value={text}
        onChange={({ target }) => keep(target.value || null)}
      />
      <RefusalNote error={send.error} />
      <Button
        type="submit"
        busy={send.isPending}
        unless={unless ?? (text.trim() === '' ? 'Write something first.' : null)}
      >
        Comment
      </Button>
    </form>
  );
}
