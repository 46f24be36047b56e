import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { RefusalNote } from './states.tsx';

interface ConfirmProps {
  /** On the button that asks. */
  button: string;
  /** Its whole name where the button stands in a list: "Remove Ada". */
  label?: string;
  kind?: 'quiet' | 'plain' | 'danger';
  unless?: string | null;
  title: string;
  /** What happens, in a sentence. */
  children: ReactNode;
  /** On the button that does it. */
  does: string;
  error: unknown;
  busy: boolean;
  /** Nothing is lost by it. */
  isSafe?: boolean;
  /** @returns null where it was refused: the question stays open. */
  onConfirm: () => Promise<unknown>;
}

/** A button whose deed cannot be taken back, and the question before it. */
export function Confirm({
  button,
  label,
  kind = 'quiet',
  unless,
  title,
  children,
  does,
  isSafe,
  ...deed
}: ConfirmProps) {
  const [asking, setAsking] = useState(false);
  const confirm = async () => {
    if ((await deed.onConfirm()) !== null) setAsking(false);
  };
  return (
    <>
      <Button kind={kind} unless={unless} onClick={() => setAsking(true)} {...(label ? { label } : {})}>
        {button}
      </Button>
      {asking && (
        <Dialog title={title} onClose={() => setAsking(false)}>
          <div className="mb-4 text-ink-2">{children}</div>
          <RefusalNote error={deed.error} />
          <div className="mt-4 flex gap-2">
            <Button kind={isSafe ? 'primary' : 'danger'} busy={deed.busy} onClick={() => void confirm()}>
              {does}
            </Button>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
