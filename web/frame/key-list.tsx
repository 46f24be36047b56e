import { Dialog } from '../ui/dialog.tsx';
import { PLACES } from './places.ts';

const KEYS: [keys: string, does: string][] = [
  ['/ or Ctrl K', 'Search and commands'],
  ...PLACES.map(({ key, label }): [string, string] => [`g ${key}`, `Go to ${label.toLowerCase()}`]),
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select and clear the row, on the issues'],
  ['a s i', 'Assign to me, snooze for a week, investigating: the selected issues'],
  ['n p', 'Next and previous call, on an issue or a call'],
  ['[ ]', 'Previous and next signal, on a call'],
  ['Space', 'Play and pause the recording, on a call'],
  ['y n s u', 'Right, wrong, skip, back, on a sample of a watch'],
  ['.', 'Open and close the copilot'],
  ['?', 'This list'],
];

export default function KeyList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="grid grid-cols-[8rem_1fr] gap-y-2">
        {KEYS.map(([keys, does]) => (
          <div key={keys} className="contents">
            <dt className="font-mono text-sm">{keys}</dt>
            <dd className="text-ink-2">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
