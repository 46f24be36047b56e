import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ROLES } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/panel.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { MemberActions } from './member-actions.tsx';
import { ROLE_WORDS } from './roles.ts';

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
        {({ data }) => <MemberTable members={data} adminOnly={adminOnly} />}
      </Loaded>
      {inviting && <Invite onClose={() => setInviting(false)} />}
    </Section>
  );
}

function MemberTable({ members, adminOnly }: { members: Member[]; adminOnly: string | null }) {
  return (
    <Table label="Members">
      <thead>
        <tr>
          <HeadCell>Name</HeadCell>
          <HeadCell>E-mail</HeadCell>
          <HeadCell>Role</HeadCell>
          <HeadCell>Since</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <MemberRow key={member.id} member={member} adminOnly={adminOnly} />
        ))}
      </tbody>
    </Table>
  );
}

function MemberRow({ member, adminOnly }: { member: Member; adminOnly: string | null }) {
  const { name, email, role, state, createdAt, invitedUntil } = member;
  return (
    <tr className="hover:bg-sunken/60">
      <Cell className="font-medium">{name}</Cell>
      <Cell>{email}</Cell>
      <Cell>{ROLE_WORDS[role].label}</Cell>
      <Cell>
        {state === 'invited' ? (
          <>
            <Chip tone="caution">invited</Chip> until <Time at={invitedUntil} />
          </>
        ) : (
          <Time at={createdAt} />
        )}
      </Cell>
      <Cell figure className="whitespace-nowrap">
        <MemberActions member={member} adminOnly={adminOnly} />
      </Cell>
    </tr>
  );
}

function Invite({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const invite = api.useMutation('post', '/app/members');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const role = ROLES.find((one) => one === form.get('role')) ?? 'member';
    const body = { name: String(form.get('name')), email: String(form.get('email')), role };
    await invite.mutateAsync({ body }).catch(() => null);
    void queries.invalidateQueries({ queryKey: LIST });
  };
  if (invite.data) {
    return (
      <ShownOnce title="Hand over the link" value={invite.data.link ?? ''} onClose={onClose}>
        Whoever opens it joins as {invite.data.email}. It works once, for a week, while you are an admin, and is never
        shown again.
      </ShownOnce>
    );
  }
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <TextField label="Name" name="name" required maxLength={200} />
        <TextField label="E-mail" name="email" type="email" required />
        <Select label="Role" name="role" defaultValue="member" hint="Each may do what the ones before it may.">
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {ROLE_WORDS[role].label}: {ROLE_WORDS[role].may}
            </option>
          ))}
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
