import { Wrench } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { duration, latency } from '../../format.ts';
import { Chip } from '../../ui/chip.tsx';
import { classes } from '../../ui/classes.ts';
import type { AnswerTime } from './answer-times.ts';
import { ClaimNote } from './claim-note.tsx';

type Turn = Schemas['Turn'];
type Signal = Schemas['DetectedSignal'];

interface TurnRowProps {
  turn: Turn;
  /** What spoke here where it was a machine; null where it was a person. */
  machine: string | null;
  /** The step that begins here; null where it goes on. */
  step: string | null;
  answer: AnswerTime | undefined;
  claims: Schemas['Claim'][];
  signals: Signal[];
  chosen: boolean;
  /** The recording is at it. */
  isPlayed: boolean;
  onChoose: (turn: number) => void;
}

const who = ({ role, keys }: Turn) => (keys === null ? WHO[role] : 'Keypad');

const WHO: Record<Turn['role'], string> = { caller: 'Caller', agent: 'Agent', tool: 'Tool', other: 'Other voice' };

export function TurnRow({ turn, machine, step, answer, claims, signals, chosen, isPlayed, onChoose }: TurnRowProps) {
  const { index, role, startMs } = turn;
  const isTool = turn.toolCall !== null || turn.toolResult !== null;
  return (
    <li
      id={`turn-${index}`}
      tabIndex={-1}
      aria-current={isPlayed ? 'time' : undefined}
      className={classes(
        'group grid grid-cols-[5.75rem_minmax(0,1fr)] gap-x-3 rounded-panel px-2 py-1 [contain-intrinsic-size:auto_34px] [content-visibility:auto]',
        chosen && 'bg-accent-soft',
        isPlayed && 'outline-2 -outline-offset-2 outline-accent',
        step && 'mt-2',
      )}
    >
      <div className={classes('flex items-start gap-2 text-xs leading-6 text-ink-2', step && 'pt-4')}>
        <button
          type="button"
          className="min-h-6 w-9 shrink-0 text-right text-ink-2 hover:text-accent"
          onClick={() => onChoose(index)}
        >
          {startMs === null ? index : duration(startMs)}
          <span className="sr-only"> link to turn {index}</span>
        </button>
        <span className={role === 'caller' ? 'font-semibold text-ink' : ''}>
          {isTool ? '' : (machine ?? who(turn))}
        </span>
      </div>
      <div className="min-w-0">
        {step && <p className="text-xs text-ink-2">{step}</p>}
        {isTool ? <ToolTurn turn={turn} signals={signals} /> : <Spoken turn={turn} signals={signals} />}
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-2">
          {answer && (
            <span title="From the times of turns">
              answered after {latency(answer.waitedMs)}
              {answer.toolMs > 0 && `, ${latency(answer.toolMs)} of it a tool`}
            </span>
          )}
          {signals.map(({ code, title, severity }) => (
            <Chip key={code} tone={severity === 'low' ? 'caution' : 'bad'}>
              {title}
            </Chip>
          ))}
        </div>
        {claims.map((claim) => (
          <ClaimNote key={`${claim.kind} ${claim.text}`} claim={claim} onChoose={onChoose} />
        ))}
      </div>
    </li>
  );
}

function Spoken({ turn, signals }: { turn: Turn; signals: Signal[] }) {
  const quotes = signals.map(({ evidenceQuote }) => evidenceQuote);
  if (turn.keys !== null) {
    return (
      <p className="text-sm">
        Pressed <kbd className="rounded-control bg-sunken px-1 font-mono text-xs">{turn.keys}</kbd>
      </p>
    );
  }
  if (turn.wordsMissing) return <p className="text-sm text-ink-2 italic">Spoke; the words are missing.</p>;
  return (
    <p className={classes('max-w-[76ch] text-quote break-words', turn.role === 'agent' && 'text-ink-2')}>
      {marked(turn.text, quotes)}
    </p>
  );
}

/** The text with the first quote that it holds set off. */
function marked(text: string, quotes: string[]) {
  const quote = quotes.find((each) => each !== '' && text.includes(each));
  if (quote === undefined) return text;
  const at = text.indexOf(quote);
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-sm bg-bad-soft text-bad">{quote}</mark>
      {text.slice(at + quote.length)}
    </>
  );
}

function ToolTurn({ turn, signals }: { turn: Turn; signals: Signal[] }) {
  const { toolCall, toolResult } = turn;
  const open = signals.length > 0 || toolResult?.ok === false;
  const shown = toolCall ? toolCall.args : toolResult?.body;
  return (
    <details className="text-sm" open={open}>
      <summary className="flex min-h-6 flex-wrap items-center gap-x-2 text-ink-2">
        <Wrench size={13} aria-hidden />
        <code className="font-mono text-xs">{toolCall?.name ?? toolResult?.name ?? 'tool'}</code>
        {toolCall ? 'is called' : <ToolOutcome result={toolResult} />}
      </summary>
      <pre
        className="mt-1 max-h-72 max-w-[90ch] overflow-auto rounded-control bg-sunken p-2 font-mono text-xs whitespace-pre-wrap break-words"
        tabIndex={0}
      >
        {typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2)}
      </pre>
    </details>
  );
}

const VERDICTS = { ok: 'answers', refused: 'says no' };

function ToolOutcome({ result }: { result: Turn['toolResult'] }) {
  if (!result) return null;
  return (
    <>
      {result.verdict === 'failed' ? (
        <Chip tone="bad">✕ failed</Chip>
      ) : result.verdict === 'unknown' ? (
        <Chip>success unknown</Chip>
      ) : (
        VERDICTS[result.verdict]
      )}
      {result.latencyMs !== null && <span>after {latency(result.latencyMs)}</span>}
    </>
  );
}
