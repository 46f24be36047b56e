import type { ReactNode } from 'react';
import { LANES } from '../../../src/domain/vocabulary.ts';
import { words } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox, Select, TextArea, TextField } from '../../ui/field.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { JsonField, JsonObjectField, LinesField } from '../../ui/parsed-field.tsx';
import { CheckFields, Tool } from './check-fields.tsx';
import { type Criterion, type Fixture, factLines, factsOf, type TestFile } from './test-file.ts';

interface TestFormProps {
  file: TestFile;
  onChange: (file: TestFile) => void;
  /** What the server found wrong at a field, such as `spec.caller.goal`. */
  wrongAt: (param: string) => string | null;
}

/** Everything that a test asks, field by field. */
export function TestForm({ file, onChange, wrongAt }: TestFormProps) {
  const { spec } = file;
  const changeSpec = (changed: Partial<TestFile['spec']>) => onChange({ ...file, spec: { ...spec, ...changed } });
  return (
    <>
      <About file={file} onChange={onChange} />
      <Caller caller={spec.caller} onChange={(caller) => changeSpec({ caller })} wrongAt={wrongAt}>
        <TextField
          label="Maximum caller turns"
          type="number"
          min={1}
          max={50}
          required
          value={spec.maxTurns}
          onChange={({ target }) => changeSpec({ maxTurns: Number(target.value) })}
        />
      </Caller>
      <Rows
        title="What must hold"
        one="criterion"
        rows={spec.criteria}
        fresh={{ text: '', required: true, check: null }}
        onChange={(criteria) => changeSpec({ criteria })}
      >
        {(criterion, change, at) => (
          <CriterionFields criterion={criterion} onChange={change} wrong={wrongAt(`spec.criteria[${at}].text`)} />
        )}
      </Rows>
      <Rows
        title="What the tools answer"
        one="answer"
        rows={spec.fixtures}
        fresh={{ tool: '', match: null, respond: {}, times: null }}
        onChange={(fixtures) => changeSpec({ fixtures })}
      >
        {(fixture, change) => <FixtureFields fixture={fixture} onChange={change} />}
      </Rows>
    </>
  );
}

function About({ file, onChange }: Pick<TestFormProps, 'file' | 'onChange'>) {
  return (
    <div className="grid gap-3 @page-md:grid-cols-2">
      <div className="@page-md:col-span-2">
        <TextField
          label="Title"
          required
          maxLength={200}
          value={file.title}
          onChange={({ target }) => onChange({ ...file, title: target.value })}
        />
      </div>
      <Select
        label="Expected to"
        value={file.expect}
        onChange={({ target }) => onChange({ ...file, expect: target.value === 'fail' ? 'fail' : 'pass' })}
      >
        <option value="pass">Pass</option>
        <option value="fail">Fail: it shows what the agent can’t do yet</option>
      </Select>
      <Select
        label="Lane"
        value={file.lane ?? ''}
        onChange={({ target }) => onChange({ ...file, lane: LANES.find((lane) => lane === target.value) ?? null })}
      >
        <option value="">None</option>
        {LANES.map((lane) => (
          <option key={lane} value={lane}>
            {words(lane)}
          </option>
        ))}
      </Select>
      <div className="@page-md:col-span-2">
        <CheckBox
          label="Regression guard: it works today"
          checked={file.guard}
          onChange={({ target }) => onChange({ ...file, guard: target.checked })}
        />
      </div>
    </div>
  );
}

type CallerOf = TestFile['spec']['caller'];

interface CallerProps {
  caller: CallerOf;
  onChange: (caller: CallerOf) => void;
  wrongAt: TestFormProps['wrongAt'];
  children: ReactNode;
}

