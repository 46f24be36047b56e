import type { Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { classes } from '../../ui/classes.ts';
import { Panel, Section } from '../../ui/panel.tsx';

type Diff = Schemas['Draft']['diff'];
type Line = Diff[number]['lines'][number];

/** What differs from the base, place by place; signs say what the colours repeat. */
export function DraftDiff({ diff }: { diff: Diff }) {
  return (
    <Section title="What changes" note={`${count(diff.length)} ${diff.length === 1 ? 'place' : 'places'}`}>
      {diff.length === 0 && <p className="text-ink-2">Nothing differs from the base yet.</p>}
      <div className="space-y-3">
        {diff.map(({ path, label, lines }) => (
          <Panel key={path}>
            <h3 className="border-b border-line/70 px-4 py-2 text-sm font-medium">
              {label} <code className="font-mono text-xs text-ink-2">{path}</code>
            </h3>
            <div
              className="overflow-x-auto p-2 font-mono text-xs"
              tabIndex={0}
              role="group"
              aria-label={`Lines of ${label}`}
            >
              {lines.length === 0 && <p className="px-2 py-1 text-ink-2">Only blanks differ.</p>}
              {lines.map((line) => (
                <Rewritten key={`${line.before?.line} ${line.after?.line}`} line={line} />
              ))}
            </div>
          </Panel>
        ))}
      </div>
    </Section>
  );
}

function Rewritten({ line: { before, after } }: { line: Line }) {
  return (
    <>
      {before && <DiffLine sign="−" side={before} look="bg-bad-soft" />}
      {after && <DiffLine sign="+" side={after} look="bg-good-soft" />}
    </>
  );
}

function DiffLine({ sign, side, look }: { sign: string; side: { line: number; text: string }; look: string }) {
  return (
    <p className={classes('flex gap-3 px-2 py-0.5', look)}>
      <span className="w-8 shrink-0 text-right text-ink-2">{side.line}</span>
      <span>{sign}</span>
      <span className="break-words whitespace-pre-wrap">{side.text}</span>
    </p>
  );
}
