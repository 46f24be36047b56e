import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

type Member = Schemas['Member'];

const LIST = ['get', '/app/members'] as const;

export function Members({ adminOnly }: { adminOnly: string | null }) {
  const members = api.useQuery('get', '/app/members', { params: { query: { limit: 100 } } });
  const [inviting, setInviting] = useState(false);
  return (
    <Section
      title="Members"
      aside={
        <Button unless={adminOnly} onClick={() => setInviting(true)}>
          Invite
        </Button>
      }
    >
      <Loaded of={members} rows={3}>
        {({ data }) => <MemberTable members={data} />}
      </Loaded>
      {inviting && <Invite onClose={() => setInviting(false)} />}
    </Section>
  );
}

function MemberTable({ members }: { members: Member[] }) {
  return (
    <Table label="Members">
      <thead>
        <tr>
          <HeadCell>Name</HeadCell>
          <HeadCell>E-mail</HeadCell>
          <HeadCell>Role</HeadCell>
          <HeadCell>Since</HeadCell>
        </tr>
      </thead>
      <tbody>
        {members.map(({ id, name, email, role, state, createdAt, invitedUntil }) => (
          <tr key={id} className="hover:bg-sunken/60">
            <Cell className="font-medium">{name}</Cell>
            <Cell>{email}</Cell>
            <Cell>{words(role)}</Cell>
            <Cell>
              {state === 'invited' ? (
                <>
                  <Chip tone="caution">invited</Chip> until <Time at={invitedUntil} short />
                </>
              ) : (
                <Time at={createdAt} short />
              )}
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Invite({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const invite = api.useMutation('post', '/app/members');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const role = form.get('role') === 'admin' ? ('admin' as const) : ('member' as const);
    const body = { name: String(form.get('name')), email: String(form.get('email')), role };
    await invite.mutateAsync({ body }).catch(() => null);
    void queries.invalidateQueries({ queryKey: LIST });
  };
  if (invite.data) return <Invited link={invite.data.link} onClose={onClose} />;
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <TextField label="Name" name="name" required maxLength={200} />
        <TextField label="E-mail" name="email" type="email" required />
        <Select label="Role" name="role" hint="Admins manage members, write keys, webhooks and connections.">
          <option value="member">Member</option>
          <option value="admin">Admin</option>
        </Select>
        <RefusalNote error={invite.error} />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" busy={invite.isPending}>
            Make the invitation
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

function Invited({ link, onClose }: { link: string | null; onClose: () => void }) {
  return (
    <Dialog title="Hand over the link" onClose={onClose} firm>
      <p className="mb-3 text-ink-2">It works once, and is never shown again.</p>
      <p className="mb-4 rounded-control bg-sunken p-3 font-mono text-sm break-all">{link}</p>
      <div className="flex gap-2">
        {link && <CopyButton text={link}>Copy</CopyButton>}
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
