import { api, type Schemas } from '../../client/api.ts';
import { Section } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useSettings } from '../agent-settings/use-settings.ts';
import { ofEach } from './kept.ts';
import { RetentionForm } from './retention-form.tsx';

interface AgentRetentionProps {
  settings: Schemas['AgentSettings'];
  unless: string | null;
}

/** How long the calls of one agent are kept, beside what the workspace says. */
export function AgentRetention({ settings, unless }: AgentRetentionProps) {
  const { retention, retentionFrom } = settings;
  const workspace = api.useQuery('get', '/app/workspace');
  const { save, ...state } = useSettings();
  return (
    <Section title="How long calls are kept" note="once a day, what is older is removed for good">
      <Loaded of={workspace}>
        {(data) => (
          <RetentionForm
            key={JSON.stringify([retention, retentionFrom])}
            inForce={retention}
            workspace={{
              retention: data.retention,
              followed: ofEach((name) => retentionFrom[name] === 'workspace'),
            }}
            state={state}
            unless={unless}
            onSave={(chosen) => void save({ retention: chosen })}
          />
        )}
      </Loaded>
    </Section>
  );
}