function Caller({ caller, onChange, wrongAt, children }: CallerProps) {
  return (
    <Section title="The caller">
      <div className="space-y-3">
        <TextArea
          label="What the caller wants"
          required
          rows={2}
          value={caller.goal}
          error={wrongAt('spec.caller.goal')}
          onChange={({ target }) => onChange({ ...caller, goal: target.value })}
        />
        <TextArea
          label="First words"
          required
          rows={2}
          value={caller.opening}
          error={wrongAt('spec.caller.opening')}
          onChange={({ target }) => onChange({ ...caller, opening: target.value })}
        />
        <LinesField
          label="What the caller knows"
          hint="One fact per line: date of birth: 12 May 1990"
          value={factLines(caller.facts)}
          onChange={(lines) => onChange({ ...caller, facts: factsOf(lines) })}
        />
        <Select
          label="Played by"
          value={caller.script ? 'script' : 'model'}
          onChange={({ target }) => onChange({ ...caller, script: target.value === 'script' ? [] : null })}
        >
          <option value="model">A model, which answers as the caller would</option>
          <option value="script">A script, word for word</option>
        </Select>
        {caller.script ? (
          <LinesField
            label="Further lines"
            hint="One turn per line, in order."
            rows={5}
            value={caller.script}
            onChange={(script) => onChange({ ...caller, script })}
          />
        ) : (
          <TextField
            label="How the caller speaks"
            hint="Empty: neutral speech."
            value={caller.style}
            onChange={({ target }) => onChange({ ...caller, style: target.value })}
          />
        )}
        {children}
      </div>
    </Section>
  );
}

interface RowsProps<T> {
  title: string;
  /** What one of them is called. */
  one: string;
  rows: T[];
  fresh: T;
  onChange: (rows: T[]) => void;
  children: (row: T, change: (row: T) => void, at: number) => ReactNode;
}

function Rows<T>({ title, one, rows, fresh, onChange, children }: RowsProps<T>) {
  return (
    <Section title={title}>
      <ol className="mb-3 space-y-3">
        {rows.map((row, at) => (
          // A row has no name of its own while it is written; its fields take what they show from it.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            <Panel className="space-y-3 p-3">
              {children(row, (changed) => onChange(rows.with(at, changed)), at)}
              <Button kind="quiet" label={`Remove ${one} ${at + 1}`} onClick={() => onChange(rows.toSpliced(at, 1))}>
                Remove
              </Button>
            </Panel>
          </li>
        ))}
      </ol>
      <Button onClick={() => onChange([...rows, fresh])}>{`Add ${one}`}</Button>
    </Section>
  );
}

interface CriterionFieldsProps {
  criterion: Criterion;
  onChange: (criterion: Criterion) => void;
  wrong: string | null;
}

function CriterionFields({ criterion, onChange, wrong }: CriterionFieldsProps) {
  return (
    <>
      <TextArea
        label="What must hold"
        required
        rows={2}
        value={criterion.text}
        error={wrong}
        onChange={({ target }) => onChange({ ...criterion, text: target.value })}
      />
      <CheckFields check={criterion.check ?? null} onChange={(check) => onChange({ ...criterion, check })} />
      <CheckBox
        label="Required: without it the test fails"
        checked={criterion.required ?? true}
        onChange={({ target }) => onChange({ ...criterion, required: target.checked })}
      />
    </>
  );
}

function FixtureFields({ fixture, onChange }: { fixture: Fixture; onChange: (fixture: Fixture) => void }) {
  return (
    <>
      <div className="grid gap-3 @page-md:grid-cols-2">
        <Tool value={fixture.tool} onChange={(tool) => onChange({ ...fixture, tool })} />
        <TextField
          label="For how many calls"
          type="number"
          min={1}
          max={100}
          hint="Empty: every call."
          value={fixture.times ?? ''}
          onChange={({ target }) => onChange({ ...fixture, times: target.value === '' ? null : Number(target.value) })}
        />
      </div>
      <JsonObjectField
        label="When called with"
        rows={1}
        hint="Arguments as JSON. Empty: any."
        value={fixture.match ?? null}
        onChange={(match) => onChange({ ...fixture, match: match })}
      />
      <JsonField
        label="Answer"
        rows={3}
        hint="As JSON."
        value={fixture.respond}
        onChange={(respond) => onChange({ ...fixture, respond: respond })}
      />
    </>
  );
}
