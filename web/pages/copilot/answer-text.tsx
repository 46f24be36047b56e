import { Fragment, type ReactNode } from 'react';
import type { Citation } from './answer.ts';
import { CitationMark } from './citation-link.tsx';

interface AnswerTextProps {
  agentId: string;
  text: string;
  citations: readonly Citation[];
}

const PIECE = /(\[\^\d+\]|\*\*[^*\n]+\*\*|`[^`\n]+`)/;
const LIST_LINE = /^\s*(?:[-*•]|\d+[.)])\s+/;

/** What the copilot said: paragraphs, lists and marks of its sources. Any other markup stays the characters it is. */
export function AnswerText({ text, ...rest }: AnswerTextProps) {
  return (
    <div className="space-y-2 break-words">
      {text
        .trim()
        .split(/\n{2,}/)
        .map((paragraph, at) => (
          <Paragraph key={`${at} ${paragraph.slice(0, 20)}`} text={paragraph} {...rest} />
        ))}
    </div>
  );
}

function Paragraph({ text, ...rest }: AnswerTextProps) {
  const lines = text.split('\n');
  if (!lines.every((line) => LIST_LINE.test(line))) {
    return (
      <p className="whitespace-pre-line">
        <Pieces text={text.replaceAll(/^#+ /gm, '')} {...rest} />
      </p>
    );
  }
  return (
    <ul className="list-disc space-y-1 pl-5">
      {lines.map((line, at) => (
        <li key={`${at} ${line.slice(0, 20)}`}>
          <Pieces text={line.replace(LIST_LINE, '')} {...rest} />
        </li>
      ))}
    </ul>
  );
}

function Pieces({ text, ...rest }: AnswerTextProps) {
  return text.split(PIECE).map((piece, at) => <Fragment key={`${at} ${piece}`}>{pieceOf(piece, rest)}</Fragment>);
}

function pieceOf(piece: string, { agentId, citations }: Omit<AnswerTextProps, 'text'>): ReactNode {
  if (piece.startsWith('**')) return <strong className="font-semibold">{piece.slice(2, -2)}</strong>;
  if (piece.startsWith('`')) return <code className="font-mono text-sm">{piece.slice(1, -1)}</code>;
  const number = /^\[\^(\d+)\]$/.exec(piece)?.[1];
  const citation = citations.find((each) => each.number === Number(number));
  return citation ? <CitationMark agentId={agentId} citation={citation} /> : piece;
}
