import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { BRIEF_PARTS, type BriefPart, differenceOf } from './brief-parts.ts';

type Brief = Schemas['Brief'];

interface BriefChangesProps {
  brief: Brief;
  changes: Partial<Brief>;
  unless: string | null;
}

/** What an answer would change of the brief, part by part. */
export function BriefChanges({ brief, changes, unless }: BriefChangesProps) {
  const agent = useAgent();
  const change = useChange();
  const edit = api.useMutation('patch', '/app/agents/{agentId}/brief');
  const [taken, setTaken] = useState<BriefPart[]>([]);
  const parts = BRIEF_PARTS.filter(({ name }) => changes[name] !== undefined);
  const left = parts.map(({ name }) => name).filter((name) => !taken.includes(name));
  const take = async (names: BriefPart[]) => {
    const body = Object.fromEntries(names.map((name) => [name, changes[name]]));
    if (await change(edit.mutateAsync({ params: { path: { agentId: agent.id } }, body })))
      setTaken([...taken, ...names]);
  };
  return (
    <div className="space-y-3">
      {parts.map(({ name, title }) => (
        <section key={name} aria-label={`Change of ${title}`} className="rounded-control border border-line p-3">
          <div className="mb-2 flex flex-wrap items-center gap-2">
            <h3 className="mr-auto text-sm font-semibold">{title}</h3>
            {taken.includes(name) ? (
              <span role="status" className="text-sm text-good">
                ✓ Taken over
              </span>
            ) : (
              <Button unless={unless} busy={edit.isPending} onClick={() => void take([name])}>
                Take over
              </Button>
            )}
          </div>
          {!taken.includes(name) && <Difference lines={differenceOf(name, brief, changes)} />}
        </section>
      ))}
      {left.length > 1 && (
        <Button unless={unless} busy={edit.isPending} onClick={() => void take(left)}>
          Take over all
        </Button>
      )}
      <RefusalNote error={edit.error} />
    </div>
  );
}

const LOOKS = { gone: 'text-bad', new: 'text-good' } as const;
const SIGNS = { gone: '−', new: '+' } as const;

function Difference({ lines }: { lines: ReturnType<typeof differenceOf> }) {
  if (lines.length === 0) return <p className="text-sm text-ink-2">As it is now, but for the order or details.</p>;
  return (
    <ul className="space-y-1 text-sm">
      {lines.map(({ kind, text }) => (
        <li key={`${kind} ${text}`} className="flex gap-2">
          <span className={LOOKS[kind]}>
            {SIGNS[kind]}
            <span className="sr-only">{kind}:</span>
          </span>
          <span className="min-w-0 break-words">{text}</span>
        </li>
      ))}
    </ul>
  );
}
