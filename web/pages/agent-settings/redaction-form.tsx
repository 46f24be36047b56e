import type { FormEvent } from 'react';
import { REDACTED_KINDS, type RedactedKind } from '../../../src/domain/vocabulary.ts';
import type { Schemas } from '../../client/api.ts';
import { CheckBox, TextArea } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { linesOf } from './lines.ts';
import { SaveRow } from './save-row.tsx';
import { useSettings } from './use-settings.ts';

const LABELS: Record<RedactedKind, string> = {
  card: 'Card numbers',
  email: 'Email addresses',
  phone: 'Phone numbers',
  iban: 'Bank account numbers (IBAN)',
  national_number: 'National ID numbers',
  address: 'Postal addresses',
  name: 'Names that rules find, and those that the model finds',
};

interface RedactionFormProps {
  rules: Schemas['AgentSettings']['redaction'];
  unless: string | null;
}

export function RedactionForm({ rules, unless }: RedactionFormProps) {
  const state = useSettings();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const kinds = REDACTED_KINDS.filter((kind) => form.has(kind));
    const patterns = linesOf(form.get('patterns')).map((line) => {
      const at = line.indexOf(':');
      return { name: line.slice(0, Math.max(at, 0)).trim(), pattern: line.slice(at + 1).trim() };
    });
    void state.save({ redaction: { kinds, patterns } });
  };
  return (
    <Panel className="max-w-3xl p-4">
      <form className="space-y-4" onSubmit={submit}>
        <div className="grid gap-2 @page-sm:grid-cols-2">
          {REDACTED_KINDS.map((kind) => (
            <CheckBox key={kind} label={LABELS[kind]} name={kind} defaultChecked={rules.kinds.includes(kind)} />
          ))}
        </div>
        <TextArea
          label="Own patterns"
          name="patterns"
          rows={3}
          defaultValue={rules.patterns.map(({ name, pattern }) => `${name}: ${pattern}`).join('\n')}
          hint="One per line, such as patient number: MRN-\d{6}"
        />
        <SaveRow state={state} unless={unless}>
          Save redaction
        </SaveRow>
      </form>
    </Panel>
  );
}
