import { api } from '../../client/api.ts';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Keys } from './keys.tsx';
import { Members } from './members.tsx';

/** Of the workspace: its keys and its people. */
export function SettingsPage() {
  const me = api.useQuery('get', '/app/me');
  return (
    <Page title="Settings" below={me.data && workspaceName(me.data)}>
      <Loaded of={me}>
        {({ role }) => {
          const adminOnly = role === 'admin' ? null : 'Only an admin of the workspace may do this.';
          return (
            <>
              <Keys adminOnly={adminOnly} />
              <Members adminOnly={adminOnly} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function workspaceName({
  workspaceId,
  workspaces,
}: {
  workspaceId: string;
  workspaces: { id: string; name: string }[];
}) {
  return workspaces.find(({ id }) => id === workspaceId)?.name;
}
