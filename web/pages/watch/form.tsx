import type { Schemas } from '../../client/api.ts';
import { type Code, CodeForm } from '../../ui/code-form.tsx';
import { Panel, Section } from '../../ui/panel.tsx';

type Watch = Schemas['Watch'];

/** On which calls, and what is expected there: as people say it, and as code decides it. */
export function Form({ watch, sourceNote }: { watch: Watch; sourceNote: string | null }) {
  const { scope, expectation, source } = watch;
  return (
    <Section title="What is expected">
      <Panel className="divide-y divide-line/70">
        <p className="max-w-[72ch] p-4 font-medium break-words">{watch.inWords}</p>
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
