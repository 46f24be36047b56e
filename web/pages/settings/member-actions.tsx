import { useState } from 'react';
import { ROLES, type Role } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CheckBox } from '../../ui/field.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { ROLE_WORDS } from './roles.ts';

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
  const run = (role: Role) =>
    change(setRole.mutateAsync({ params: { path: { personId: member.id } }, body: { role } }));
  if (adminOnly !== null) return null;
  return (
    <>
      <RefusalNote error={setRole.error} />
      <Menu
        trigger={
          <button type="button" className={buttonLook('quiet')} aria-label={`Role of ${member.name}`}>
            Role
          </button>
        }
      >
        {ROLES.map((role) => (
          <MenuItem key={role} chosen={role === member.role} onSelect={() => void run(role)}>
            {ROLE_WORDS[role].label}
          </MenuItem>
        ))}
      </Menu>
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
