import { DASH, shortly, when } from '../format.ts';

/** In the reader's zone, with the exact UTC value beside it. */
export function Time({ at, short }: { at: string | null; short?: boolean }) {
  if (at === null) return <span>{DASH}</span>;
  return (
    <time dateTime={at} title={at.replace('T', ' ').replace('Z', ' UTC')} className="whitespace-nowrap">
      {short ? shortly(at) : when(at)}
    </time>
  );
}
