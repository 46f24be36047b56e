import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { ExternalLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { seconds } from './seconds.ts';

type System = Schemas['System'];

const REFRESH_MS = 15_000;

export function SystemPage() {
  const system = api.useQuery('get', '/app/system', {}, { refetchInterval: REFRESH_MS });
  return (
    <Page
      title="System"
      below="What is running, what is waiting, and how far behind it is. Refreshes every 15 seconds."
      actions={system.data?.temporalUi && <TemporalLink to={system.data.temporalUi} />}
    >
      <Loaded of={system}>
        {(data) => (
          <>
            <Panel>
              <ul className="divide-y divide-line/70">
                {linesOf(data).map((line) => (
                  <Line key={line.name} {...line} />
                ))}
              </ul>
            </Panel>
            {data.analyser.agentsBehind.length > 0 && <Behind agents={data.analyser.agentsBehind} />}
            {data.apis.some(({ host }) => host !== null) && <Check />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function TemporalLink({ to }: { to: string }) {
  return (
    <ExternalLink href={to} className="text-sm">
      Open the Temporal UI
    </ExternalLink>
  );
}

/** By admins of the installation: asks the model too, so only when somebody wants to know. */
function Check() {
  const [isWanted, setWanted] = useState(false);
  const check = api.useQuery('get', '/app/installation/check', {}, { enabled: isWanted, staleTime: 0 });
  return (
    <section className="mt-6">
      <h2 className="text-lg font-semibold">What it depends on</h2>
      <p className="mt-1 mb-3 max-w-[76ch] text-sm text-ink-2">
        Asks the database, Temporal, the model, mail, and sign-in, and compares every process. The model is asked one
        short question.
      </p>
      <Button busy={check.isFetching} onClick={() => (isWanted ? void check.refetch() : setWanted(true))}>
        Check now
      </Button>
      {isWanted && (
        <div className="mt-3">
          <Loaded of={check}>
            {({ findings }) => (
              <Panel>
                <ul className="divide-y divide-line/70">
                  {findings.map(({ name, state, says, todo }) => (
                    <Line
                      key={name}
                      name={name}
                      state={STATES[state]}
                      text={todo === null ? says : `${says}: ${todo}`}
                    />
                  ))}
                </ul>
              </Panel>
            )}
          </Loaded>
        </div>
      )}
    </section>
  );
}

type State = 'good' | 'waiting' | 'failing' | 'off';

const STATES = { fine: 'good', absent: 'off', wrong: 'failing' } as const;

interface SystemLine {
  name: string;
  state: State;
  text: string;
}

const TONES: Record<State, Tone> = { good: 'good', waiting: 'caution', failing: 'bad', off: 'neutral' };
const LABELS: Record<State, string> = { good: '✓ good', waiting: '… waiting', failing: '✕ failing', off: '– not set' };

function Line({ name, state, text }: SystemLine) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3">
      <span className="w-40 font-medium">{name}</span>
      <Chip tone={TONES[state]}>{LABELS[state]}</Chip>
      <span className="min-w-0 flex-1 basis-72 break-words text-ink-2">{text}</span>
    </li>
  );
}

/** Each part in words: green, waiting or failing. */
function linesOf({ workers, apis, orders, queues, lag, calls, imports, analyser }: System): SystemLine[] {
  return [
    processes('Workers', workers, 'No worker is running. Nothing is imported or analyzed until one starts.'),
    processes('API', apis, 'No API process gave a sign of life lately.'),
    orders === null
      ? { name: 'Orders', state: 'good', text: 'All start orders are taken.' }
      : {
          name: 'Orders',
          state: 'waiting',
          text: `${count(orders.waiting)} wait to be started, the oldest for ${seconds(orders.oldestSeconds)}.`,
        },
    queueLine(queues),
    lagLine(lag),
    {
      name: 'Calls',
      state: calls.failed > 0 ? 'failing' : calls.waiting > 0 ? 'waiting' : 'good',
      text: `${count(calls.analysed)} analyzed, ${count(calls.waiting)} waiting, ${count(calls.failed)} failed.`,
    },
    {
      name: 'Imports',
      state: imports.paused + imports.queued > 0 ? 'waiting' : 'good',
      text: `${count(imports.running)} running, ${count(imports.queued)} queued, ${count(imports.paused)} paused.`,
    },
    {
      name: 'Analyser',
      state: analyser.agentsBehind.length > 0 ? 'waiting' : 'good',
      text: `Version ${analyser.version} reads new calls.`,
    },
  ];
}

function processes(name: string, alive: System['workers'], none: string): SystemLine {
  if (alive.length === 0) return { name, state: 'failing', text: none };
  return { name, state: 'good', text: alive.map(nameOf).join(', ') };
}

/** Who does not run the installation sees that a process lives, not where. */
const nameOf = ({ pid, host }: System['workers'][number], at: number) =>
  host === null ? `process ${at + 1}` : `${host} (${pid})`;

function queueLine(queues: System['queues']): SystemLine {
  const name = 'Queues';
  if (queues === null) return { name, state: 'failing', text: 'Temporal does not answer.' };
  const waiting = queues.filter((queue) => queue.waiting > 0);
  if (waiting.length === 0) return { name, state: 'good', text: 'Nothing waits.' };
  const text = waiting
    .map((queue) => `${queue.name} (${queue.kind}): ${count(queue.waiting)}, for ${seconds(queue.oldestSeconds)}`)
    .join('; ');
  return { name, state: 'waiting', text };
}

function lagLine(lag: System['lag']): SystemLine {
  const name = 'Lag';
  if (lag === null) return { name, state: 'good', text: 'Nothing lags.' };
  const { importSeconds, analysisSeconds, waitingImports } = lag;
  const parts = [
    importSeconds !== null && `The agent furthest behind its platform is ${seconds(importSeconds)} behind.`,
    analysisSeconds !== null && `The oldest call waits for its analysis for ${seconds(analysisSeconds)}.`,
    waitingImports > 0 && `Imports that wait for a platform or a person: ${count(waitingImports)}.`,
  ].filter((part) => part !== false);
  return {
    name,
    state: waitingImports > 0 || analysisSeconds !== null ? 'waiting' : 'good',
    text: parts.join(' ') || 'Nothing lags.',
  };
}

function Behind({ agents }: { agents: string[] }) {
  return (
    <p className="mt-4 max-w-[76ch] text-sm text-ink-2">
      An earlier analyser read calls of{' '}
      {agents.map((agentId, at) => (
        <TextLink key={agentId} to="/a/$agentId/settings" params={{ agentId }} className="mr-2">
          agent {at + 1}
        </TextLink>
      ))}
      : a re-analysis in their settings reads them again.
    </p>
  );
}
