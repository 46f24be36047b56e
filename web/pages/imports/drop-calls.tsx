import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ChangeEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { sendsCalls } from '../../../src/domain/vocabulary.ts';
import { uploadCalls } from '../../client/upload-calls.ts';
import { useChange } from '../../client/use-change.ts';
import { readOnlyReason, type ShownAgent, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { platformName } from '../connect/platforms.ts';

/** Null where files of calls can be uploaded. */
export function whyNoUpload(agent: ShownAgent): string | null {
  if (!sendsCalls(agent.provider)) return `The calls of ${agent.name} come from ${platformName(agent.provider)}.`;
  return readOnlyReason(agent);
}

/** A button that takes files of calls; they can also be dropped anywhere on the page that it stands on. */
export function DropCalls() {
  const agent = useAgent();
  const change = useChange();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const upload = useMutation({ mutationFn: (files: File[]) => uploadCalls(agent.id, files) });
  const unless = whyNoUpload(agent);
  const take = useEffectEvent(async (files: FileList | null) => {
    setOver(false);
    if (unless !== null || upload.isPending || !files || files.length === 0) return;
    const started = await change(upload.mutateAsync([...files]));
    if (!started) return;
    await navigate({ to: '/a/$agentId/imports/$importId', params: { agentId: agent.id, importId: started.id } });
  });
  useEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Else the browser would open the file in the place of the page.
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      void take(event.dataTransfer?.files ?? null);
    };
    document.addEventListener('dragover', onOver);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, []);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    void take(event.target.files);
    event.target.value = '';
  };
  return (
    <>
      <RefusalNote error={upload.error} />
      <input
        ref={input}
        type="file"
        multiple
        accept=".jsonl,.ndjson,.json"
        aria-label="Files of calls"
        className="hidden"
        onChange={choose}
      />
      {sendsCalls(agent.provider) && (
        <Button unless={unless} busy={upload.isPending} onClick={() => input.current?.click()}>
          {upload.isPending ? 'Uploading…' : 'Upload calls'}
        </Button>
      )}
      {over && (
        <div
          role="status"
          className="pointer-events-none fixed inset-4 z-50 grid place-items-center rounded-panel border-2 border-dashed border-accent bg-accent-soft/90 p-6 text-center text-lg font-medium text-accent"
        >
          {unless ?? `Drop files of calls to import them into ${agent.name}`}
        </div>
      )}
    </>
  );
}
