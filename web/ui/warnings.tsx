import type { Schemas } from '../client/api.ts';
import { calls } from '../format.ts';
import { Panel, Section } from './panel.tsx';

interface WarningsProps {
  warnings: Schemas['ImportWithFailures']['warnings'];
  note?: string;
}

/** What was noted as calls were read, with the number of them. */
export function Warnings({ warnings, note }: WarningsProps) {
  return (
    <Section title="Noted as calls were read" note={note}>
      <Panel>
        <ul className="divide-y divide-line/70 text-sm">
          {warnings.map(({ warning, calls: warned }) => (
            <li key={warning} className="flex gap-3 px-4 py-2">
              <span className="min-w-0 flex-1 break-words">{warning}</span>
              <span className="whitespace-nowrap text-ink-2">{calls(warned)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}
