import type { Schemas } from '../../client/api.ts';
import { Button } from '../../ui/button.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { useSettings } from './use-settings.ts';

interface ModelReturnedProps {
  returned: Schemas['AgentSettings']['modelReturned'];
  unless: string | null;
}

/** Codes that the model may not decide any more, because people found it wrong on them. */
export function ModelReturned({ returned, unless }: ModelReturnedProps) {
  const state = useSettings();
  return (
    <Section title="Where the model only assists" note="because people found it wrong">
      <RefusalNote error={state.error} />
      <Panel>
        <ul className="divide-y divide-line/70 text-sm">
          {returned.map(({ code, reason }) => (
            <li key={code} className="flex flex-wrap items-center gap-3 px-4 py-2">
              <code className="font-mono text-xs">{code}</code>
              <span className="min-w-0 flex-1 basis-72">{reason}</span>
              <Button
                kind="quiet"
                unless={unless}
                busy={state.busy}
                label={`Trust it again on ${code}`}
                onClick={() => void state.save({ trustModelAgain: [code] })}
              >
                Trust it again
              </Button>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}
