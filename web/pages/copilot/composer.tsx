import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';

interface ComposerProps {
  unless: string | null;
  answering: boolean;
  /** @returns whether it was taken; what was refused stays in the field. */
  onAsk: (question: string) => Promise<boolean>;
  onStop: () => void;
}

export function Composer({ unless, answering, onAsk, onStop }: ComposerProps) {
  const [text, setText] = useState('');
  const ask = async () => {
    const question = text.trim();
    if (question === '' || unless || answering) return;
    setText('');
    if (!(await onAsk(question))) setText((since) => since || question);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void ask();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void ask();
  };
  return (
    <form onSubmit={submit} className="space-y-2 border-t border-line p-3">
      <TextArea
        label="Question"
        rows={2}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKey}
      />
      <div className="flex items-center gap-2">
        {answering ? (
          <Button onClick={onStop}>Stop</Button>
        ) : (
          <Button type="submit" kind="primary" unless={unless}>
            Ask
          </Button>
        )}
        <span className="text-xs text-ink-2">Shift Enter for a new line</span>
      </div>
    </form>
  );
}
