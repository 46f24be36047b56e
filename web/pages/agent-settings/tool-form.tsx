import { type FormEvent, useState } from 'react';
import { TOOL_VERDICTS, type ToolVerdict } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Select, TextArea, TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { linesOf } from './lines.ts';
import { SaveRow } from './save-row.tsx';
import { ThresholdPreview } from './threshold-preview.tsx';
import { useSettings } from './use-settings.ts';

type Settings = Schemas['AgentSettings'];
type ToolRule = Settings['toolRules'][number];

const MEANINGS: Record<ToolVerdict, string> = {
  ok: 'It worked',
  refused: 'It worked, and the business said no',
  failed: 'It failed',
  unknown: 'It says neither',
};

interface ToolFormProps {
  settings: Settings;
  unless: string | null;
}

/** What answers of tools mean; what a list would change is shown on stored calls before it holds. */
export function ToolForm({ settings, unless }: ToolFormProps) {
  const agent = useAgent();
  const [rules, setRules] = useState<ToolRule[]>(settings.toolRules);
  const state = useSettings();
  const preview = api.useMutation('post', '/app/agents/{agentId}/thresholds/preview');
  const set = (next: ToolRule[]) => {
    preview.reset();
    setRules(next);
  };
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const said = (name: string) => String(form.get(name) ?? '').trim();
    const means = TOOL_VERDICTS.find((one) => one === said('means')) ?? 'failed';
    const values = linesOf(form.get('values'));
    if (values.length === 0) return;
    set([{ tool: said('tool') || '*', means, field: said('field') || null, values }, ...rules]);
    event.currentTarget.reset();
  };
  const show = () =>
    preview.mutate({
      params: { path: { agentId: agent.id } },
      body: { thresholds: settings.thresholds, toolRules: rules, calls: 200 },
    });
  return (
    <Panel className="max-w-3xl space-y-4 p-4">
      {rules.length > 0 && (
        <Table label="Meanings of tool answers">
          <thead>
            <tr>
              <HeadCell>Tool</HeadCell>
              <HeadCell>Where</HeadCell>
              <HeadCell>Means</HeadCell>
              <HeadCell> </HeadCell>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule, at) => (
              <tr key={JSON.stringify(rule)}>
                <Cell>{rule.tool === '*' ? 'Every tool' : rule.tool}</Cell>
                <Cell wide>
                  {rule.field === null ? 'the answer holds ' : `${rule.field} is `}
                  {rule.values.join(' or ')}
                </Cell>
                <Cell>{MEANINGS[rule.means]}</Cell>
                <Cell>
                  <Button
                    kind="quiet"
                    label={`Remove the meaning of ${rule.tool}: ${rule.values.join(' or ')}`}
                    unless={unless}
                    onClick={() => set(rules.filter((_, other) => other !== at))}
                  >
                    Remove
                  </Button>
                </Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <form className="space-y-3" onSubmit={add}>
        <div className="grid gap-3 @page-sm:grid-cols-2">
          <TextField label="Tool" name="tool" hint="Its name; empty for every tool of the agent." />
          <Select label="The answer means" name="means" defaultValue="failed">
            {TOOL_VERDICTS.map((means) => (
              <option key={means} value={means}>
                {MEANINGS[means]}
              </option>
            ))}
          </Select>
          <TextField
            label="Field of the answer"
            name="field"
            hint="Such as booking.state; empty looks at the whole answer as text."
          />
          <TextArea
            label="Values"
            name="values"
            rows={2}
            required
            hint="One per line; the first rule that fits holds."
          />
        </div>
        <Button type="submit" unless={unless}>
          Add meaning
        </Button>
      </form>
      <form
        className="flex flex-wrap items-center gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void state.save({ toolRules: rules });
        }}
      >
        <Button busy={preview.isPending} onClick={show}>
          Try on stored calls
        </Button>
        <SaveRow state={state} unless={unless}>
          Save tool answers
        </SaveRow>
      </form>
      <RefusalNote error={preview.error} />
      {preview.data && <ThresholdPreview preview={preview.data} />}
    </Panel>
  );
}
