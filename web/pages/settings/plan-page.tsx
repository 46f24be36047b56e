import { type FormEvent, useState } from 'react';
import { PLANS, type Plan as PlanName } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { count, percent, smallUsd, usd, words } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Panel, Section } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { OwnModel } from './own-model.tsx';
import { SettingsFrame } from './settings-frame.tsx';

type Plan = Schemas['Plan'];
type Allowance = keyof Plan['allowances'];

const ALLOWANCES: {
  name: Allowance;
  label: string;
  used: (plan: Plan) => number | null;
  show: (n: number) => string;
}[] = [
  { name: 'analysedCalls', label: 'Analyzed calls per period', used: ({ used }) => used.analysedCalls, show: count },
  { name: 'agents', label: 'Agents', used: ({ used }) => used.agents, show: count },
  { name: 'testCalls', label: 'Simulated test calls per period', used: ({ used }) => used.testCalls, show: count },
  { name: 'copilotMessages', label: 'Copilot messages per period', used: () => null, show: count },
  { name: 'seats', label: 'Seats', used: () => null, show: count },
  { name: 'aiAllowanceUsd', label: 'Models, over 30 days', used: ({ used }) => used.aiUsd, show: usd },
];

export function PlanPage() {
  return (
    <SettingsFrame title="Plan" at="/settings/plan">
      {(adminOnly) => <PlanOf adminOnly={adminOnly} />}
    </SettingsFrame>
  );
}

function PlanOf({ adminOnly }: { adminOnly: string | null }) {
  const plan = api.useQuery('get', '/app/plan');
  return (
    <Loaded of={plan}>
      {(data) => (
        <>
          <Used plan={data} />
          <ReadBy reading={data.reading} />
          <Section title="Change" note="waiting calls are analyzed as soon as the allowance grows">
            <PlanForm key={JSON.stringify(data.allowances)} plan={data} adminOnly={adminOnly} />
          </Section>
          {adminOnly === null && <OwnModel />}
        </>
      )}
    </Loaded>
  );
}

function Used({ plan }: { plan: Plan }) {
  const { period, set, used } = plan;
  return (
    <Section
      title={words(plan.plan)}
      note={
        <>
          this period from <Time at={period.startsAt} /> to <Time at={period.endsAt} />
        </>
      }
    >
      <dl className="grid gap-px overflow-hidden rounded-panel border border-line bg-line @page-sm:grid-cols-2 @page-lg:grid-cols-3">
        {ALLOWANCES.map(({ name, label, used: usedOf, show }) => (
          <div key={name} className="bg-surface p-4">
            <dt className="flex items-center gap-2 text-sm text-ink-2">
              {label} {set.includes(name) && <Chip>set</Chip>}
            </dt>
            <dd>
              <Meter label={label} used={usedOf(plan)} limit={plan.allowances[name]} show={show} />
            </dd>
          </div>
        ))}
      </dl>
      {used.aiUnpriced.length > 0 && (
        <p className="mt-2 text-sm text-ink-2">
          Without a price, and so counted as nothing: {used.aiUnpriced.join(', ')}.
        </p>
      )}
    </Section>
  );
}

/** What reading by a model took in this month, agent by agent; nothing where none was read. */
function ReadBy({ reading }: { reading: Plan['reading'] }) {
  const { agents, usd: all, questions, cachedShare } = reading;
  if (agents.length === 0) return null;
  const cached = cachedShare === null ? '' : `, ${percent(cachedShare)} of the input from caches`;
  return (
    <Section title="Reading by a model" note={`${smallUsd(all)} this month for ${count(questions)} questions${cached}`}>
      <Table label="Reading by a model">
        <thead>
          <tr>
            <HeadCell>Agent</HeadCell>
            <HeadCell figure>Read</HeadCell>
            <HeadCell figure>Waiting</HeadCell>
            <HeadCell figure>This month</HeadCell>
          </tr>
        </thead>
        <tbody>
          {agents.map(({ agentId, name, read, waiting, usd: ofAgent }) => (
            <tr key={agentId}>
              <Cell>
                <TextLink to="/a/$agentId/settings" params={{ agentId }} hash="reading">
                  {name}
                </TextLink>
              </Cell>
              <Cell figure>{count(read)}</Cell>
              <Cell figure>{count(waiting)}</Cell>
              <Cell figure>{smallUsd(ofAgent)}</Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

interface MeterProps {
  label: string;
  used: number | null;
  limit: number | null;
  show: (value: number) => string;
}

function Meter({ label, used, limit, show }: MeterProps) {
  const most = limit === null ? 'unlimited' : show(limit);
  if (used === null) return <p className="text-figure font-medium">{most}</p>;
  const text = limit === null ? `${show(used)} used, unlimited` : `${show(used)} of ${most} used`;
  return (
    <>
      <p>
        <span className="text-figure font-medium">{show(used)}</span>{' '}
        <span className="text-ink-2">{limit === null ? 'used, unlimited' : `of ${most}`}</span>
      </p>
      {limit !== null && (
        <progress
          aria-label={label}
          aria-valuetext={text}
          value={used}
          max={Math.max(limit, 1)}
          className="mt-1 block h-2 w-full accent-accent"
        />
      )}
    </>
  );
}

function PlanForm({ plan, adminOnly }: { plan: Plan; adminOnly: string | null }) {
  const change = useChange();
  const edit = api.useMutation('patch', '/app/plan');
  const [chosen, setChosen] = useState<PlanName>(plan.plan);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = { plan: chosen, allowances: allowancesOf(new FormData(event.currentTarget)) };
    await change(edit.mutateAsync({ body }));
  };
  return (
    <Panel className="max-w-3xl p-4">
      <form className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Select
          label="Plan"
          value={chosen}
          onChange={({ target }) => setChosen(PLANS.find((each) => each === target.value) ?? chosen)}
        >
          {PLANS.map((name) => (
            <option key={name} value={name}>
              {words(name)}
            </option>
          ))}
        </Select>
        <div className="grid gap-4 @page-sm:grid-cols-2">
          {ALLOWANCES.map(({ name, label }) => (
            <TextField
              key={name}
              label={label}
              name={name}
              type="number"
              min={0}
              step={name === 'aiAllowanceUsd' ? '0.01' : '1'}
              defaultValue={plan.set.includes(name) ? (plan.allowances[name] ?? '') : ''}
              hint="Empty: as the plan says."
            />
          ))}
        </div>
        <RefusalNote error={edit.error} />
        <Button type="submit" kind="primary" busy={edit.isPending} unless={adminOnly}>
          Change the plan
        </Button>
      </form>
    </Panel>
  );
}

function allowancesOf(form: FormData): Partial<Record<Allowance, number | null>> {
  const typed = (name: Allowance) => String(form.get(name) ?? '');
  return Object.fromEntries(ALLOWANCES.map(({ name }) => [name, typed(name) === '' ? null : Number(typed(name))]));
}
