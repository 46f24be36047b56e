import { type ReactNode, useEffect } from 'react';
import { BASE } from '../../client/base-path.ts';
import { Panel } from '../../ui/panel.tsx';

/** The page in front of everything: a name, a form, nothing else. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Earshot`;
  }, [title]);
  return (
    <main className="mx-auto flex min-h-screen w-full max-w-sm flex-col justify-center px-4 py-12">
      <p className="mb-6 flex items-center gap-2 font-semibold">
        <img src={`${BASE}/icon.svg`} alt="" width={24} height={24} />
        Earshot
      </p>
      <Panel className="p-6">
        <h1 className="mb-4 text-xl font-semibold">{title}</h1>
        {children}
      </Panel>
    </main>
  );
}
