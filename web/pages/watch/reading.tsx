import type { Schemas } from '../../client/api.ts';
import { Chip } from '../../ui/chip.tsx';
import { CodeForm } from '../../ui/code-form.tsx';
import { Panel } from '../../ui/panel.tsx';

/** What rules make of the words, and what stands in the way. */
export function Reading({ reading }: { reading: Schemas['WatchReading'] | undefined }) {
  return (
    <Panel className="h-fit p-4">
      <h2 className="mb-2 text-md font-semibold">How it is read</h2>
      <div aria-live="polite" className="space-y-3 text-sm">
        {reading ? (
          <Read reading={reading} />
        ) : (
          <p className="text-ink-2">Press “See how it is read”: nothing is kept by it, and it costs nothing.</p>
        )}
      </div>
    </Panel>
  );
}

function Read({ reading }: { reading: Schemas['WatchReading'] }) {
  const { scope, expectation, needsModel, unread, problem } = reading;
  return (
    <>
      <div>
        <p className="text-ink-2">On which calls</p>
        <p className="break-words">{scope.text}</p>
        <CodeForm code={scope.code} />
      </div>
      <div>
        <p className="text-ink-2">{expectation.polarity === 'must' ? 'Must hold' : 'Must not happen'}</p>
        <CodeForm code={expectation.code} />
      </div>
      {needsModel ? (
        <p>
          <Chip tone="caution">needs a model</Chip> No form was found that code decides. Name a tool, a step, an
          outcome, or the words to be said.
        </p>
      ) : (
        <p>
          <Chip tone="good">decided by code</Chip>
        </p>
      )}
      {unread.map((text) => (
        <p key={text} className="break-words text-caution">
          Could not be put into code: “{text}”. Make it a watch of its own.
        </p>
      ))}
      {problem && <p className="break-words text-bad">{problem.message}</p>}
    </>
  );
}
