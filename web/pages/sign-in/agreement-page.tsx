import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { Button } from '../../ui/button.tsx';
import { RefusalNote, Skeleton } from '../../ui/states.tsx';
import { Door } from './door.tsx';

/** Where the link in the first mail to an address leads: its reader says whether they want messages. */
export function AgreementPage() {
  const shown = useRouterState({ select: ({ location }) => location.hash });
  const [secret] = useState(shown);
  const asked = api.useQuery('post', '/app/mail-agreements', { body: { secret } }, { retry: false });
  const choose = api.useMutation('post', '/app/mail-agreements', { onSuccess: () => asked.refetch() });
  if (asked.error) {
    return (
      <Door title="This link no longer works">
        <p className="text-ink-2">The messages that it was about are no longer sent. You need to do nothing.</p>
      </Door>
    );
  }
  if (!asked.data) {
    return (
      <Door title="One moment">
        <Skeleton rows={3} />
      </Door>
    );
  }
  const { email, workspaceName, askedBy, agreed } = asked.data;
  const answer = (agrees: boolean) => choose.mutate({ body: { secret, agrees } });
  return (
    <Door title={agreed ? 'You get messages' : 'Do you want messages?'}>
      <div className="space-y-5">
        <p>
          {askedBy === null ? 'Somebody' : `${askedBy.name} (${askedBy.email})`} asks to send messages of the workspace{' '}
          <b>{workspaceName}</b> to <b>{email}</b>.
        </p>
        <Button kind={agreed ? 'quiet' : 'primary'} busy={choose.isPending} onClick={() => answer(!agreed)}>
          {agreed ? 'Stop messages' : 'Send me messages'}
        </Button>
        {choose.error && <RefusalNote error={choose.error} />}
      </div>
    </Door>
  );
}
