import { Keys } from './keys.tsx';
import { Members } from './members.tsx';
import { SettingsFrame } from './settings-frame.tsx';

/** Of the workspace: its keys and its people. */
export function SettingsPage() {
  return (
    <SettingsFrame title="Keys and members" at="/settings">
      {(adminOnly) => (
        <>
          <Keys adminOnly={adminOnly} />
          <Members adminOnly={adminOnly} />
        </>
      )}
    </SettingsFrame>
  );
}
