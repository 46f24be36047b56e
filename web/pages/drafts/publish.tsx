import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { count, words } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RefusalNote } from '../../ui/states.tsx';

type Draft = Schemas['Draft'];

interface PublishProps {
  draft: Draft;
  unless: string | null;
}

/** The text goes live at the platform: what exactly, and what its tests said, stands before the button. */
export function Publish({ draft, unless }: PublishProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind="primary" unless={unless ?? draft.publishBlockedReason} onClick={() => setAsking(true)}>
        Publish
      </Button>
      {asking && <Sheet draft={draft} onClose={() => setAsking(false)} />}
    </>
  );
}

function Sheet({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const agent = useAgent();
  const change = useChange();
  const publish = api.useMutation('post', '/app/agents/{agentId}/drafts/{draftId}/publish');
  // What was looked at is what is confirmed, also when the draft changes underneath.
  const [seen] = useState({ draftHash: draft.draftHash, revision: draft.revision });
  const run = async () => {
    const params = { path: { agentId: agent.id, draftId: draft.id } };
    if (await change(publish.mutateAsync({ params, body: seen }))) onClose();
  };
  return (
    <Dialog title="Publish this text?" onClose={onClose}>
      <p className="text-ink-2">
        It is written to {agent.name} at {words(agent.provider)} and answers every new call from then on. First the
        platform is read once more: if it says something else than version {draft.baseVersion}, nothing is written.
      </p>
      <Consequences draft={draft} seen={seen} />
      <RefusalNote error={publish.error} />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button kind="primary" busy={publish.isPending} onClick={() => void run()}>
          {`Publish revision ${seen.revision}`}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

function Consequences({ draft, seen }: { draft: Draft; seen: { draftHash: string; revision: number } }) {
  const { diff, evidence, quickChecks } = draft;
  const passed = evidence.tests.filter(({ result }) => result === 'passed').length;
  const broken = quickChecks.filter(({ ok }) => !ok);
  return (
    <dl className="my-4 grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-2 text-sm">
      <dt className="text-ink-2">Changes</dt>
      <dd>{diff.map(({ label }) => label).join(', ')}</dd>
      <dt className="text-ink-2">Tests</dt>
      <dd>
        {count(passed)} of {count(evidence.tests.length)} passed on exactly this text
      </dd>
      <dt className="text-ink-2">Rules</dt>
      <dd>{broken.length === 0 ? 'All hold' : `Do not hold: ${broken.map(({ label }) => label).join('; ')}`}</dd>
      <dt className="text-ink-2">Revision</dt>
      <dd>{seen.revision}</dd>
      <dt className="text-ink-2">Hash</dt>
      <dd className="font-mono text-xs break-all">{seen.draftHash}</dd>
    </dl>
  );
}

/** Of a draft that was published and stands. */
export function RollBack({ draft, unless }: PublishProps) {
  const agent = useAgent();
  const change = useChange();
  const rollBack = api.useMutation('post', '/app/agents/{agentId}/drafts/{draftId}/rollback');
  const params = { path: { agentId: agent.id, draftId: draft.id } };
  return (
    <Confirm
      button="Roll back"
      kind="danger"
      unless={unless}
      title={`Roll back version ${draft.publishedVersion}?`}
      does="Roll back"
      error={rollBack.error}
      busy={rollBack.isPending}
      onConfirm={() => change(rollBack.mutateAsync({ params }))}
    >
      The text of version {draft.baseVersion} is written to {agent.name} at {words(agent.provider)} again, and becomes
      live as another version. Nothing is written where somebody has changed the agent since.
    </Confirm>
  );
}
