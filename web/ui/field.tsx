import { type ComponentProps, type ReactNode, useId } from 'react';

export const INPUT =
  'w-full rounded-control border border-control bg-surface px-2.5 py-1.5 text-md text-ink placeholder:text-ink-3';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null;
}

interface Described {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

function Labelled({ label, hint, error, children }: FieldProps & { children: (described: Described) => ReactNode }) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {note && (
        <p id={`${id}-note`} className={error ? 'text-sm text-bad' : 'text-sm text-ink-2'}>
          {note}
        </p>
      )}
    </div>
  );
}

type Own<T extends 'input' | 'textarea' | 'select'> = FieldProps & Omit<ComponentProps<T>, 'id' | 'className'>;

export function TextField({ label, hint, error, ...props }: Own<'input'>) {
  return (
    <Labelled label={label} hint={hint} error={error ?? null}>
      {(described) => <input {...props} {...described} className={`${INPUT} read-only:bg-sunken`} />}
    </Labelled>
  );
}

export function TextArea({ label, hint, error, ...props }: Own<'textarea'>) {
  return (
    <Labelled label={label} hint={hint} error={error ?? null}>
      {(described) => <textarea rows={3} {...props} {...described} className={`${INPUT} read-only:bg-sunken`} />}
    </Labelled>
  );
}

export function Select({ label, hint, error, children, ...props }: Own<'select'>) {
  return (
    <Labelled label={label} hint={hint} error={error ?? null}>
      {(described) => (
        <select {...props} {...described} className={INPUT}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

export function CheckBox({ label, ...props }: { label: string } & Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  return (
    <label className="flex min-h-7 items-center gap-2 text-sm">
      <input {...props} type="checkbox" className="size-4 shrink-0 accent-accent" />
      {label}
    </label>
  );
}
