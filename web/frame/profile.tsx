import { useNavigate } from '@tanstack/react-router';
import { CircleUserRound } from 'lucide-react';
import { useState } from 'react';
import { api } from '../client/api.ts';
import { enterWorkspace, signOut } from '../client/session.ts';
import { useStore } from '../client/store.ts';
import { useInvitations } from '../pages/sign-in/use-invitations.ts';
import { Chip } from '../ui/chip.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { NewWorkspace } from './new-workspace.tsx';
import { WORKSPACE_PLACES } from './places.ts';
import { fixTheme, THEMES, theme } from './theme.ts';

export function Profile() {
  const me = api.useQuery('get', '/app/me').data;
  const invited = useInvitations().data?.invitations.length ?? 0;
  const navigate = useNavigate();
  const fixed = useStore(theme);
  const [making, setMaking] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="flex min-h-9 w-full items-center gap-2.5 rounded-control px-2.5 text-left text-sm text-ink-2 hover:bg-line/40"
          >
            <CircleUserRound size={16} aria-hidden className="shrink-0" />
            <span className="truncate">{me?.name || me?.email || 'Profile'}</span>
            {invited > 0 && <Chip tone="caution">{invited === 1 ? 'invited' : `${invited} invitations`}</Chip>}
          </button>
        }
      >
        {WORKSPACE_PLACES.map(({ to, label }) => (
          <MenuItem key={to} onSelect={() => void navigate({ to })}>
            {label}
          </MenuItem>
        ))}
        {me && me.workspaces.length > 1 && (
          <>
            <MenuLine />
            {me.workspaces.map(({ id, name }) => (
              <MenuItem key={id} chosen={id === me.workspaceId} onSelect={() => enterWorkspace(id)}>
                <span className="max-w-64 truncate">{name}</span>
              </MenuItem>
            ))}
          </>
        )}
        {invited > 0 && (
          <MenuItem onSelect={() => void navigate({ to: '/invitations' })}>
            {invited === 1 ? 'An invitation' : `${invited} invitations`}
          </MenuItem>
        )}
        <MenuItem onSelect={() => setMaking(true)}>New workspace…</MenuItem>
        <MenuLine />
        {THEMES.map(({ id, label }) => (
          <MenuItem key={id} chosen={fixed === id} onSelect={() => fixTheme(id)}>
            {label}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => void signOut().then(() => navigate({ to: '/sign-in' }))}>Sign out</MenuItem>
      </Menu>
      {making && <NewWorkspace onClose={() => setMaking(false)} />}
    </>
  );
}
