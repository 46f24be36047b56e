import { Select, TextField } from '../../ui/field.tsx';
import { JsonObjectField, LinesField } from '../../ui/parsed-field.tsx';
import { useSignals } from '../calls/use-signals.ts';
import type { Check } from './test-file.ts';

const KINDS: { [Kind in Check['kind']]: { label: string; empty: Extract<Check, { kind: Kind }> } } = {
  tool_called: { label: 'a tool is called', empty: { kind: 'tool_called', tool: '' } },
  tool_not_called: { label: 'a tool is not called', empty: { kind: 'tool_not_called', tool: '' } },
  tool_called_with: {
    label: 'a tool is called with arguments',
    empty: { kind: 'tool_called_with', tool: '', args: {} },
  },
  said: { label: 'words are said', empty: { kind: 'said', text: '' } },
  not_said: { label: 'words are not said', empty: { kind: 'not_said', text: '' } },
  ended_by: { label: 'who ends the call', empty: { kind: 'ended_by', by: 'agent' } },
  reached: { label: 'a step is reached', empty: { kind: 'reached', step: '' } },
  order: { label: 'tools and steps come in order', empty: { kind: 'order', steps: [] } },
  turns_at_most: { label: 'the call is short', empty: { kind: 'turns_at_most', turns: 12 } },
  no_finding: { label: 'a signal does not appear', empty: { kind: 'no_finding', code: '' } },
};
const NAMES = Object.entries(KINDS);

interface CheckFieldsProps {
  check: Check | null;
  onChange: (check: Check | null) => void;
}

/** Who decides a criterion: the judge model, or code by one of the forms that it knows. */
export function CheckFields({ check, onChange }: CheckFieldsProps) {
  const choose = (kind: string) => onChange(NAMES.find(([name]) => name === kind)?.[1].empty ?? null);
  return (
    <div className="grid gap-3 @page-md:grid-cols-2">
      <Select label="Decided by" value={check?.kind ?? ''} onChange={({ target }) => choose(target.value)}>
        <option value="">The judge model</option>
        <optgroup label="Code: it holds when">
          {NAMES.map(([kind, { label }]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </optgroup>
      </Select>
      {check && <About check={check} onChange={onChange} />}
    </div>
  );
}

function About({ check, onChange }: { check: Check; onChange: (check: Check) => void }) {
  switch (check.kind) {
    case 'tool_called':
      return (
        <>
          <Tool value={check.tool} onChange={(tool) => onChange({ ...check, tool })} />
          <TextField
            label="Times"
            type="number"
            min={1}
            max={50}
            hint="Exactly. Empty: at least once."
            value={check.times ?? ''}
            onChange={({ target }) => {
              const { times: _before, ...rest } = check;
              onChange(target.value === '' ? rest : { ...rest, times: Number(target.value) });
            }}
          />
        </>
      );
    case 'tool_not_called':
      return <Tool value={check.tool} onChange={(tool) => onChange({ ...check, tool })} />;
    case 'tool_called_with':
      return (
        <>
          <Tool value={check.tool} onChange={(tool) => onChange({ ...check, tool })} />
          <JsonObjectField
            label="Arguments"
            hint='At least these, as JSON: {"time": "09:30"}'
            rows={2}
            required
            value={check.args}
            onChange={(args) => onChange({ ...check, args: args ?? {} })}
          />
        </>
      );
    case 'said':
    case 'not_said':
      return (
        <>
          <Text label="Words" value={check.text} onChange={(text) => onChange({ ...check, text })} />
          <Select
            label="Said by"
            value={check.by ?? 'agent'}
            onChange={({ target }) => onChange({ ...check, by: target.value === 'caller' ? 'caller' : 'agent' })}
          >
            <option value="agent">The agent</option>
            <option value="caller">The caller</option>
          </Select>
        </>
      );
    case 'ended_by':
      return (
        <Select
          label="Ended by"
          value={check.by}
          onChange={({ target }) => onChange({ ...check, by: ENDERS.find((by) => by === target.value) ?? check.by })}
        >
          <option value="agent">The agent</option>
          <option value="caller">The caller</option>
          <option value="transfer">A transfer</option>
        </Select>
      );
    case 'reached':
      return (
        <Text
          label="Step"
          hint="Id or label of a step of the flow."
          value={check.step}
          onChange={(step) => onChange({ ...check, step })}
        />
      );
    case 'order':
      return (
        <LinesField
          label="In this order"
          hint="Tools or steps, one per line; others may come between."
          required
          value={check.steps}
          onChange={(steps) => onChange({ ...check, steps })}
        />
      );
    case 'turns_at_most':
      return (
        <TextField
          label="Turns at most"
          type="number"
          min={1}
          max={200}
          required
          hint="Of the caller and the agent together."
          value={check.turns}
          onChange={({ target }) => onChange({ ...check, turns: Number(target.value) })}
        />
      );
    case 'no_finding':
      return <Signal value={check.code} onChange={(code) => onChange({ ...check, code })} />;
  }
}

const ENDERS = ['agent', 'caller', 'transfer'] as const;

interface TextProps {
  value: string;
  onChange: (value: string) => void;
}

const Text = ({ onChange, ...props }: TextProps & { label: string; hint?: string }) => (
  <TextField {...props} required onChange={({ target }) => onChange(target.value)} />
);

export const Tool = (props: TextProps) => <Text label="Tool" {...props} />;

function Signal({ value, onChange }: TextProps) {
  const signals = useSignals();
  return (
    <Select label="Signal" required value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">Choose a signal</option>
      {!signals.some(({ code }) => code === value) && value !== '' && <option value={value}>{value}</option>}
      {signals.map(({ code, title }) => (
        <option key={code} value={code}>
          {title}
        </option>
      ))}
    </Select>
  );
}
