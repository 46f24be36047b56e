import { useQuery } from '@tanstack/react-query';
import { MESSAGE_EVENTS, SEVERITIES, WEEKDAYS } from '../../../src/domain/vocabulary.ts';
import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { agentsQuery } from '../../frame/last-agent.ts';
import { CheckBox, Select, TextField } from '../../ui/field.tsx';
import { EVENT_WORDS } from './event-words.ts';

export type Subscription = Schemas['Subscription'];
type Digest = Subscription['digest'];

const MORNING = 9;

/** Everything that is serious, at once, in the reader's own hours. */
export const newSubscription = (): Subscription => ({
  events: [
    'issue.opened',
    'issue.regressed',
    'issue.spiked',
    'run.awaiting_approval',
    'watch.failing',
    'alarm.raised',
    'alarm.continues',
    'alarm.recovered',
    'import.stuck',
  ],
  minSeverity: null,
  agentId: null,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  quietHours: null,
  digest: { every: 'immediate' },
});

interface FieldsProps {
  value: Subscription;
  onChange: (changed: Subscription) => void;
}

/** Of what is told, how serious it has to be, and when. */
export function SubscriptionFields({ value, onChange }: FieldsProps) {
  const set = (changed: Partial<Subscription>) => onChange({ ...value, ...changed });
  return (
    <div className="space-y-3">
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Told when</legend>
        {MESSAGE_EVENTS.map((event) => (
          <CheckBox
            key={event}
            label={EVENT_WORDS[event]}
            checked={value.events.includes(event)}
            onChange={({ target }) =>
              set({ events: target.checked ? [...value.events, event] : value.events.filter((each) => each !== event) })
            }
          />
        ))}
      </fieldset>
      <Narrowing value={value} onChange={onChange} />
      <When value={value} onChange={onChange} />
      <QuietHours value={value} onChange={onChange} />
    </div>
  );
}

function Narrowing({ value, onChange }: FieldsProps) {
  const agents = useQuery(agentsQuery()).data?.data ?? [];
  return (
    <>
      <Select
        label="Problems from"
        value={value.minSeverity ?? ''}
        onChange={({ target }) =>
          onChange({ ...value, minSeverity: SEVERITIES.find((each) => each === target.value) ?? null })
        }
      >
        <option value="">Any severity</option>
        {SEVERITIES.map((severity) => (
          <option key={severity} value={severity}>
            {words(severity)} {severity === 'critical' ? 'only' : 'and above'}
          </option>
        ))}
      </Select>
      <Select
        label="Agent"
        value={value.agentId ?? ''}
        onChange={({ target }) => onChange({ ...value, agentId: target.value === '' ? null : target.value })}
      >
        <option value="">All agents</option>
        {agents.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </>
  );
}

function digestOf(every: string): Digest {
  if (every === 'daily') return { every, hour: MORNING };
  if (every === 'weekly') return { every, hour: MORNING, day: 'monday' };
  return { every: 'immediate' };
}

function When({ value, onChange }: FieldsProps) {
  const { digest } = value;
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Select
        label="Sent"
        value={digest.every}
        onChange={({ target }) => onChange({ ...value, digest: digestOf(target.value) })}
      >
        <option value="immediate">At once</option>
        <option value="daily">Once a day</option>
        <option value="weekly">Once a week</option>
      </Select>
      {digest.every === 'weekly' && (
        <Select
          label="Day"
          value={digest.day}
          onChange={({ target }) =>
            onChange({
              ...value,
              digest: { ...digest, day: WEEKDAYS.find((each) => each === target.value) ?? digest.day },
            })
          }
        >
          {WEEKDAYS.map((day) => (
            <option key={day} value={day}>
              {words(day)}
            </option>
          ))}
        </Select>
      )}
      {digest.every !== 'immediate' && (
        <TextField
          label="Hour"
          type="number"
          min={0}
          max={23}
          required
          value={digest.hour}
          onChange={({ target }) => onChange({ ...value, digest: { ...digest, hour: Number(target.value) } })}
        />
      )}
    </div>
  );
}

const NIGHT = { from: '22:00', to: '07:00' };

function QuietHours({ value, onChange }: FieldsProps) {
  const { quietHours } = value;
  return (
    <>
      <CheckBox
        label="Quiet hours: what happens then comes together when they end"
        checked={quietHours !== null}
        onChange={({ target }) => onChange({ ...value, quietHours: target.checked ? NIGHT : null })}
      />
      <div className="grid gap-3 sm:grid-cols-3">
        {quietHours !== null && (
          <>
            <TextField
              label="From"
              type="time"
              required
              value={quietHours.from}
              onChange={({ target }) => onChange({ ...value, quietHours: { ...quietHours, from: target.value } })}
            />
            <TextField
              label="To"
              type="time"
              required
              value={quietHours.to}
              onChange={({ target }) => onChange({ ...value, quietHours: { ...quietHours, to: target.value } })}
            />
          </>
        )}
        <TextField
          label="Time zone"
          required
          value={value.timeZone}
          onChange={({ target }) => onChange({ ...value, timeZone: target.value })}
        />
      </div>
    </>
  );
}
