import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

const FLOAT = 'z-40 min-w-48 rounded-panel border border-line bg-raised p-1 text-sm shadow-float';

/** A button with its list, open from the beginning where somebody pressed it before this was loaded. */
export function MenuList({ trigger, isOpen, children }: { trigger: ReactNode; isOpen: boolean; children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen={isOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="start" sideOffset={6} collisionPadding={8} className={FLOAT}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({
  children,
  onSelect,
  chosen,
}: {
  children: ReactNode;
  onSelect: () => void;
  chosen?: boolean;
}) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={classes(
        'flex min-h-8 cursor-default items-center gap-2 rounded-control px-2 outline-none data-highlighted:bg-accent-soft',
        chosen && 'font-medium text-accent',
      )}
    >
      {children}
    </DropdownMenu.Item>
  );
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
