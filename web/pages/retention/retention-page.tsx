import { api } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Section } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { SettingsFrame } from '../settings/settings-frame.tsx';
import { RetentionForm } from './retention-form.tsx';

/** How long the workspace keeps its calls. */
export function RetentionPage() {
  return (
    <SettingsFrame title="Retention" at="/settings/retention">
      {(adminOnly) => <WorkspaceRetention adminOnly={adminOnly} />}
    </SettingsFrame>
  );
}

function WorkspaceRetention({ adminOnly }: { adminOnly: string | null }) {
  const change = useChange();
  const workspace = api.useQuery('get', '/app/workspace');
  const update = api.useMutation('patch', '/app/workspace');
  const state = { busy: update.isPending, kept: update.isSuccess, error: update.error };
  return (
    <Section title="How long calls are kept" note="of agents that have no times of their own">
      <Loaded of={workspace}>
        {({ retention }) => (
          <RetentionForm
            key={JSON.stringify(retention)}
            inForce={retention}
            state={state}
            unless={adminOnly}
            onSave={(_chosen, then) => void change(update.mutateAsync({ body: { retention: then } }))}
          />
        )}
      </Loaded>
    </Section>
  );
}
