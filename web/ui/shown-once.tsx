import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';

interface ShownOnceProps {
  title: string;
  value: string;
  children: ReactNode;
  onClose: () => void;
}

/** A secret that the server gives this once. */
export function ShownOnce({ title, value, children, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose} firm>
      <p className="mb-3 text-ink-2">{children}</p>
      <p className="mb-4 rounded-control bg-sunken p-3 font-mono text-sm break-all">{value}</p>
      <div className="flex gap-2">
        <CopyButton text={value}>Copy</CopyButton>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
