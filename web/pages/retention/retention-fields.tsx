import { Select, TextField } from '../../ui/field.tsx';
import type { Kept, RetentionName } from './kept.ts';

const FIELDS: { name: RetentionName; label: string; what: string }[] = [
  {
    name: 'payloadDays',
    label: 'What platforms sent',
    what: 'Payloads, as they came. Nothing reads one again; never kept for longer than the words.',
  },
  {
    name: 'transcriptDays',
    label: 'Every word of a call',
    what: 'Its turns and all that quotes them. How it ended, its signals and all figures stay.',
  },
  {
    name: 'callDays',
    label: 'The call itself',
    what: 'With everything derived from it, including tests made from it. It is not imported again.',
  },
];

interface RetentionFieldsProps {
  kept: Record<RetentionName, Kept>;
  /** What the workspace has, where an agent may follow it. */
  workspace: Record<RetentionName, number | null> | null;
  onChange: (name: RetentionName, kept: Kept) => void;
}

export function RetentionFields({ kept, workspace, onChange }: RetentionFieldsProps) {
  return FIELDS.map(({ name, label, what }) => (
    <div key={name} className="grid gap-x-4 gap-y-2 @page-sm:grid-cols-[minmax(0,1fr)_13rem]">
      <Select
        label={label}
        value={kept[name].for}
        hint={what}
        onChange={({ target }) => onChange(name, { ...kept[name], for: target.value as Kept['for'] })}
      >
        {workspace && <option value="workspace">As the workspace: {inWords(workspace[name])}</option>}
        <option value="days">For so many days</option>
        <option value="ever">For ever</option>
      </Select>
      {kept[name].for === 'days' && (
        <TextField
          label={`Days: ${label.toLowerCase()}`}
          type="number"
          min={1}
          max={36_500}
          required
          value={kept[name].days}
          onChange={({ target }) => onChange(name, { for: 'days', days: target.value })}
        />
      )}
    </div>
  ));
}

const inWords = (days: number | null) => (days === null ? 'for ever' : `${days} days`);
