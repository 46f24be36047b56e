import type { ReactNode } from 'react';
import type { Schemas } from '../../client/api.ts';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';

type Draft = Schemas['Draft'];

/** Where the text stands on its way to the platform, where it has left. */
export function Progress({ draft }: { draft: Draft }) {
  const { status, publishedVersion, publishedAt, rolledBackVersion, rolledBackAt, publishFailure } = draft;
  if (status === 'publishing') {
    return (
      <Note tone="caution" live>
        {publishedVersion === null ? 'It is being published.' : 'It is being taken back.'} The platform is read, written
        and read back; the page follows by itself. It ends with the new text live, or with the one from before and the
        reason.
      </Note>
    );
  }
  if (publishFailure !== null) {
    return <Note tone="bad">The last publish came to nothing: {publishFailure}</Note>;
  }
  if (rolledBackAt !== null) {
    return (
      <Note>
        Taken back on <Time at={rolledBackAt} />
        {rolledBackVersion !== null && `, as version ${rolledBackVersion}`}.
      </Note>
    );
  }
  if (publishedAt === null) return null;
  return (
    <Note tone="good">
      Live as version {publishedVersion} since <Time at={publishedAt} />. Its calls are counted under that version.
    </Note>
  );
}

interface NoteProps {
  children: ReactNode;
  tone?: 'good' | 'bad' | 'caution' | 'plain';
  live?: boolean;
}

function Note({ children, tone = 'plain', live }: NoteProps) {
  return (
    <Panel tone={tone} className="mb-6 p-4">
      <p className="max-w-[76ch]" role={live ? 'status' : undefined}>
        {children}
      </p>
    </Panel>
  );
}
