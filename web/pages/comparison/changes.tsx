import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { Panel, Section } from '../../ui/panel.tsx';

type Comparison = Schemas['Comparison'];

interface ChangesProps {
  changes: Comparison['changes'];
  captured: Comparison['configCaptured'];
  onPoint: (place: string | null) => void;
}

/** What was changed in the configuration; pointing at a place lights the issues there. */
export function Changes({ changes, captured, onPoint }: ChangesProps) {
  return (
    <Section title="What was changed">
      {changes.length === 0 && (
        <p className="text-ink-2">
          {captured.from && captured.to
            ? 'The two configurations differ in nothing that is compared.'
            : 'No configuration captured: what was changed cannot be told.'}
        </p>
      )}
      <ul className="space-y-3">
        {changes.map(({ kind, location: place, detail, before, after }) => (
          <li key={`${kind} ${place.id} ${detail}`}>
            <Panel className="p-3">
              <div
                onMouseEnter={() => onPoint(place.label)}
                onMouseLeave={() => onPoint(null)}
                onFocus={() => onPoint(place.label)}
                onBlur={() => onPoint(null)}
              >
                <p className="text-sm font-medium">
                  {words(kind)}: {place.label}
                </p>
                <p className="text-sm text-ink-2">{detail}</p>
                <Text mark="−" text={before} />
                <Text mark="+" text={after} />
              </div>
            </Panel>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Text({ mark, text }: { mark: string; text: string | null }) {
  if (text === null) return null;
  return (
    <p className="mt-1 flex gap-2 rounded-control bg-sunken px-2 py-1 font-mono text-xs break-words whitespace-pre-wrap">
      <span aria-hidden>{mark}</span>
      <span className="min-w-0">{text}</span>
    </p>
  );
}
