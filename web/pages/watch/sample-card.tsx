import { Check, X } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quote } from '../../ui/quote.tsx';
import { Nearby } from './nearby.tsx';

type Sample = Schemas['Watch']['samples'][number];
type Label = NonNullable<Sample['label']>;

interface SampleCardProps {
  sample: Sample;
  labelling?: { unless: string | null; onLabel: (label: Label) => void };
}

/** One call of the past, with the words that decided. */
export function SampleCard({ sample, labelling }: SampleCardProps) {
  const agent = useAgent();
  const { callId, verdict, quote, turn, label } = sample;
  return (
    <li data-call={callId}>
      <Panel className="flex flex-wrap items-start gap-x-6 gap-y-3 p-4 focus-within:border-accent">
        <div className="min-w-0 flex-1 basis-80">
          <p className="mb-2 max-w-[72ch] text-sm break-words text-ink-2">{verdict}</p>
          {quote !== '' && <Quote>{quote}</Quote>}
          <p className="mt-2 text-sm">
            <TextLink
              data-row=""
              to="/a/$agentId/calls/$callId"
              params={{ agentId: agent.id, callId }}
              hash={`turn-${turn}`}
            >
              Open the call at turn {turn}
            </TextLink>
          </p>
          <Nearby callId={callId} turn={turn} />
        </div>
        {labelling && (
          <div className="flex items-center gap-2">
            <Choice value="right" given={label} labelling={labelling} />
            <Choice value="wrong" given={label} labelling={labelling} />
          </div>
        )}
      </Panel>
    </li>
  );
}

const CHOICES = { right: { icon: Check, text: 'Right' }, wrong: { icon: X, text: 'Wrong' } };

interface ChoiceProps {
  value: Label;
  given: Label | null;
  labelling: NonNullable<SampleCardProps['labelling']>;
}

function Choice({ value, given, labelling }: ChoiceProps) {
  const { icon: Icon, text } = CHOICES[value];
  return (
    <Button pressed={given === value} unless={labelling.unless} onClick={() => labelling.onLabel(value)}>
      <Icon size={14} aria-hidden />
      {text}
    </Button>
  );
}
