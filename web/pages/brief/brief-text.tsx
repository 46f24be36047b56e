import type { ReactNode } from 'react';
import type { Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { Chip } from '../../ui/chip.tsx';
import { Section } from '../../ui/panel.tsx';

type Brief = Schemas['Brief'];

/** The brief as it was read, the agent's own words word for word. */
export function BriefText({ brief }: { brief: Brief }) {
  const { purpose, steps, tools, rules } = brief;
  return (
    <div className="min-w-0">
      <Section title="Purpose">
        <p className="max-w-[72ch] whitespace-pre-wrap break-words">{purpose ?? 'Not known.'}</p>
      </Section>
      <Items title="Rules of its text" empty="No line of the text reads like a rule." items={rules}>
        {({ line, text, polarity }) => (
          <li key={`${line} ${text}`} className="flex gap-3">
            <span className="w-14 shrink-0 text-right text-ink-2">line {line}</span>
            <span className="min-w-0 break-words">
              {polarity === 'must_not' && <Chip tone="caution">must not</Chip>} {text}
            </span>
          </li>
        )}
      </Items>
      <Items title="Steps" empty="The agent is one prompt, without steps." items={steps}>
        {({ id, label }) => <li key={id}>{label}</li>}
      </Items>
      <Items title="Tools" empty="The agent has no tools." items={tools}>
        {({ name, description }) => (
          <li key={name} className="break-words">
            <code className="font-mono text-xs">{name}</code> <span className="text-ink-2">{description}</span>
          </li>
        )}
      </Items>
    </div>
  );
}

interface ItemsProps<T> {
  title: string;
  empty: string;
  items: T[];
  children: (item: T) => ReactNode;
}

function Items<T>({ title, empty, items, children }: ItemsProps<T>) {
  return (
    <Section title={title} note={items.length > 0 ? count(items.length) : undefined}>
      {items.length === 0 ? (
        <p className="text-ink-2">{empty}</p>
      ) : (
        <ul className="space-y-1 text-sm">{items.map(children)}</ul>
      )}
    </Section>
  );
}
