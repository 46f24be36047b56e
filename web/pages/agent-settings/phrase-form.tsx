import type { FormEvent } from 'react';
import type { Schemas } from '../../client/api.ts';
import { TextArea } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { linesOf } from './lines.ts';
import { SaveRow } from './save-row.tsx';
import { useSettings } from './use-settings.ts';

interface PhraseFormProps {
  rules: Schemas['AgentSettings']['phraseRules'];
  unless: string | null;
}

export function PhraseForm({ rules, unless }: PhraseFormProps) {
  const state = useSettings();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [required, forbidden] = [linesOf(form.get('required')), linesOf(form.get('forbidden'))];
    void state.save({ phraseRules: { required, forbidden } });
  };
  return (
    <Panel className="max-w-3xl p-4">
      <form className="space-y-4" onSubmit={submit}>
        <div className="grid gap-4 @page-sm:grid-cols-2">
          <TextArea
            label="Must be said"
            name="required"
            rows={4}
            defaultValue={rules.required.join('\n')}
            hint="One phrase per line, compared word for word."
          />
          <TextArea
            label="Must never be said"
            name="forbidden"
            rows={4}
            defaultValue={rules.forbidden.join('\n')}
            hint="One phrase per line."
          />
        </div>
        <SaveRow state={state} unless={unless}>
          Save phrases
        </SaveRow>
      </form>
    </Panel>
  );
}
