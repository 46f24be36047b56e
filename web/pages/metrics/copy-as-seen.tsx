import { CopyButton } from '../../ui/copy.tsx';
import { addressAsSeen } from './filters.ts';

/** A link whose figures stay those of the days that are looked at now. */
export function CopyAsSeen({ of: seen }: { of: { from: string | null; to: string | null } }) {
  return <CopyButton text={() => addressAsSeen(seen)}>Copy as seen</CopyButton>;
}
