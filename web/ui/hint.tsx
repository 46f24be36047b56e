import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

/** A sentence on hover and focus. */
export function Hint({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-w-80 rounded-control border border-line bg-raised px-2.5 py-1.5 text-sm text-ink shadow-float"
        >
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** Words that explain themselves on hover and focus. */
export function Hinted({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Hint text={text}>
      <span tabIndex={0} className="underline decoration-control decoration-dotted underline-offset-3">
        {children}
      </span>
    </Hint>
  );
}
