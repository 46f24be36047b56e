import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { Panel, Section } from '../../ui/panel.tsx';

type Watch = Schemas['Watch'];

/** On which calls, and what is expected there: as people say it, and as code decides it. */
export function Form({ watch, sourceNote }: { watch: Watch; sourceNote: string | null }) {
  const { scope, expectation, source } = watch;
  return (
    <Section title="What is expected">
      <Panel className="divide-y divide-line/70">
        <Part name="On which calls" text={scope.text} code={scope.code} />
        <Part
          name={expectation.polarity === 'must' ? 'Must hold' : 'Must not happen'}
          text={expectation.text}
          code={expectation.code}
        />
        {source && (
          <div className="p-4">
            <p className="text-sm text-ink-2">
              Read from line {source.line} of {source.step ? `the step “${source.step}”` : 'the prompt'}, version{' '}
              {source.agentVersion}
              {!source.verbatim && ': it does not stand there any more'}
            </p>
            {sourceNote && <p className="mt-1 max-w-[72ch] text-sm break-words">{sourceNote}</p>}
          </div>
        )}
      </Panel>
    </Section>
  );
}

function Part({ name, text, code }: { name: string; text: string; code: Code }) {
  return (
    <div className="p-4">
      <p className="text-sm text-ink-2">{name}</p>
      <p className="max-w-[72ch] break-words">{text}</p>
      <CodeForm code={code} />
    </div>
  );
}

type Code = { kind: string } & Record<string, unknown>;

/** The form that code decides: its kind, and what it is about. */
export function CodeForm({ code }: { code: Code }) {
  const { kind, ...about } = code;
  const given = Object.entries(about).filter(([, value]) => value !== null);
  return (
    <dl className="mt-2 flex flex-wrap items-baseline gap-x-3 gap-y-1 text-xs">
      <dt className="sr-only">In code</dt>
      <dd className="rounded-control bg-sunken px-1.5 py-0.5 font-mono">{kind}</dd>
      {given.map(([name, value]) => (
        <div key={name} className="flex min-w-0 items-baseline gap-1.5">
          <dt className="text-ink-2">{words(name).toLowerCase()}</dt>
          <dd className="font-mono break-all">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
