import { RECORDING_PLATFORMS } from '../../../src/domain/vocabulary.ts';
import { useAdminOnly } from '../../client/admin-only.ts';
import { api } from '../../client/api.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { AgentRetention } from '../retention/agent-retention.tsx';
import { ChatForm } from './chat-form.tsx';
import { GeneralForm } from './general-form.tsx';
import { ModelReturned } from './model-returned.tsx';
import { PhraseForm } from './phrase-form.tsx';
import { ReadingSection } from './reading-section.tsx';
import { RecordingsForm } from './recordings-form.tsx';
import { RedactionForm } from './redaction-form.tsx';
import { ThresholdForm } from './threshold-form.tsx';
import { ToolForm } from './tool-form.tsx';

export function AgentSettingsPage() {
  const agent = useAgent();
  const params = { path: { agentId: agent.id } };
  const settings = api.useQuery('get', '/app/agents/{agentId}/settings', { params });
  const signals = api.useQuery('get', '/app/agents/{agentId}/signals', { params });
  const unless = readOnlyReason(agent);
  const forAdmins = useAdminOnly();
  return (
    <Page
      title="Settings of the agent"
      above={unless ?? undefined}
      actions={
        <>
          <ButtonLink to="/a/$agentId/brief" params={{ agentId: agent.id }}>
            Brief
          </ButtonLink>
          <ButtonLink to="/a/$agentId/intents" params={{ agentId: agent.id }}>
            Intents
          </ButtonLink>
          <ButtonLink to="/a/$agentId/erasures" params={{ agentId: agent.id }}>
            Erased calls
          </ButtonLink>
        </>
      }
    >
      <Loaded of={settings}>
        {(data) => (
          <>
            <Section title="General">
              <GeneralForm settings={data} unless={unless} forAdmins={forAdmins} />
            </Section>
            <ReadingSection settings={data} unless={unless} forAdmins={forAdmins} />
            {data.modelReturned.length > 0 && <ModelReturned returned={data.modelReturned} unless={unless} />}
            <Section title="Phrases" note="checked on every call, in addition to those the prompt requires">
              <PhraseForm rules={data.phraseRules} unless={unless} />
            </Section>
            <Section
              title="Tool answers"
              note="what they mean where they do not say so themselves; earlier calls are read again"
            >
              <ToolForm settings={data} unless={unless} />
            </Section>
            <Section title="Redaction" note="left out of calls that are imported from now on">
              <RedactionForm rules={data.redaction} unless={unless ?? forAdmins} />
            </Section>
            <Section title="Chat address" note="where tests talk to the agent">
              <ChatForm unless={unless ?? forAdmins} />
            </Section>
            {RECORDING_PLATFORMS.includes(agent.provider) && (
              <Section
                title="Recordings"
                note="waits, interruptions, silence, and noise as they sound; none of the sound is stored"
              >
                <RecordingsForm isOn={data.hearRecordings} unless={unless ?? forAdmins} />
              </Section>
            )}
            <AgentRetention settings={data} unless={unless ?? forAdmins} />
            <Section title="Thresholds" note="a change has the whole history read again">
              <Loaded of={signals}>
                {(list) => <ThresholdForm settings={data} signals={list.signals} unless={unless} />}
              </Loaded>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
