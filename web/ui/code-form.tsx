import { words } from '../format.ts';

export type Code = { kind: string } & Record<string, unknown>;

/** The form that code decides: its kind, and what it is about. */
export function CodeForm({ code }: { code: Code }) {
  const { kind, ...about } = code;
  const given = Object.entries(about).filter(([, value]) => value !== null);
  return (
    <dl className="mt-2 flex flex-wrap items-baseline gap-x-3 gap-y-1 text-xs">
      <dt className="sr-only">In code</dt>
      <dd className="rounded-control bg-sunken px-1.5 py-0.5 font-mono">{kind}</dd>
      {given.map(([name, value]) => (
        <div key={name} className="flex min-w-0 items-baseline gap-1.5">
          <dt className="text-ink-2">{words(name).toLowerCase()}</dt>
          <dd className="font-mono break-all">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
