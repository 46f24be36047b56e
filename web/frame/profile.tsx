import { useNavigate } from '@tanstack/react-router';
import { CircleUserRound } from 'lucide-react';
import { api } from '../client/api.ts';
import { signOut } from '../client/session.ts';
import { useStore } from '../client/store.ts';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { WORKSPACE_PLACES } from './places.ts';
import { fixTheme, THEMES, theme } from './theme.ts';

export function Profile() {
  const me = api.useQuery('get', '/app/me').data;
  const navigate = useNavigate();
  const fixed = useStore(theme);
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex min-h-9 w-full items-center gap-2.5 rounded-control px-2.5 text-left text-sm text-ink-2 hover:bg-line/40"
        >
          <CircleUserRound size={16} aria-hidden className="shrink-0" />
          <span className="truncate">{me?.name || me?.email || 'Profile'}</span>
        </button>
      }
    >
      {WORKSPACE_PLACES.map(({ to, label }) => (
        <MenuItem key={to} onSelect={() => void navigate({ to })}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      {THEMES.map(({ id, label }) => (
        <MenuItem key={id} chosen={fixed === id} onSelect={() => fixTheme(id)}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => void signOut().then(() => navigate({ to: '/sign-in' }))}>Sign out</MenuItem>
    </Menu>
  );
}
