import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CheckBox } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { RefusalNote } from '../../ui/states.tsx';

interface MemberActionsProps {
  member: Schemas['Member'];
  adminOnly: string | null;
}

/** Another role, a link for a new password, and the way out. */
export function MemberActions({ member, adminOnly }: MemberActionsProps) {
  return (
    <div className="flex items-center justify-end gap-1">
      <ChangeRole member={member} adminOnly={adminOnly} />
      {member.state === 'active' && <PasswordLink member={member} adminOnly={adminOnly} />}
      <Remove member={member} adminOnly={adminOnly} />
    </div>
  );
}

function ChangeRole({ member, adminOnly }: MemberActionsProps) {
  const change = useChange();
  const setRole = api.useMutation('patch', '/app/members/{personId}');
  const role = member.role === 'admin' ? 'member' : 'admin';
  const run = () => change(setRole.mutateAsync({ params: { path: { personId: member.id } }, body: { role } }));
  const text = role === 'admin' ? 'Make admin' : 'Make member';
  return (
    <>
      <RefusalNote error={setRole.error} />
      <Button
        kind="quiet"
        unless={adminOnly}
        busy={setRole.isPending}
        label={`${text}: ${member.name}`}
        onClick={() => void run()}
      >
        {text}
      </Button>
    </>
  );
}

function PasswordLink({ member, adminOnly }: MemberActionsProps) {
  const [shown, setShown] = useState<string | null>(null);
  const make = api.useMutation('post', '/app/members/{personId}/password-link');
  const run = async () => {
    const made = await make.mutateAsync({ params: { path: { personId: member.id } } }).catch(() => null);
    if (made) setShown(made.link);
  };
  return (
    <>
      <RefusalNote error={make.error} />
      <Button
        kind="quiet"
        unless={adminOnly}
        busy={make.isPending}
        label={`New password for ${member.name}`}
        onClick={() => void run()}
      >
        New password
      </Button>
      {shown !== null && (
        <ShownOnce title="Hand over the link" value={shown} onClose={() => setShown(null)}>
          {member.name} sets a new password with it. It works once, for a day, and is never shown again.
        </ShownOnce>
      )}
    </>
  );
}

function Remove({ member, adminOnly }: MemberActionsProps) {
  const change = useChange();
  const [revokeKeys, setRevokeKeys] = useState(false);
  const remove = api.useMutation('delete', '/app/members/{personId}');
  return (
    <Confirm
      button="Remove"
      label={`Remove ${member.name}`}
      unless={adminOnly}
      title={`Remove ${member.name}?`}
      does="Remove from the workspace"
      error={remove.error}
      busy={remove.isPending}
      onConfirm={() => change(remove.mutateAsync({ params: { path: { personId: member.id }, query: { revokeKeys } } }))}
    >
      Their sessions in this workspace end at once. Keys that they made belong to the workspace.
      <CheckBox
        label="End these keys too"
        checked={revokeKeys}
        onChange={({ target }) => setRevokeKeys(target.checked)}
      />
    </Confirm>
  );
}
