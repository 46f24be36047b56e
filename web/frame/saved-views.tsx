import { useLocation, useNavigate } from '@tanstack/react-router';
import { Bookmark, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { FilteredPage } from '../../src/domain/vocabulary.ts';
import { api } from '../client/api.ts';
import { useChange } from '../client/use-change.ts';
import { Button, buttonLook } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { RefusalNote } from '../ui/states.tsx';
import { useAgent } from './agent-frame.tsx';
import { useViews, viewAddress } from './views.ts';

const PATH = '/app/agents/{agentId}/views';

/** What the reader narrowed this page to before, under names of their own. */
export function SavedViews({ page }: { page: FilteredPage }) {
  const agent = useAgent();
  const navigate = useNavigate();
  const query = useLocation({ select: ({ searchStr }) => searchStr.replace(/^\?/, '') });
  const views = useViews(agent.id).filter((view) => view.page === page);
  const [naming, setNaming] = useState(false);
  const shown = views.find((view) => view.query === query);
  const mayKeep = query !== '' && !agent.readOnly && !shown;
  if (views.length === 0 && !mayKeep) return null;
  return (
    <>
      <Menu
        trigger={
          <button type="button" className={buttonLook('plain')}>
            <Bookmark size={13} aria-hidden />
            <span className="max-w-48 truncate">{shown?.name ?? 'Views'}</span>
            <ChevronDown size={13} aria-hidden />
          </button>
        }
      >
        {views.map((view) => (
          <MenuItem
            key={view.name}
            chosen={view === shown}
            onSelect={() => void navigate({ href: viewAddress(agent.id, view) })}
          >
            {view.name}
          </MenuItem>
        ))}
        {views.length > 0 && (mayKeep || shown) && <MenuLine />}
        {mayKeep && <MenuItem onSelect={() => setNaming(true)}>Save this view…</MenuItem>}
        {shown && <Forget page={page} name={shown.name} />}
      </Menu>
      {naming && <NameView page={page} query={query} onClose={() => setNaming(false)} />}
    </>
  );
}

function Forget({ page, name }: { page: FilteredPage; name: string }) {
  const { id: agentId } = useAgent();
  const change = useChange();
  const forget = api.useMutation('delete', PATH);
  const params = { path: { agentId }, query: { page, name } };
  return <MenuItem onSelect={() => void change(forget.mutateAsync({ params }))}>Forget this view</MenuItem>;
}

interface NameViewProps {
  page: FilteredPage;
  query: string;
  onClose: () => void;
}

function NameView({ page, query, onClose }: NameViewProps) {
  const { id: agentId } = useAgent();
  const change = useChange();
  const save = api.useMutation('post', PATH);
  const [name, setName] = useState('');
  const keep = async () => {
    const body = { page, name: name.trim(), query };
    if (await change(save.mutateAsync({ params: { path: { agentId } }, body }))) onClose();
  };
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void keep();
        }}
      >
        <TextField
          label="Name"
          hint="For you alone. A name that you used on this page before now stands for these filters."
          value={name}
          maxLength={80}
          required
          autoFocus
          onChange={(event) => setName(event.target.value)}
        />
        <RefusalNote error={save.error} />
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" busy={save.isPending}>
            Save the view
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
