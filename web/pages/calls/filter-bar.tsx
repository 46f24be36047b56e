import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, X } from 'lucide-react';
import { FILTER_AT_MOST, OUTCOMES } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { INPUT } from '../../ui/field.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { describeFilter } from './describe-filter.ts';
import type { CallFilters } from './filters.ts';
import { useSignals } from './use-signals.ts';

interface Choice {
  label: string;
  value: string | number;
}

/** Filters as chips; each is a search parameter of the address. */
export function FilterBar({ filters }: { filters: CallFilters }) {
  const navigate = useNavigate({ from: '/a/$agentId/calls' });
  const change = (changed: CallFilters) => void navigate({ search: changed, replace: true });
  const drop = (name: keyof CallFilters) => {
    const { [name]: _dropped, nextStep, ...rest } = filters;
    // Where a call went on to means nothing without where it came from.
    change(name === 'step' || name === 'nextStep' || nextStep === undefined ? rest : { ...rest, nextStep });
  };
  const nameOf = useNames(filters);
  const names = (Object.keys(filters) as (keyof CallFilters)[]).filter((name) => name !== 'filter');
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2" role="group" aria-label="Filters">
      <FilterLine
        key={filters.filter ?? ''}
        line={filters.filter ?? ''}
        onChange={(line) => (line === '' ? drop('filter') : change({ ...filters, filter: line }))}
      />
      <Choices filters={filters} onChoose={(name, value) => change({ ...filters, [name]: value })} />
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className="inline-flex min-h-8 items-center gap-1.5 rounded-control bg-accent-soft px-2.5 text-sm text-accent"
          onClick={() => drop(name)}
          aria-label={`Drop the filter ${nameOf(name)}`}
        >
          {nameOf(name)}
          <X size={13} aria-hidden />
        </button>
      ))}
    </div>
  );
}

/** Intents and signals by what they are called now: their slugs and codes never change. */
function useNames(filters: CallFilters): (name: keyof CallFilters) => string {
  const intents = useIntents();
  const signals = useSignals();
  return (name) => {
    const { intent, signal } = filters;
    const isIntent = ({ slug, aliases }: Schemas['Intent']) => slug === intent || aliases.some((one) => one === intent);
    const label = name === 'intent' ? intents.find(isIntent)?.label : undefined;
    const title = name === 'signal' ? signals.find(({ code }) => code === signal)?.title : undefined;
    return label ?? title ?? describeFilter(name, filters);
  };
}

function useIntents(): Schemas['Intent'][] {
  const { id: agentId } = useAgent();
  const params = { path: { agentId }, query: { limit: 100 } };
  return api.useQuery('get', '/v1/agents/{agentId}/intents', { params }).data?.data ?? [];
}

interface FilterLineProps {
  line: string;
  onChange: (line: string) => void;
}

/** Words that were said, and fields, as one line; sent by Enter, or where the field is cleared. */
function FilterLine({ line, onChange }: FilterLineProps) {
  return (
    <form
      role="search"
      className="w-full @page-md:w-auto @page-md:min-w-80 @page-md:flex-1"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(String(new FormData(event.currentTarget).get('filter') ?? '').trim());
      }}
    >
      <input
        type="search"
        name="filter"
        defaultValue={line}
        maxLength={FILTER_AT_MOST}
        aria-label="Search and filter calls"
        placeholder={'Search words, or said:"cancel my plan" outcome:unresolved'}
        autoComplete="off"
        spellCheck={false}
        className={INPUT}
      />
    </form>
  );
}

interface ChoicesProps {
  filters: CallFilters;
  onChoose: (name: keyof CallFilters, value: string | number) => void;
}

function Choices({ filters, onChoose }: ChoicesProps) {
  const { id: agentId } = useAgent();
  const params = { path: { agentId }, query: { limit: 100 } };
  const versions = api.useQuery('get', '/v1/agents/{agentId}/versions', { params });
  const intents = useIntents();
  const signals = useSignals();
  const offered: { name: keyof CallFilters; label: string; choices: Choice[] }[] = [
    { name: 'outcome', label: 'Outcome', choices: OUTCOMES.map((value) => ({ label: words(value), value })) },
    {
      name: 'version',
      label: 'Version',
      choices: versions.data?.data.map(({ version }) => ({ label: `Version ${version}`, value: version })) ?? [],
    },
    {
      name: 'intent',
      label: 'Intent',
      choices: intents.map(({ slug, label }) => ({ label, value: slug })),
    },
    {
      name: 'signal',
      label: 'Signal',
      choices: signals.flatMap(({ code, title, kept }) => (kept === 'signal' ? [{ label: title, value: code }] : [])),
    },
  ];
  return offered
    .filter(({ name }) => filters[name] === undefined)
    .map(({ name, label, choices }) => (
      <Menu
        key={name}
        trigger={
          <button type="button" className={buttonLook('plain')}>
            {label}
            <ChevronDown size={13} aria-hidden />
          </button>
        }
      >
        <div className="max-h-80 overflow-y-auto">
          {choices.map((choice) => (
            <MenuItem key={choice.value} onSelect={() => onChoose(name, choice.value)}>
              {choice.label}
            </MenuItem>
          ))}
        </div>
      </Menu>
    ));
}
