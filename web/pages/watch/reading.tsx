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
  const { scope, expectation, inWords, needsModel, unread, nearest, problem } = reading;
  return (
    <>
      <p className="font-medium break-words">{inWords}</p>
      {needsModel ? (
        <p>
          <Chip tone="caution">needs a model</Chip> Code does not decide all of it. Name a tool, a step, an outcome, a
          figure, or the words to be said.
        </p>
      ) : (
        <p>
          <Chip tone="good">decided by code</Chip>
        </p>
      )}
      {unread.length > 0 && (
        <p className="break-words text-caution">Not read: {unread.map((text) => `“${text}”`).join(', ')}</p>
      )}
      {nearest && (
        <p className="break-words">
          Without {unread.length === 1 ? 'it' : 'them'}, code decides this: {nearest.inWords}
        </p>
      )}
      {problem && <p className="break-words text-bad">{problem.message}</p>}
      <details>
        <summary className="w-fit text-ink-2 hover:text-ink">As code</summary>
        <CodeForm code={scope.code} />
        <CodeForm code={expectation.code} />
      </details>
    </>
  );
}
