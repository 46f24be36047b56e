import type { ReactNode } from 'react';
import { adminOnly } from '../../client/admin-only.ts';
import { api } from '../../client/api.ts';
import { SETTINGS_PLACES } from '../../frame/places.ts';
import { TabLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';

type Place = (typeof SETTINGS_PLACES)[number]['to'];

interface SettingsFrameProps {
  title: string;
  at: Place;
  actions?: ReactNode;
  /** @param adminOnly why a member may not; null for an admin. */
  children: (adminOnly: string | null) => ReactNode;
}

/** Around the settings of the workspace. */
export function SettingsFrame({ title, at, actions, children }: SettingsFrameProps) {
  const me = api.useQuery('get', '/app/me');
  return (
    <Page title={title} actions={actions} below={me.data && workspaceName(me.data)}>
      <nav aria-label="Settings of the workspace" className="mb-5 flex flex-wrap gap-1">
        {SETTINGS_PLACES.map(({ to, label }) => (
          <TabLink key={to} to={to} chosen={to === at}>
            {label}
          </TabLink>
        ))}
      </nav>
      <Loaded of={me}>{({ role }) => children(adminOnly(role))}</Loaded>
    </Page>
  );
}

interface Me {
  workspaceId: string;
  workspaces: { id: string; name: string }[];
}

const workspaceName = ({ workspaceId, workspaces }: Me) => workspaces.find(({ id }) => id === workspaceId)?.name;
